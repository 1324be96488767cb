/** The records of the museum and what comes with them: the built-in data, records from files, or generated ones. */
import type { Kind, RecordKind } from '../service/kinds.js';
import { parseJson } from '../service/parse-json.js';
import { type BuiltInData, builtInData, type Comment, type Highlight } from './data/built-in.js';
import { GeneratedRecordList } from './data/generated.js';
import {
  ArrayRecordList,
  ConcatenatedRecordList,
  distinctLabels,
  type JsonRecord,
  type RecordList,
  recordsIn,
  TextRecord,
} from './data/record-list.js';
import { type FileRecord, recordsInFile } from './files/data-files.js';
import { FileRecordList } from './files/file-records.js';
import { HeldRecords } from './files/held-records.js';

/** Without these options the museum has its built-in data. */
export interface StoreOptions {
  /** Files of records: one JSON record a line, an array, or list responses; gzipped too. Nothing beside these is served. */
  readonly data?: readonly string[] | undefined;
  /** The number of generated objects; there are no persons and no venues then. */
  readonly records?: number | undefined;
  /** Ends the reading of the files. */
  readonly signal?: AbortSignal | undefined;
}

export interface Store {
  readonly records: Readonly<Record<Kind, RecordList>>;
  readonly collections: readonly Collection[];
  readonly highlights: readonly Highlight[];
  readonly comments: readonly Comment[];
  readonly imageLabels: readonly JsonRecord[];
  /** The ids of the images whose pictures the museum draws itself. */
  readonly pictures: ReadonlySet<string>;
}

interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly objects: number;
}

/** The most generated records that are read for collections, labels and pictures: all occur early. */
const SAMPLE = 10_000;

/** The address of the museum is known when it listens. Throws a UsageError that names file and line of an invalid record. */
export async function loadStore({ data, records, signal }: StoreOptions): Promise<(origin: string) => Store> {
  if (data && data.length > 0) {
    const store = await storeOf(recordsInFiles(data, signal));
    return () => store;
  }
  if (records === undefined) return builtInStore;
  return (origin) =>
    createStore(
      (kind) => (kind === 'objects' ? new GeneratedRecordList(records, origin) : new ArrayRecordList([])),
      {},
    );
}

async function* recordsInFiles(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly FileRecord[]> {
  for (const path of paths) yield* recordsInFile(path, signal);
}

/** A museum of these records and nothing else. */
export async function storeOf(pieces: AsyncIterable<readonly FileRecord[]>): Promise<Store> {
  const held = {
    objects: new HeldRecords('objects'),
    persons: new HeldRecords('persons'),
    venues: new HeldRecords('venues'),
  };
  for await (const records of pieces) for (const record of records) held[record.kind].add(record);
  return createStore((kind) => new FileRecordList(kind, held[kind]));
}

function builtInStore(origin: string): Store {
  const { records, highlights, ...rest } = builtInData();
  const absolute = (text: string) => text.replaceAll('"url":"/', `"url":"${origin}/`);
  const all = records.map(({ kind, id, text }) => new TextRecord(kind, id, () => absolute(text())));
  return createStore((kind) => new ArrayRecordList(all.filter((record) => record.kind === kind)), {
    ...rest,
    highlights: parseJson(absolute(JSON.stringify(highlights))) as Highlight[],
  });
}

/** `own` is what the museum has of its own beside records, pictures included; records from files come without. */
function createStore(
  recordsOf: (kind: RecordKind) => RecordList,
  own?: Partial<Omit<BuiltInData, 'records'>>,
): Store {
  const [objects, persons, venues] = [recordsOf('objects'), recordsOf('persons'), recordsOf('venues')];
  const records = new ConcatenatedRecordList([objects, persons, venues]);
  let index: Index | undefined;
  // Made when first needed: reading thousands of records would delay every start.
  const getIndex = () => {
    index ??= indexOf(records, own ? SAMPLE : records.count);
    return index;
  };
  return {
    records: { objects, persons, venues, records },
    highlights: own?.highlights ?? [],
    comments: own?.comments ?? [],
    get collections() {
      const { collections } = getIndex();
      const objectsIn = (id: string) => collections.get(id)?.objects ?? 0;
      return (
        own?.collections?.map((collection) => ({ ...collection, objects: objectsIn(collection.id) })) ?? [
          ...collections.values(),
        ]
      );
    },
    get imageLabels() {
      return getIndex().imageLabels;
    },
    get pictures() {
      return own ? getIndex().imageIds : new Set<string>();
    },
  };
}

interface Index {
  readonly collections: ReadonlyMap<string, Collection>;
  readonly imageLabels: readonly JsonRecord[];
  readonly imageIds: ReadonlySet<string>;
}

function indexOf(records: RecordList, most: number): Index {
  const collections = new Map<string, Collection>();
  const labels = new Map<string, JsonRecord & { readonly count: number }>();
  const imageIds = new Set<string>();
  let indexed = 0;
  for (const record of recordsIn(records)) {
    const { collection, images } = record.searched;
    if (collection) {
      const objects = (collections.get(collection.id)?.objects ?? 0) + 1;
      collections.set(collection.id, { ...collection, description: '', objects });
    }
    for (const { imageLabelId, imageLabel, status } of distinctLabels(record.searched)) {
      const count = (labels.get(String(imageLabelId))?.count ?? 0) + 1;
      labels.set(String(imageLabelId), { imageLabelId, imageLabel, status, count });
    }
    for (const { imageId } of images) imageIds.add(String(imageId));
    if (++indexed === most) break;
  }
  const imageLabels = [...labels.values()].sort((one, other) =>
    String(one.imageLabel) < String(other.imageLabel) ? -1 : 1,
  );
  return { collections, imageLabels, imageIds };
}
