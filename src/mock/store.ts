/** What the museum holds: the built-in set, records from files, or any number of generated ones. */
import { type Kind, RECORD_KINDS, type RecordKind } from '../service/kinds.js';
import { builtInData, type Comment, type Highlight } from './data/built-in.js';
import { readDataFiles } from './data/data-files.js';
import { GeneratedRecordList } from './data/generated.js';
import {
  ArrayRecordList,
  ConcatenatedRecordList,
  distinctLabels,
  type RecordList,
  recordsIn,
  TextRecord,
  type Wire,
} from './data/record-list.js';

/** What the museum holds: the built-in set, unless one of these says otherwise. */
export interface StoreOptions {
  /** Files of records: one JSON record a line, or a list answer; `.gz` too. Nothing beside these records is served. */
  readonly data?: readonly string[] | undefined;
  /** That many objects, generated page by page; no persons and no venues. */
  readonly records?: number | undefined;
}

export interface Store {
  readonly records: Readonly<Record<Kind, RecordList>>;
  readonly collections: readonly Collection[];
  readonly highlights: readonly Highlight[];
  readonly comments: readonly Comment[];
  /** Every label of an image, with the number of records that carry it. */
  readonly imageLabels: readonly Wire[];
  /** The ids of the images whose pictures the museum draws itself. */
  readonly pictures: ReadonlySet<string>;
}

interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly objects: number;
}

/** Of a generated museum, the records that are looked at for what a whole run over them would tell. */
const SAMPLE = 10_000;

/**
 * Takes what the options say into the museum. Gives a function, since the built-in records hold the address they are
 * served at, which is known only when the museum listens. Throws a UsageError that names file and line of a bad record.
 */
export async function loadStore({ data, records }: StoreOptions): Promise<(origin: string) => Store> {
  if (data && data.length > 0) {
    const read = await readDataFiles(data);
    return () => hold((kind) => new ArrayRecordList(read.filter((entry) => entry.kind === kind)), {}, false);
  }
  if (records !== undefined) {
    return (origin) =>
      hold(
        (kind) => (kind === 'objects' ? new GeneratedRecordList(records, origin) : new ArrayRecordList([])),
        {},
        true,
      );
  }
  return builtIn;
}

function builtIn(origin: string): Store {
  const { records, highlights, ...rest } = builtInData();
  const absolute = (text: string) => text.replaceAll('"url":"/', `"url":"${origin}/`);
  const entries = records.map(({ kind, id, text }) => new TextRecord(kind, id, () => absolute(text())));
  return hold(
    (kind) => new ArrayRecordList(entries.filter((entry) => entry.kind === kind)),
    { ...rest, highlights: JSON.parse(absolute(JSON.stringify(highlights))) as Highlight[] },
    true,
  );
}

type BesideRecords = Partial<Omit<ReturnType<typeof builtInData>, 'records'>>;

function hold(shelfOf: (kind: RecordKind) => RecordList, beside: BesideRecords, pictures: boolean): Store {
  const single = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, shelfOf(kind)])) as Record<
    RecordKind,
    RecordList
  >;
  const shelves = {
    ...single,
    records: new ConcatenatedRecordList(RECORD_KINDS.map((kind) => single[kind])),
  };
  let counted: Counted | undefined;
  const count = () => {
    counted ??= countOver(shelves.records, pictures);
    return counted;
  };
  return {
    records: shelves,
    highlights: beside.highlights ?? [],
    comments: beside.comments ?? [],
    // Counted when first asked for: reading thousands of records would delay every start.
    get collections() {
      const { collections } = count();
      const known = (beside.collections ?? []).map((made) => ({
        ...made,
        objects: collections.get(made.id)?.objects ?? 0,
      }));
      return known.length > 0 ? known : [...collections.values()];
    },
    get imageLabels() {
      return count().imageLabels;
    },
    get pictures() {
      return count().pictures;
    },
  };
}

interface Counted {
  readonly collections: ReadonlyMap<string, Collection>;
  readonly imageLabels: readonly Wire[];
  readonly pictures: ReadonlySet<string>;
}

function countOver(shelf: RecordList, withPictures: boolean): Counted {
  const collections = new Map<string, Collection>();
  const labels = new Map<string, Wire & { readonly count: number }>();
  const pictures = new Set<string>();
  let looked = 0;
  for (const entry of recordsIn(shelf)) {
    const { collection, images } = entry.parsed;
    if (collection) {
      const objects = (collections.get(collection.id)?.objects ?? 0) + 1;
      collections.set(collection.id, { ...collection, description: '', objects });
    }
    for (const { imageLabelId, imageLabel, status } of distinctLabels(entry)) {
      const count = (labels.get(String(imageLabelId))?.count ?? 0) + 1;
      labels.set(String(imageLabelId), { imageLabelId, imageLabel, status, count });
    }
    if (withPictures) for (const { imageId } of images) pictures.add(String(imageId));
    if (++looked === SAMPLE) break;
  }
  const imageLabels = [...labels.values()].sort((one, other) =>
    String(one.imageLabel) < String(other.imageLabel) ? -1 : 1,
  );
  return { collections, imageLabels, pictures };
}
