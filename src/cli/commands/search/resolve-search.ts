/** Reads the parts of a search that are in files: `--query @file`, `--external-id @file`, `--where field=@file`. */
import { UsageError } from '../../../service/errors.js';
import type { Kind } from '../../../service/kinds.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { deduplicateIds, readIdsInFile, readValuesInFile } from './id-list.js';
import { assertFieldsWhenEmpty } from './known-fields.js';
import { resolveSetId, SET_NAMES } from './named-sets.js';

/** Throws a UsageError for a missing file, an empty list, and a field that the deployment does not have. */
export async function resolveSearch(
  { queryFile, externalId, valueFile, terms, ...search }: SearchInput,
  context: Context,
  kind: Kind,
): Promise<RecordSearch> {
  const [collection, highlight] = await Promise.all(
    SET_NAMES.map((set) => (terms[set] === undefined ? undefined : resolveSetId(context, set, terms[set]))),
  );
  const raw = queryFile === undefined ? terms.raw : await readQuery(queryFile, context);
  const externalIds = externalId === undefined ? undefined : await readIds(externalId, context);
  const oneOf = valueFile && {
    field: valueFile.field,
    values: await readValuesInFile(valueFile.field, valueFile.value, context),
  };
  const resolved = { ...search, terms: { ...terms, raw, collection, highlight, externalIds, oneOf } };
  return assertFieldsWhenEmpty(context, kind, resolved);
}

/** The query in a file. Throws a UsageError for an empty one. */
export async function readQuery(file: string, { readText }: Context): Promise<string> {
  const query = (await readText(file)).trim();
  if (query !== '') return query;
  throw new UsageError(`there is no query in "${file}"`, 'without one, every record would be selected');
}

async function readIds(list: string, context: Context): Promise<readonly string[]> {
  return deduplicateIds((await readIdsInFile(list, context, '--external-id ')) ?? list.split(','), list);
}
