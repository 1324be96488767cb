/** Loads the data of the museum: built-in data, records from files, or generated records. */
import { recordsInFile } from '../local/files/data-files.js';
import { type FileRecord, TextRecord } from '../local/record.js';
import { arrayRecordList } from '../local/record-list.js';
import { createStore, type Highlight, type RecordStore } from '../local/store.js';
import { parseJsonLossless } from '../service/parse-json.js';
import { builtInData } from './data/built-in.js';
import { generatedRecordList } from './data/generated.js';

/** Without `data` and `records`, the museum has the built-in data. */
export interface StoreOptions {
  /** Files with one JSON record per line, a JSON array, or list responses. They may be compressed (.gz, .zst). */
  readonly data?: readonly string[] | undefined;
  /** Number of objects to generate. The museum then has only objects. If `data` has files, `records` has no effect. */
  readonly records?: number | undefined;
  /** If the signal is aborted, the museum stops reading the files. */
  readonly signal?: AbortSignal | undefined;
}

export interface MuseumStore extends RecordStore {
  /** Whether the museum draws the images of its records. It does not draw those of records from files. */
  readonly hasPictures: boolean;
}

/**
 * Maximum number of generated records in the index. The collections and image ids of later records are the same as those in the
 * index. Only the `totalObjects` of a collection is then too low.
 */
const MAX_INDEXED_RECORDS = 10_000;

/**
 * Returns a function that creates the store. `origin`: the start of the image URLs. Throws a UsageError for an unreadable or
 * invalid file. If the signal is aborted, throws its reason.
 */
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
    const empty = arrayRecordList([]);
    const store = createStore((kind) => (kind === 'objects' ? made : empty), { sample: MAX_INDEXED_RECORDS });
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
