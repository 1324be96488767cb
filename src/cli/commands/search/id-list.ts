/** Lists of ids and of values that are in a file or come on standard input. */
import { UsageError } from '../../../service/errors.js';
import { splitFoldedWords } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';

/** File names that ids do not look like. */
const LIST_FILE = /^[^,]+\.(txt|csv|tsv|ids)$/i;

/**
 * The ids in `@file` or in standard input (`-`), one per line, each once; undefined where `list` is ids itself. Throws a
 * UsageError for a missing file and for the name of a file without `@`; `option` stands before it in the hint, `head` above the ids.
 */
export async function readIdsInFile(
  list: string,
  { readText }: Pick<Context, 'readText'>,
  option = '',
  head: HeaderPattern = ID,
): Promise<readonly string[] | undefined> {
  if (list === '-' || list.startsWith('@'))
    return distinct(await valuesIn(await readText(list.replace(/^@/, '')), head));
  const isFile =
    LIST_FILE.test(list) &&
    (await readText(list).then(
      () => true,
      () => false,
    ));
  if (isFile)
    throw new UsageError(`"${list}" is a file, not an id`, `read ids from it with: ${option}@${list}`);
  return undefined;
}

/** The values of a field in a file, each once. Throws as `idsInFile`. */
export async function readValuesInFile(
  field: string,
  file: string,
  { readText }: Pick<Context, 'readText'>,
): Promise<readonly string[]> {
  return deduplicateIds(
    await valuesIn(await readText(file), createHeaderPattern(field)),
    `@${file}`,
    'values',
  );
}

/** Each id once, trimmed. Throws a UsageError when there are none. */
export function deduplicateIds(ids: readonly string[], list: string, what = 'ids'): readonly string[] {
  const found = distinct(ids);
  if (found.length === 0) throw new UsageError(`no ${what} in "${list}"`);
  return found;
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ''))];
}

type HeaderPattern = Pick<RegExp, 'test'>;

const ID = /^(id|opac(Object|Person|Venue)Id|external_object_id)$/i;

/** `Accession No.` is accession_no. */
const folded = (head: string) => splitFoldedWords(head).join('_');

export function createHeaderPattern(field: string): HeaderPattern {
  const name = folded(field);
  return { test: (cell) => folded(cell) === name };
}

/** One value a line, below a head or not; of a table, the column with the head. */
async function valuesIn(text: string, head: HeaderPattern): Promise<string[]> {
  const [first = '', ...others] = linesOf(text);
  if (head.test(first)) return others;
  const { findHeader, readRows } = await import('../../../records/files/read-table.js');
  const isHead = (cell: string) => head.test(cell.trim());
  const bytes = Buffer.from(text);
  const header = findHeader(bytes, (cells) => cells.some(isHead));
  if (!header) return [first, ...others];
  const place = header.cells.findIndex(isHead);
  const values: string[] = [];
  for await (const { cells } of readRows([bytes.subarray(header.rows)], { ...header, excel: true }))
    values.push(cells[place] ?? '');
  return values;
}

/** A spreadsheet quotes cells that hold a comma or a quote. */
function linesOf(text: string): string[] {
  const quotedCell = /^"((?:[^"]|"")*)"$/;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(quotedCell, (_, cell: string) => cell.replaceAll('""', '"')));
}
