/** The search of a mirror: what its options mean for each kind, as in a list. */
import { hash } from 'node:crypto';
import type { Client } from '../../../client/client.js';
import type { MirrorSearch } from '../../../mirror/mirror-search.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { RecordKind } from '../../../service/kinds.js';
import { isComparedByRecord, isKept } from '../../../service/search/exact.js';
import { idBatches, listOf, withIds } from '../../../service/search/id-batches.js';
import { type QueryParameters, searchParameters, withoutColumns } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { valuesInFile } from '../search/id-list.js';
import { readQuery, resolveSearch } from '../search/resolve.js';
import type { SyncInput } from './options.js';

/** Each kind resolves its search; standard input can be read only once. */
export function readingOnce(context: Context): Context {
  const texts = new Map<string, Promise<string>>();
  const readText = (file: string) => {
    const text = texts.get(file) ?? context.readText(file);
    texts.set(file, text);
    return text;
  };
  return { ...context, readText };
}

/** What tells the search from others, whatever names of it mean for a kind: it is kept in the mirror, and compared. */
export async function queryOf(
  { valueFile, queryFile, terms, ...search }: SearchInput,
  context: Context,
): Promise<QueryParameters> {
  const raw = queryFile === undefined ? terms.raw : await readQuery(queryFile, context);
  const list = valueFile && (await valuesInFile(valueFile.field, valueFile.value, context));
  return [
    ...searchParameters({ ...search, terms: { ...terms, raw } }),
    ...(terms.exact ? [['exact', 'true'] as const] : []),
    ...(valueFile && list
      ? [[`list of ${valueFile.field}`, hash('sha256', JSON.stringify(list))] as const]
      : []),
  ];
}

/**
 * Throws the error of a request that names needed. A list then takes the name of a collection for its id, and finds nothing: for
 * a mirror, all records would be removed.
 */
export async function searchOf(
  { search: given, newestFirst }: Pick<SyncInput, 'search' | 'newestFirst'>,
  context: Context,
  client: Client,
  kind: RecordKind,
): Promise<MirrorSearch> {
  let failed: OpacError | undefined;
  const noting = (request: (...ask: never[]) => Promise<unknown>) =>
    ((...ask: never[]) =>
      request(...ask).catch((error) => {
        // A deployment may have no views or collections: then there are no names.
        if (error instanceof OpacError && error.kind !== 'not-found') failed ??= error;
        throw error;
      })) as never;
  const watched: Client = { ...client, get: noting(client.get), fetch: noting(client.fetch) };
  const search = await resolveSearch(given, { ...context, client: async () => watched }, kind);
  if (failed) throw failed;
  const { terms } = search;
  if (newestFirst !== undefined && isComparedByRecord(terms))
    throw new UsageError(
      '--newest-first cannot be used with a --where that the service cannot search',
      'leave it out: everything that is found is read each time',
    );
  const list = listOf(terms);
  const sent = withoutColumns(search);
  return {
    list: list && { field: list.field, batches: idBatches(terms) },
    query: (batch) => searchParameters(list ? withIds(sent, batch) : sent),
    isExact: isComparedByRecord(terms) ? (record) => isKept(terms, record) : undefined,
  };
}
