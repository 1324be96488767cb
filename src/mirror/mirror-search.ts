/** Which records of a kind a mirror holds, and how they are read. */
import type { Client } from '../client/client.js';
import { exactSource } from '../export/collect/source/exact-source.js';
import { idListSource } from '../export/collect/source/id-list-source.js';
import type { RecordSource } from '../export/collect/source/record-source.js';
import { searchSource } from '../export/collect/source/source.js';
import type { RecordKind } from '../service/kinds.js';
import type { CollectionRecord } from '../service/records/record.js';
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
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal;
}

/** Whether records that are found must be read whole to tell which of them belong to the mirror. */
export function isFiltered({ list, isExact }: MirrorSearch): boolean {
  return list !== undefined || isExact !== undefined;
}

export function sourceOf({ client, kind, search, concurrency }: KindReading): RecordSource {
  const { list, query, isExact } = search;
  const source = list
    ? idListSource({ client, kind, ...list, query, concurrency })
    : searchSource({ client, kind, query: query([]), concurrency });
  return isExact ? exactSource(source, kind, isExact) : source;
}
