/** Resolves a search: reads its files (`@file`), and looks up names. */
import { UsageError } from '../../../service/errors.js';
import { type Kind, RECORD_KINDS } from '../../../service/kinds.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { assertNotEmpty, readIdsInFile, readValuesInFile, removeDuplicates } from './id-list.js';
import { listOtherNames, resolveFields } from './known-fields.js';
import { resolveSetId, SET_NAMES } from './named-sets.js';

/** Throws a UsageError for a missing file, an empty list, and an unknown field, collection or highlight. */
export async function resolveSearch(
  { queryFile, externalId, valueFile, changedSince, terms, ...search }: SearchInput,
  context: Context,
  kind: Kind,
): Promise<RecordSearch> {
  const [collection, highlight] = await Promise.all(
    SET_NAMES.map((set) => (terms[set] === undefined ? undefined : resolveSetId(context, set, terms[set]))),
  );
  const raw = queryFile === undefined ? terms.raw : await readQuery(queryFile, context);
  const ids = changedSince && (await readChangedIds(context, kind, changedSince));
  const externalIds = externalId === undefined ? ids : await readIds(externalId, context);
  const oneOf = valueFile && {
    field: valueFile.field,
    values: await readValuesInFile(valueFile.field, valueFile.value, context, () =>
      listOtherNames(context, kind, valueFile.field),
    ),
  };
  const resolved = {
    ...search,
    mayLackIds: ids && true,
    terms: { ...terms, raw, collection, highlight, externalIds, oneOf },
  };
  return resolveFields(context, kind, resolved);
}

/** Far more than the longest URL that services accept. */
const MAX_QUERY_CHARACTERS = 1_000_000;

/** Throws a UsageError for an empty file, and for a very long query. */
export async function readQuery(file: string, { readText }: Context): Promise<string> {
  const query = (await readText(file)).trim();
  if (query.length > MAX_QUERY_CHARACTERS)
    throw new UsageError(
      `the query in "${file}" is too long`,
      'to search for many ids, use --external-id @<file>',
    );
  if (query !== '') return query;
  throw new UsageError(
    `no query in "${file}"`,
    'write a query to the file; an empty query would select every record',
  );
}

async function readIds(list: string, context: Context): Promise<readonly string[]> {
  const inFile = await readIdsInFile(list, context, '--external-id ');
  return assertNotEmpty(inFile ?? removeDuplicates(list.split(','), list, context.note), list);
}

/** Throws a UsageError without `--from`, for the kind `records`, and if opac does not know all changes since this day. */
async function readChangedIds(
  { globalOptions: { from }, signal }: Context,
  kind: Kind,
  since: Date,
): Promise<readonly string[]> {
  if (from.length === 0) throw new UsageError('--changed-since needs a mirror', 'add --from <folder>');
  const only = RECORD_KINDS.find((each) => each === kind);
  if (!only)
    throw new UsageError(
      '--changed-since needs one kind of records',
      'use it with opac objects, opac persons or opac venues',
    );
  const { listChangedIds } = await import('../../../mirror/read-change-log.js');
  const ids = new Set<string>();
  for (const folder of from) for (const id of await listChangedIds(folder, only, since, signal)) ids.add(id);
  return [...ids];
}
