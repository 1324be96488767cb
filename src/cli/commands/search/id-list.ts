/** Reads lists of ids and values from files or standard input. */
import { UsageError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { splitFoldedWords } from '../../../service/search/spelling.js';
import { assertNotInput } from '../../../system/output-path.js';
import type { Context } from '../../context.js';

/** Matches text such as `ids.txt`, which is probably the name of a file, not an id. */
const LIST_FILE = /^[^,]+\.(txt|csv|tsv|ids|xlsx)$/i;

export const isListFile = (text: string) => LIST_FILE.test(text);

type ListReader = Pick<Context, 'readList' | 'note' | 'globalOptions'>;

/** Reads `@file` or standard input (`-`). Returns undefined for other text. Throws a UsageError for a file name without `@`. */
export async function readIdsInFile(
  list: string,
  context: ListReader,
  option = '',
  header: HeaderPattern = ID,
): Promise<readonly string[] | undefined> {
  const { readList, note } = context;
  const file = list.replace(/^@/, '');
  if (list === '-' || list !== file)
    return removeDuplicates(await parseValues(await readInput(file, context), file, header), file, note);
  const isFile =
    isListFile(list) &&
    (await readList(list).then(
      () => true,
      () => false,
    ));
  if (isFile)
    throw new UsageError(`"${list}" is a file, not an id`, `read ids from the file with: ${option}@${list}`);
  return undefined;
}

/** Throws a UsageError if the file has no values. `listOtherNames` returns other headers of the field, such as its label. */
export async function readValuesInFile(
  field: string,
  file: string,
  context: ListReader,
  listOtherNames: () => Promise<readonly string[]> = async () => [],
): Promise<readonly string[]> {
  const text = await readInput(file, context);
  const values = await parseValues(text, file, createHeaderPattern(field, await listOtherNames()));
  return assertNotEmpty(removeDuplicates(values, file, context.note), `@${file}`, 'values');
}

/** Throws a UsageError for a web page and, even with `--force`, if the file is an output of the command. */
async function readInput(file: string, { readList, globalOptions }: ListReader): Promise<string> {
  for (const output of globalOptions.outputs) await assertNotInput(output, [file]);
  const text = await readList(file);
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text))
    throw new UsageError(
      `"${file}" is a web page, not a list`,
      'use a text file with one value per line, or a table',
    );
  return text;
}

export function assertNotEmpty(ids: readonly string[], list: string, what = 'ids'): readonly string[] {
  if (ids.length === 0) throw new UsageError(`no ${what} in "${list}"`);
  return ids;
}

/** Services accept only much shorter URLs. With millions of characters, regular expressions would overflow the stack. */
const MAX_VALUE_LENGTH = 100_000;

/** Also trims the ids, and omits empty ids. Prints a note with the number of duplicates. Throws a UsageError for a long value. */
export function removeDuplicates(
  ids: readonly string[],
  list: string,
  note: Context['note'],
): readonly string[] {
  const found = ids.map((id) => id.trim()).filter((id) => id !== '');
  if (found.some((id) => id.length > MAX_VALUE_LENGTH))
    throw new UsageError(
      `"${list}" contains a value of more than ${formatNumber(MAX_VALUE_LENGTH)} characters`,
    );
  const distinct = [...new Set(found)];
  const repeated = found.length - distinct.length;
  if (repeated > 0)
    note(`ignored ${formatCount(repeated, 'repeated value')} of the ${found.length} in "${list}"`);
  return distinct;
}

interface HeaderPattern {
  readonly name: string;
  /** Whether a cell is the header of the column. */
  readonly test: (cell: string) => boolean;
  /** Whether a cell contains only the first words of the name, or an abbreviation of the name. */
  readonly isBeginning: (cell: string) => boolean;
}

const ID: HeaderPattern = {
  name: 'id',
  test: (cell) => /^(id|opac(Object|Person|Venue)Id|external_object_id)$/i.test(cell),
  isBeginning: () => false,
};

/** Returns `accession_no` for `Accession No.`. */
const foldHeader = (header: string) => splitFoldedWords(header).join('_');

/** Returns true for `Acc. no.` if the name is `accession_no`: each word of the name begins with a word of the cell. */
function isAbbreviation(cell: string, name: string): boolean {
  const [words, beginnings] = [name.split('_'), splitFoldedWords(cell)];
  const hasSameLength = words.length === beginnings.length;
  return (
    /\p{L}{2}\./u.test(cell) &&
    hasSameLength &&
    words.every((word, n) => word.startsWith(beginnings[n] ?? word))
  );
}

/** `others`: other possible headers of the field, such as its label. */
export function createHeaderPattern(field: string, others: readonly string[] = []): HeaderPattern {
  const names = [field, ...others].map(foldHeader);
  return {
    name: field,
    test: (cell) => names.includes(foldHeader(cell)),
    isBeginning: (cell) =>
      names.some((name) => name.startsWith(`${foldHeader(cell) || name}_`) || isAbbreviation(cell, name)),
  };
}

