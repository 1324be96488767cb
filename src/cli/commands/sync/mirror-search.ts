/** Creates the search of a mirror. */
import { hash } from 'node:crypto';
import type { Client } from '../../../client/client.js';
import { createExactSource } from '../../../export/collect/source/exact-source.js';
import { createIdListSource } from '../../../export/collect/source/id-list-source.js';
import { createSearchSource } from '../../../export/collect/source/search-source.js';
import type { MirrorSource } from '../../../mirror/sync-options.js';
import { type PageRecord, parsePageRecord } from '../../../records/json/page-records.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { asObject } from '../../../service/json.js';
import type { RecordKind } from '../../../service/kinds.js';
import { isComparedByRecord, RecordFilter, sortByList } from '../../../service/search/exact-match.js';
import { getValueList, splitIntoBatches, withValues } from '../../../service/search/id-batches.js';
import {
  type QueryParameters,
  type RecordSearch,
  searchParameters,
  withoutColumns,
} from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { readValuesInFile } from '../search/id-list.js';
import { readQuery, resolveSearch } from '../search/resolve-search.js';
import { noteUnknownDates } from '../search/search-pages.js';
import type { SyncInput } from './options.js';

/** The new context reads each file and prints each note only once. All kinds need the same files, which may be standard input. */
export function cacheTexts(context: Context): Context {
  const cache = (read: Context['readText']) => {
    const texts = new Map<string, Promise<string>>();
    return (file: string) => {
      const text = texts.get(file) ?? read(file);
      texts.set(file, text);
      return text;
    };
  };
  const said = new Set<string>();
  const note = (text: string) => {
    if (said.size < said.add(text).size) context.note(text);
  };
  return { ...context, note, readText: cache(context.readText), readList: cache(context.readList) };
}

/** Returns the query that the mirror stores, to check that all runs have the same search. */
export async function createMirrorQuery(
  { valueFile, queryFile, changedSince: _, terms, ...search }: SearchInput,
  context: Context,
): Promise<QueryParameters> {
  const raw = queryFile === undefined ? terms.raw : await readQuery(queryFile, context);
  const list = valueFile && (await readValuesInFile(valueFile.field, valueFile.value, context));
  return [
    ...searchParameters({ ...search, terms: { ...terms, raw } }),
    ...(valueFile && list
      ? [[`list of ${valueFile.field}`, hash('sha256', JSON.stringify(list))] as const]
      : []),
  ];
}

/** Throws an OpacError if a request for the names of fields or collections fails. A wrong search could empty the mirror. */
export async function createMirrorSource(
  { search: given, newestFirst }: Pick<SyncInput, 'search' | 'newestFirst'>,
  context: Context,
  client: Client,
  kind: RecordKind,
): Promise<MirrorSource> {
  let failed: OpacError | undefined;
  const watch = (request: (...ask: never[]) => Promise<unknown>) =>
    ((...ask: never[]) =>
      request(...ask).catch((error) => {
        // A deployment without views or collections has no names to look up.
        if (error instanceof OpacError && error.kind !== 'not-found') failed ??= error;
        throw error;
      })) as never;
  const watched: Client = { ...client, get: watch(client.get), fetch: watch(client.fetch) };
  const search = await resolveSearch(given, { ...context, client: async () => watched }, kind);
  if (failed) throw failed;
  const { terms } = search;
  const isCompared = isComparedByRecord(terms);
  if (newestFirst !== undefined && isCompared)
    throw new UsageError(
      '--newest-first cannot be used with a --where that the service cannot search',
      'remove --newest-first; each run then reads all matching records',
    );
  const found = createFoundSource(search, client, kind, context.globalOptions.concurrency);
  if (!isCompared) return found;
  const filter = new RecordFilter(terms);
  const exact = createExactSource(
    found,
    kind,
    (record) => filter.isKept(record),
    () => noteUnknownDates(filter, context.note),
  );
  const isWanted = (record: PageRecord) =>
    [found, exact].every((source) => source.isWanted?.(record) ?? true);
  return { ...exact, search: found.search, isWanted };
}

function createFoundSource(
  search: RecordSearch,
  client: Client,
  kind: RecordKind,
  concurrency?: number,
): MirrorSource {
  const sent = withoutColumns(search);
  const list = getValueList(sent.terms);
  const common = { client, kind, concurrency };
  if (!list) {
    const options = { ...common, query: searchParameters(sent) };
    return { ...createSearchSource(options), search: options };
  }
  const { field, values } = list;
  const query = (batch: readonly string[]) => searchParameters(withValues(sent, batch));
  const batches = splitIntoBatches(sent.terms);
  return {
    ...createIdListSource({ ...common, field, batches, query }),
    search: { ...common, query: query(batches[0] ?? []), queries: batches.map(query) },
    isWanted: (record) =>
      sortByList(values, [{ record, raw: asObject(parsePageRecord(record)) }], field).ordered.length > 0,
  };
}
