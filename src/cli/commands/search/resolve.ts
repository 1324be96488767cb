/** Reads the parts of a search that are in files: `--query-file`, `--external-id @file`, and `-` for standard input. */
import type { RecordSearch } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { distinctIds, idsInFile } from './id-list.js';

/** Throws a UsageError for a missing file or an empty list of ids. */
export async function resolveSearch(
  { queryFile, externalId, terms, ...search }: SearchInput,
  context: Context,
): Promise<RecordSearch> {
  const raw = queryFile === undefined ? terms.raw : (await context.readText(queryFile)).trim();
  const externalIds = externalId === undefined ? undefined : await readIds(externalId, context);
  return { ...search, terms: { ...terms, raw, externalIds } };
}

async function readIds(list: string, context: Context): Promise<readonly string[]> {
  return (await idsInFile(list, context, '--external-id ')) ?? distinctIds(list.split(','), list);
}