/** For a list, returns its lines without the header. For a table, returns the matching column, or throws a UsageError. */
async function parseValues(given: string, file: string, pattern: HeaderPattern): Promise<readonly string[]> {
  const text = removeTitle(given, pattern);
  const [first = '', ...others] = splitLines(text);
  if (pattern.test(first)) return others;
  const { findHeader, readRows } = await import('../../../records/files/read-table.js');
  // A line with one cell may be a value, so it is a header only if it contains the complete name.
  const hasHeader = (cells: readonly string[]) =>
    cells.some((cell) => pattern.test(cell.trim())) || (cells.length > 1 && cells.some(pattern.isBeginning));
  const bytes = Buffer.from(text);
  // `readList` begins the text of a workbook with this line.
  const isWorkbook = first === 'sep=,';
  const isTable = isWorkbook || /\.[ct]sv$/i.test(file);
  const hasColumns = /^.*\t/.test(text) || (!/\.txt$/i.test(file) && hasEqualRows([first, ...others]));
  const header =
    findHeader(bytes, hasHeader) ??
    (isTable || hasColumns ? findHeader(bytes, (cells) => isTable || cells.length > 1) : undefined);
  if (!header) return isWorkbook ? [] : [first, ...others];
  const position = findColumn(header.cells, file, pattern);
  const getOnlyCell = (cells: readonly string[]) => cells.find((cell) => cell.trim() !== '') ?? '';
  const values = position < 0 ? [getOnlyCell(header.cells)] : [];
  for await (const { cells } of readRows([bytes.subarray(header.rowsStart)], { ...header, excel: true })) {
    if (position < 0) findColumn(cells, file, pattern);
    values.push(position < 0 ? getOnlyCell(cells) : (cells[position] ?? ''));
  }
  return values;
}

const MAX_TITLE_LINES = 10;

/** Removes the lines above the header of a table, such as a title. */
function removeTitle(text: string, { test, isBeginning }: HeaderPattern): string {
  const lines = text.split(/\r?\n/);
  const readCells = (line: string) =>
    line
      .replace(/"[^"]*"/g, (cell) => cell.replace(/[,;\t"]/g, ''))
      .split(/[,;\t]/)
      .map((cell) => cell.trim());
  const isRow = (line: string) => readCells(line).filter(Boolean).length > 1;
  const named = lines
    .slice(0, MAX_TITLE_LINES)
    .findIndex((line) => isRow(line) && readCells(line).some((cell) => test(cell)));
  const start = named < 0 ? lines.findIndex(isRow) : named;
  const table = lines.slice(start);
  const hasHeader = named >= 0 || readCells(table[0] ?? '').some((cell) => isBeginning(cell));
  const isWorkbook = lines[0] === 'sep=,';
  const isTable = isWorkbook || table.every((line) => line.trim() === '' || readCells(line).length > 1);
  if (start < 1 || !hasHeader || !isTable) return text;
  return [...(isWorkbook ? ['sep=,'] : []), ...table].join('\n');
}

const COMPARED_LINES = 5;

/** Returns true if the first lines have the same number of cells, at least two. A comma before a space may belong to a name. */
function hasEqualRows(lines: readonly string[]): boolean {
  const rows = lines.filter((line) => line !== '').slice(0, COMPARED_LINES);
  const counts = rows.map((line) => line.split(/[,;](?! )/).length);
  return rows.length > 1 && counts.every((count) => count > 1 && count === counts[0]);
}

/**
 * Returns -1 if the table has only one column, and this column does not match. Throws a UsageError if opac cannot tell which of
 * several columns to use.
 */
function findColumn(cells: readonly string[], file: string, pattern: HeaderPattern): number {
  const { name, test, isBeginning } = pattern;
  const exact = cells.indexOf(name);
  const named = cells.filter((cell) => cell.trim() !== '');
  const same = cells.flatMap((cell, n) => (test(cell.trim()) ? n : []));
  const isSure = same.length > 0 || named.length < 2;
  const found = isSure ? same : cells.flatMap((cell, n) => (isBeginning(cell) ? n : []));
  if (exact >= 0 || found.length === 1) return exact >= 0 ? exact : (found[0] ?? 0);
  if (found.length === 0 && named.length < 2) return -1;
  const columns = found.length > 0 ? found.map((n) => cells[n]) : named;
  throw new UsageError(
    `"${file}" has ${found.length > 0 ? `${found.length} columns "${name}":` : `no column "${name}", only`} ${columns.join(', ')}`,
    `rename one column to "${name}" and delete the lines above the header, or save the values as text with one value per line`,
  );
}

/** Also removes the quotes around a line, because spreadsheets quote cells that contain a comma or a quote. */
function splitLines(text: string): string[] {
  return text.split(/\r?\n/).map((given) => {
    const line = given.trim();
    const inner = line.slice(1, -1);
    const isQuoted = line.length > 1 && line.startsWith('"') && line.endsWith('"');
    return isQuoted && !inner.replaceAll('""', '').includes('"') ? inner.replaceAll('""', '"') : line;
  });
}
