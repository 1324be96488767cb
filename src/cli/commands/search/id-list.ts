/** Reads lists of ids and values from files or standard input. */
import { UsageError } from '../../../service/errors.js';
import { splitFoldedWords } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';

/** File names that do not look like ids. */
const LIST_FILE = /^[^,]+\.(txt|csv|tsv|ids)$/i;

/**
 * Returns the ids in `@file` or standard input (`-`), without duplicates; undefined if `list` is not a file. `option`: the
 * option, for the hint. `header`: the header of the ids in a table. Throws a UsageError for a missing file and for a file name
 * without `@`.
 */
export async function readIdsInFile(
  list: string,
  { readText }: Pick<Context, 'readText'>,
  option = '',
  header: HeaderPattern = ID,
): Promise<readonly string[] | undefined> {
  if (list === '-' || list.startsWith('@'))
    return removeDuplicates(await parseValues(await readText(list.replace(/^@/, '')), header));
  const isFile =
    LIST_FILE.test(list) &&
    (await readText(list).then(
      () => true,
      () => false,
    ));
  if (isFile)
    throw new UsageError(`"${list}" is a file, not an id`, `read ids from the file with: ${option}@${list}`);
  return undefined;
}

/** Returns the values of a field in a file, without duplicates. Throws a UsageError if there are none. */
export async function readValuesInFile(
  field: string,
  file: string,
  { readText }: Pick<Context, 'readText'>,
): Promise<readonly string[]> {
  const values = await parseValues(await readText(file), createHeaderPattern(field));
  return deduplicateIds(values, `@${file}`, 'values');
}

/** Returns the ids, trimmed and without duplicates. Throws a UsageError if there are none. */
export function deduplicateIds(ids: readonly string[], list: string, what = 'ids'): readonly string[] {
  const found = removeDuplicates(ids);
  if (found.length === 0) throw new UsageError(`no ${what} in "${list}"`);
  return found;
}

function removeDuplicates(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ''))];
}

type HeaderPattern = Pick<RegExp, 'test'>;

const ID = /^(id|opac(Object|Person|Venue)Id|external_object_id)$/i;

/** `Accession No.` becomes accession_no. */
const foldHeader = (header: string) => splitFoldedWords(header).join('_');

export function createHeaderPattern(field: string): HeaderPattern {
  const name = foldHeader(field);
  return { test: (cell) => foldHeader(cell) === name };
}

/** Returns the lines of a text, without a header. If the text is a table, returns the column with the header. */
async function parseValues(text: string, pattern: HeaderPattern): Promise<string[]> {
  const [first = '', ...others] = splitLines(text);
  if (pattern.test(first)) return others;
  const { findHeader, readRows } = await import('../../../records/files/read-table.js');
  const isHeader = (cell: string) => pattern.test(cell.trim());
  const bytes = Buffer.from(text);
  const header = findHeader(bytes, (cells) => cells.some(isHeader));
  if (!header) return [first, ...others];
  const position = header.cells.findIndex(isHeader);
  const values: string[] = [];
  for await (const { cells } of readRows([bytes.subarray(header.rows)], { ...header, excel: true }))
    values.push(cells[position] ?? '');
  return values;
}

/** Spreadsheets quote cells that contain a comma or a quote. */
function splitLines(text: string): string[] {
  const quotedCell = /^"((?:[^"]|"")*)"$/;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(quotedCell, (_, cell: string) => cell.replaceAll('""', '"')));
}
