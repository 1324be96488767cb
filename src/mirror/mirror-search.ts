/** Which records of a kind a mirror holds, and how they are read. */
import type { Client } from '../client/client.js';
import { exactSource } from '../export/collect/source/exact-source.js';
import { idListSource } from '../export/collect/source/id-list-source.js';
import type { RecordSource, ResultSearch } from '../export/collect/source/record-source.js';
import { searchSource } from '../export/collect/source/source.js';
import type { NotUtf8Counter } from '../records/json/not-utf8.js';
import { type PageRecord, parsedRecord } from '../records/json/page-records.js';
import { asObject } from '../service/json.js';
import type { RecordKind } from '../service/kinds.js';
import type { CollectionRecord } from '../service/records/record.js';
import { inListOrder } from '../service/search/exact.js';
import type { QueryParameters } from '../service/search/search.js';

export interface MirrorSearch {
  /** Values of a field to search for, in batches that fit into a request each; undefined for a search without such a list. */
  readonly list: { readonly field: string; readonly batches: readonly (readonly string[])[] } | undefined;
  /** The parameters, with a batch of the list. */
  readonly query: (batch: readonly string[]) => QueryParameters;
  /** What no query can ask for; undefined where every record that is found belongs to the mirror. */
  readonly isExact: ((record: CollectionRecord) => boolean) | undefined;
}

/** What reading a kind takes. */
export interface KindReading {
  readonly client: Client;
  readonly kind: RecordKind;
  readonly search: MirrorSearch;
  /** Counts the records of an incremental run. */
  readonly notUtf8: NotUtf8Counter;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal;
}

/** The search whose ids are listed. */
export function createResultSearch({ client, kind, search, concurrency }: KindReading): ResultSearch {
  const { list, query } = search;
  const [first = []] = list?.batches ?? [];
  return { client, kind, query: query(first), queries: list?.batches.map(query), concurrency };
}

export function createSource(reading: KindReading): RecordSource {
  const { client, kind, search, concurrency } = reading;
  const { list, query, isExact } = search;
  const found = list
    ? idListSource({ client, kind, ...list, query, concurrency })
    : searchSource({ client, kind, query: query([]), concurrency });
  const source = isExact ? exactSource(found, kind, isExact) : found;
  if (!list) return source;
  const values = list.batches.flat();
  const isListed = (record: PageRecord) =>
    inListOrder(values, [{ record, raw: asObject(parsedRecord(record)) }], list.field).ordered.length > 0;
  const isWanted = (record: PageRecord) => isListed(record) && (source.isWanted?.(record) ?? true);
  return { ...source, search: createResultSearch(reading), isWanted };
}
