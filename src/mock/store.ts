/** What the museum holds: the built-in set, records from files, or any number of generated ones. */
import { type Kind, RECORD_KINDS, type RecordKind } from '../service/kinds.js';
import { readDataFiles } from './data/files.js';
import { type MadeComment, type MadeHighlight, makeMuseum } from './data/museum.js';
import { GeneratedShelf } from './data/scale.js';
import {
  ConcatenatedShelves,
  entriesOf,
  ListShelf,
  labelsOf,
  type Shelf,
  TextEntry,
  type Wire,
} from './data/shelf.js';

/** What the museum holds: the built-in set, unless one of these says otherwise. */
export interface StoreOptions {
  /** Files of records: one JSON record a line, or a list answer; `.gz` too. Nothing beside these records is served. */
  readonly data?: readonly string[] | undefined;
  /** That many objects, generated page by page; no persons and no venues. */
  readonly records?: number | undefined;
}

export interface Store {
  readonly shelves: Readonly<Record<Kind, Shelf>>;
  readonly collections: readonly Collection[];
  readonly highlights: readonly MadeHighlight[];
  readonly comments: readonly MadeComment[];
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
    return () => hold((kind) => new ListShelf(read.filter((entry) => entry.kind === kind)), {}, false);
  }
  if (records !== undefined) {
    return (origin) =>
      hold(
        (kind) => (kind === 'objects' ? new GeneratedShelf(records, origin) : new ListShelf([])),
        {},
        true,
      );
  }
  return builtIn;
}

function builtIn(origin: string): Store {
  const { records, highlights, ...rest } = makeMuseum();
  const absolute = (text: string) => text.replaceAll('"url":"/', `"url":"${origin}/`);
  const entries = records.map(({ kind, id, text }) => new TextEntry(kind, id, () => absolute(text())));
  return hold(
    (kind) => new ListShelf(entries.filter((entry) => entry.kind === kind)),
    { ...rest, highlights: JSON.parse(absolute(JSON.stringify(highlights))) as MadeHighlight[] },
    true,
  );
}

type BesideRecords = Partial<Omit<ReturnType<typeof makeMuseum>, 'records'>>;

function hold(shelfOf: (kind: RecordKind) => Shelf, beside: BesideRecords, pictures: boolean): Store {
  const single = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, shelfOf(kind)])) as Record<
    RecordKind,
    Shelf
  >;
  const shelves = { ...single, records: new ConcatenatedShelves(RECORD_KINDS.map((kind) => single[kind])) };
  let counted: Counted | undefined;
  const count = () => {
    counted ??= countOver(shelves.records, pictures);
    return counted;
  };
  return {
    shelves,
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

function countOver(shelf: Shelf, withPictures: boolean): Counted {
  const collections = new Map<string, Collection>();
  const labels = new Map<string, Wire & { readonly count: number }>();
  const pictures = new Set<string>();
  let looked = 0;
  for (const entry of entriesOf(shelf)) {
    const { collection, images } = entry.facts;
    if (collection) {
      const objects = (collections.get(collection.id)?.objects ?? 0) + 1;
      collections.set(collection.id, { ...collection, description: '', objects });
    }
    for (const { imageLabelId, imageLabel, status } of labelsOf(entry)) {
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
