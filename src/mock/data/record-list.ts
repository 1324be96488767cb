/** Records as the museum keeps them: their JSON text, and what search needs to know of them, read when it is asked for. */
import { KIND_WORDS, type RecordKind } from '../../service/kinds.js';
import type { Attribute, Field } from './record-json.js';

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** The whole record. Served as it is, so that nothing a file held is lost. */
  readonly text: string;
  /** The same in UTF-8. */
  readonly bytes: Buffer;
  readonly parsed: ParsedRecord;
}

export interface ParsedRecord {
  /** Values by field identifier, in the order of the record. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  readonly images: readonly Wire[];
  readonly relationships: readonly Wire[];
}

export type Wire = Readonly<Record<string, unknown>>;

/** Records of a kind in their order. */
export interface RecordList {
  readonly count: number;
  at(position: number): StoredRecord;
  byId(id: string): StoredRecord | undefined;
  /** The identifiers of all fields, in order of first appearance. */
  readonly identifiers: readonly string[];
}

/** A record kept as text, or as what makes the text when it is first asked for. */
export class TextRecord implements StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  #text: string | (() => string);
  #facts: ParsedRecord | undefined;

  constructor(kind: RecordKind, id: string, text: string | (() => string)) {
    this.kind = kind;
    this.id = id;
    this.#text = text;
  }

  get text(): string {
    if (typeof this.#text === 'function') this.#text = this.#text();
    return this.#text;
  }

  get bytes(): Buffer {
    return Buffer.from(this.text);
  }

  get parsed(): ParsedRecord {
    this.#facts ??= parseRecord(this.kind, JSON.parse(this.text) as Wire);
    return this.#facts;
  }
}

export class ArrayRecordList implements RecordList {
  readonly #entries: readonly StoredRecord[];
  readonly #byId: ReadonlyMap<string, StoredRecord>;
  #identifiers: readonly string[] | undefined;

  constructor(entries: readonly StoredRecord[]) {
    this.#entries = entries;
    // Of two records with one id the first is the one that is found.
    this.#byId = new Map(entries.toReversed().map((entry) => [entry.id, entry]));
  }

  get count(): number {
    return this.#entries.length;
  }
  at(position: number): StoredRecord {
    return this.#entries[position] as StoredRecord;
  }
  byId(id: string): StoredRecord | undefined {
    return this.#byId.get(id);
  }
  get identifiers(): readonly string[] {
    this.#identifiers ??= [
      ...new Set(this.#entries.flatMap(({ parsed: facts }) => [...facts.fields.keys()])),
    ];
    return this.#identifiers;
  }
}

/** Several shelves one after the other, as `/opacrecords` shows them. */
export class ConcatenatedRecordList implements RecordList {
  readonly #shelves: readonly RecordList[];

  constructor(shelves: readonly RecordList[]) {
    this.#shelves = shelves;
  }

  get count(): number {
    return this.#shelves.reduce((sum, shelf) => sum + shelf.count, 0);
  }
  at(position: number): StoredRecord {
    let left = position;
    for (const shelf of this.#shelves) {
      if (left < shelf.count) return shelf.at(left);
      left -= shelf.count;
    }
    throw new RangeError(`no record at ${position}`);
  }
  byId(id: string): StoredRecord | undefined {
    for (const shelf of this.#shelves) {
      const entry = shelf.byId(id);
      if (entry) return entry;
    }
    return undefined;
  }
  get identifiers(): readonly string[] {
    return [...new Set(this.#shelves.flatMap((shelf) => shelf.identifiers))];
  }
}

/** All entries of a shelf, in order. */
export function* recordsIn(shelf: RecordList): Generator<StoredRecord> {
  for (let position = 0; position < shelf.count; position++) yield shelf.at(position);
}

/** What search needs of a record in the service's shape; whatever has another shape is left out. */
export function parseRecord(kind: RecordKind, record: Wire): ParsedRecord {
  const words = KIND_WORDS[kind];
  const fields = new Map<string, readonly Field[]>();
  for (const set of objects(record[words.fieldSetsKey])) {
    if (typeof set.identifier !== 'string') continue;
    const read = objects(set[words.fieldsKey]).map((field): Field => {
      const attributes = objects(field[words.fieldAttributesKey]) as unknown as readonly Attribute[];
      return { value: String(field.value ?? ''), ...(attributes.length > 0 && { attributes }) };
    });
    fields.set(set.identifier, [...(fields.get(set.identifier) ?? []), ...read]);
  }
  const collection = object(record.opacCollection);
  const collectionId = collection?.opacCollectionId;
  return {
    fields,
    collection:
      collectionId === undefined
        ? undefined
        : { id: String(collectionId), name: String(collection?.collectionName ?? '') },
    images: objects(object(record.imagesCollection)?.images),
    relationships: objects(object(record.relationshipsCollection)?.relationships),
  };
}

/** The value as a JSON object, or undefined. */
export function object(value: unknown): Wire | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined;
}

/** The JSON objects of a list; an empty list for what is not a list. */
export function objects(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.filter((member) => object(member) !== undefined) : [];
}

/** Values of a field that are values: empty strings are no value. */
export function fieldValues({ parsed: facts }: StoredRecord, identifier: string): string[] {
  return (facts.fields.get(identifier) ?? []).map(({ value }) => value).filter((value) => value !== '');
}

/** The names of the CSS colours on its images. */
export function colorNames({ parsed: facts }: StoredRecord): string[] {
  return [
    ...new Set(
      facts.images.flatMap(({ cssColors }) => objects(cssColors).map(({ colorName }) => String(colorName))),
    ),
  ];
}

/** The labels of its images, each once. */
export function distinctLabels({ parsed: facts }: StoredRecord): Wire[] {
  const labels = facts.images.flatMap(({ imageLabels }) => objects(imageLabels));
  return [
    ...new Map(labels.toReversed().map((label) => [String(label.imageLabelId), label])).values(),
  ].reverse();
}
