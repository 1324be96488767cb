/** The records of a museum, and the collections and image labels that occur in the records, with counts. */
import type { Kind, RecordKind } from '../service/kinds.js';
import { distinctLabels, type JsonRecord } from './record.js';
import { iterateRecords, joinLists, type RecordList } from './record-list.js';

export interface RecordStore {
  readonly records: Readonly<Record<Kind, RecordList>>;
  readonly highlights: readonly Highlight[];
  readonly comments: readonly object[];
  /** Created when first needed, because reading thousands of records would delay every start. */
  readonly index: () => Promise<StoreIndex>;
}

export interface Extras {
  readonly collections?: readonly Omit<Collection, 'objects'>[];
  readonly highlights?: readonly Highlight[];
  readonly comments?: readonly object[];
  /** Counts collections and image labels only in the first `sample` records. Default: all records. */
  readonly sample?: number;
}

export interface Highlight {
  readonly highlightId: string;
  readonly title: string;
  readonly recordIds: readonly string[];
  readonly images: readonly object[];
}

interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly objects: number;
}

interface StoreIndex {
  readonly collections: readonly Collection[];
  readonly imageLabels: readonly JsonRecord[];
  readonly imageIds: ReadonlySet<string>;
}

export function createStore(recordsOf: (kind: RecordKind) => RecordList, extras: Extras = {}): RecordStore {
  const [objects, persons, venues] = [recordsOf('objects'), recordsOf('persons'), recordsOf('venues')];
  const records = joinLists([objects, persons, venues]);
  let index: Promise<StoreIndex> | undefined;
  return {
    records: { objects, persons, venues, records },
    highlights: extras.highlights ?? [],
    comments: extras.comments ?? [],
    index: () => {
      index ??= buildIndex(records, extras);
      return index;
    },
  };
}

async function buildIndex(
  records: RecordList,
  { collections: described, sample = Number.POSITIVE_INFINITY }: Extras,
): Promise<StoreIndex> {
  const collections = new Map<string, Collection>();
  const labels = new Map<string, JsonRecord & { readonly count: number }>();
  const imageIds = new Set<string>();
  let counted = 0;
  for await (const { parsed } of iterateRecords(records)) {
    const { collection, images } = parsed;
    if (collection) {
      const { id, name } = collection;
      const known = collections.get(id);
      // Some records name their collection only by its id.
      collections.set(id, {
        id,
        name: name || (known?.name ?? ''),
        description: '',
        objects: (known?.objects ?? 0) + 1,
      });
    }
    for (const { imageLabelId, imageLabel, status } of distinctLabels(parsed)) {
      const count = (labels.get(String(imageLabelId))?.count ?? 0) + 1;
      labels.set(String(imageLabelId), { imageLabelId, imageLabel, status, count });
    }
    for (const { imageId } of images) imageIds.add(String(imageId));
    if (++counted === sample) break;
  }
  return {
    collections: described?.map((each) => ({ ...each, objects: collections.get(each.id)?.objects ?? 0 })) ?? [
      ...collections.values(),
    ],
    imageLabels: [...labels.values()].sort((one, other) =>
      String(one.imageLabel) < String(other.imageLabel) ? -1 : 1,
    ),
    imageIds,
  };
}
