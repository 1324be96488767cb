/** Lists of ids that are in a file or come on standard input. */
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
    return distinctIds((await readText(list.replace(/^@/, ''))).split(/\r?\n/), list);
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

/** Each id once, trimmed. Throws a UsageError when there are none. */
export function distinctIds(ids: readonly string[], list: string): readonly string[] {
  const trimmed = ids.map((id) => id.replace(/^\uFEFF/, '').trim());
  const distinct = [...new Set(trimmed.filter((id) => id !== ''))];
  if (distinct.length === 0) throw new UsageError(`no ids in "${list}"`);
  return distinct;
}
