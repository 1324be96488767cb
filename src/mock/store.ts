/** The records of the museum and what comes with them: the built-in data, records from files, or generated ones. */
import { recordsInFile } from '../local/files/data-files.js';
import { type FileRecord, TextRecord } from '../local/record.js';
import { arrayRecordList } from '../local/record-list.js';
import { createStore, type Highlight, type RecordStore } from '../local/store.js';
import { parseJsonLossless } from '../service/parse-json.js';
import { builtInData } from './data/built-in.js';
import { generatedRecordList } from './data/generated.js';

/** Without these options the museum has its built-in data. */
export interface StoreOptions {
  /** Files of records: one JSON record a line, an array, or list responses; gzipped too. Nothing beside these is served. */
  readonly data?: readonly string[] | undefined;
  /** The number of generated objects; there are no persons and no venues then. */
  readonly records?: number | undefined;
  /** Ends the reading of the files. */
  readonly signal?: AbortSignal | undefined;
}

export interface MuseumStore extends RecordStore {
  /** Whether the museum draws its pictures itself. */
  readonly hasPictures: boolean;
}

/** The most generated records that are read for collections, labels and pictures: all occur early. */
const MAX_INDEXED_RECORDS = 10_000;

/** The address of the museum is known when it listens. Throws a UsageError that names file and line of an invalid record. */
export async function loadStore({
  data,
  records,
  signal,
}: StoreOptions): Promise<(origin: string) => MuseumStore> {
  if (data && data.length > 0) {
    const all: FileRecord[] = [];
    for (const path of data) for await (const piece of recordsInFile(path, signal)) all.push(...piece);
    const store = createStore((kind) => arrayRecordList(all.filter((record) => record.kind === kind)));
    return () => ({ ...store, hasPictures: false });
  }
  if (records === undefined) return builtInStore;
  return (origin) => {
    const made = generatedRecordList(records, origin);
    const none = arrayRecordList([]);
    const store = createStore((kind) => (kind === 'objects' ? made : none), { sample: MAX_INDEXED_RECORDS });
    return { ...store, hasPictures: true };
  };
}

function builtInStore(origin: string): MuseumStore {
  const { records, highlights, ...rest } = builtInData();
  const absolute = (text: string) => text.replaceAll('"url":"/', `"url":"${origin}/`);
  const all = records.map(({ kind, id, text }) => new TextRecord(kind, id, () => absolute(text())));
  const store = createStore((kind) => arrayRecordList(all.filter((record) => record.kind === kind)), {
    ...rest,
    highlights: parseJsonLossless(absolute(JSON.stringify(highlights))) as Highlight[],
  });
  return { ...store, hasPictures: true };
}
