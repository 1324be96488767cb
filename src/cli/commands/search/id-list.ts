/** Lists of ids and of values that are in a file or come on standard input. */
import { UsageError } from '../../../service/errors.js';
import type { Context } from '../../context.js';

/** File names that ids do not look like. */
const LIST_FILE = /^[^,]+\.(txt|csv|tsv|ids)$/i;

/**
 * The ids in `@file` or in standard input (`-`), one a line; undefined where `list` is ids itself. Throws a UsageError for a
 * missing file, one without ids, and the name of a file without `@`; `option` stands before it in the hint.
 */
export async function idsInFile(
  list: string,
  { readText }: Pick<Context, 'readText'>,
  option = '',
): Promise<readonly string[] | undefined> {
  if (list === '-' || list.startsWith('@'))
    return distinctIds(linesOf(await readText(list.replace(/^@/, ''))), list);
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

/** The values of a field in a file, each once; a first line that is the name of the field is its head. Throws as `idsInFile`. */
export async function valuesInFile(
  field: string,
  file: string,
  { readText }: Pick<Context, 'readText'>,
): Promise<readonly string[]> {
  const [first = '', ...others] = linesOf(await readText(file));
  const isHead = first.trim() === field;
  return distinctIds(isHead ? others : [first, ...others], `@${file}`, 'values');
}

/** Each id once, trimmed. Throws a UsageError when there are none. */
export function distinctIds(ids: readonly string[], list: string, what = 'ids'): readonly string[] {
  const distinct = [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ''))];
  if (distinct.length === 0) throw new UsageError(`no ${what} in "${list}"`);
  return distinct;
}

/** A spreadsheet quotes cells that hold a comma or a quote. */
function linesOf(text: string): string[] {
  const quotedCell = /^"((?:[^"]|"")*)"$/;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(quotedCell, (_, cell: string) => cell.replaceAll('""', '"')));
}
