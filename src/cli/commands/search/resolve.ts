/** Reads the parts of a search that are in files: `--query-file`, `--external-id @file`, `--where field=@file`. */
import type { RecordSearch } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { distinctIds, idsInFile, valuesInFile } from './id-list.js';

/** Throws a UsageError for a missing file or an empty list. */
export async function resolveSearch(
  { queryFile, externalId, valueFile, terms, ...search }: SearchInput,
  context: Context,
): Promise<RecordSearch> {
  const raw = queryFile === undefined ? terms.raw : (await context.readText(queryFile)).trim();
  const externalIds = externalId === undefined ? undefined : await readIds(externalId, context);
  const oneOf = valueFile && {
    field: valueFile.field,
    values: await valuesInFile(valueFile.field, valueFile.value, context),
  };
  return { ...search, terms: { ...terms, raw, externalIds, oneOf } };
}

async function readIds(list: string, context: Context): Promise<readonly string[]> {
  return (await idsInFile(list, context, '--external-id ')) ?? distinctIds(list.split(','), list);
}
