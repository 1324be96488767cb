/** Reads the parts of a search that are in files: `--query-file`, `--external-id @file`, and `-` for standard input. */
import { UsageError } from '../../../service/errors.js';
import type { RecordSearch } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';

/** Throws a UsageError for a missing file or an empty list of ids. */
export async function resolveSearch(
  { queryFile, externalId, terms, ...search }: SearchInput,
  context: Context,
): Promise<RecordSearch> {
  const raw = queryFile === undefined ? terms.raw : (await context.readText(queryFile)).trim();
  const externalIds = externalId === undefined ? undefined : await readIds(externalId, context);
  return { ...search, terms: { ...terms, raw, externalIds } };
}

/** File names that ids do not look like. */
const LIST_FILE = /^[^,]+\.(txt|csv|tsv|ids)$/i;

async function isReadable(file: string, { readText }: Context): Promise<boolean> {
  return readText(file).then(
    () => true,
    () => false,
  );
}

async function readIds(list: string, context: Context): Promise<string[]> {
  const inFile = list === '-' || list.startsWith('@');
  if (!inFile && LIST_FILE.test(list) && (await isReadable(list, context))) {
    throw new UsageError(`"${list}" is a file, not an id`, `read ids from it with: --external-id @${list}`);
  }
  const text = inFile ? await context.readText(list.replace(/^@/, '')) : list;
  const ids = text.split(inFile ? /\r?\n/ : ',').map((id) => id.replace(/^\uFEFF/, '').trim());
  const distinct = [...new Set(ids.filter((id) => id !== ''))];
  if (distinct.length === 0) throw new UsageError(`no ids in "${list}"`);
  return distinct;
}
