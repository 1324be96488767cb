/** Records as the museum keeps them: their JSON text, and what search needs to know of them, parsed when first needed. */
import { asList, asObject, isObject } from '../../service/json.js';
import { KIND_WORDS, type RecordKind } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import type { Attribute, Field } from './record-json.js';

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** Served as it is, so that nothing a file has is lost. */
  readonly text: string;
  readonly bytes: Buffer;
  readonly parsed: WholeRecord;
  /** The same as far as searches, facets and sorting look at it. */
  readonly searched: ParsedRecord;
}

/** What a search wants of the values of a field, or of any field. */
export interface TextMatch {
  readonly field: string | undefined;
  /** What a value that matches has in it when both are lower case and without accents. */
  readonly plain: string;
  readonly isMatch: (value: string) => boolean;
}

/** The fields of a record with their values, by their identifiers. */
export interface Fields {
  get(identifier: string): readonly Field[] | undefined;
  hasMatch(match: TextMatch): boolean;
}

export class FieldMap extends Map<string, readonly Field[]> implements Fields {
  hasMatch({ field, isMatch }: TextMatch): boolean {
    const matches = ({ value }: Field) => isMatch(value);
    if (field !== undefined) return this.get(field)?.some(matches) ?? false;
    for (const fields of this.values()) if (fields.some(matches)) return true;
    return false;
  }
}

export interface ParsedRecord {
  readonly fields: Fields;
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  readonly images: readonly JsonRecord[];
  readonly relationships: readonly JsonRecord[];
}

export interface WholeRecord extends ParsedRecord {
  readonly fields: FieldMap;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface Selection {
  readonly count: number;
  at(index: number): StoredRecord;
}

export interface RecordList extends Selection {
  byId(id: string): StoredRecord | undefined;
  readonly identifiers: readonly string[];
}

export function* recordsIn(selection: Selection): Generator<StoredRecord> {
  const { count } = selection;
  for (let index = 0; index < count; index++) yield selection.at(index);
}

export class TextRecord implements StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  #text: string | (() => string);
  #parsed: WholeRecord | undefined;

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

  get parsed(): WholeRecord {
    this.#parsed ??= parseRecord(this.kind, parseJson(this.text) as JsonRecord);
    return this.#parsed;
  }

  get searched(): ParsedRecord {
    return this.parsed;
  }
}

export class ArrayRecordList implements RecordList {
  readonly #records: readonly StoredRecord[];
  readonly #byId: ReadonlyMap<string, StoredRecord>;
  #identifiers: readonly string[] | undefined;

  constructor(records: readonly StoredRecord[]) {
    this.#records = records;
    // Of two records with one id the first is found.
    this.#byId = new Map(records.toReversed().map((record) => [record.id, record]));
  }

  get count(): number {
    return this.#records.length;
  }
  at(index: number): StoredRecord {
    return this.#records[index] as StoredRecord;
  }
  byId(id: string): StoredRecord | undefined {
    return this.#byId.get(id);
  }
  get identifiers(): readonly string[] {
    this.#identifiers ??= [...new Set(this.#records.flatMap(({ parsed }) => [...parsed.fields.keys()]))];
    return this.#identifiers;
  }
}

/** Several lists one after the other, as `/opacrecords` shows them. */
export class ConcatenatedRecordList implements RecordList {
  readonly #lists: readonly RecordList[];

  constructor(lists: readonly RecordList[]) {
    this.#lists = lists;
  }

  get count(): number {
    return this.#lists.reduce((sum, list) => sum + list.count, 0);
  }
  at(index: number): StoredRecord {
    let rest = index;
    for (const list of this.#lists) {
      if (rest < list.count) return list.at(rest);
      rest -= list.count;
    }
    throw new RangeError(`no record at ${index}`);
  }
  byId(id: string): StoredRecord | undefined {
    for (const list of this.#lists) {
      const record = list.byId(id);
      if (record) return record;
    }
    return undefined;
  }
  get identifiers(): readonly string[] {
    return [...new Set(this.#lists.flatMap((list) => list.identifiers))];
  }
}

/** What search needs of a record in the service's shape; anything of another shape is left out. */
export function parseRecord(kind: RecordKind, record: JsonRecord): WholeRecord {
  const { fieldSetsKey, fieldsKey, fieldAttributesKey } = KIND_WORDS[kind];
  const fields = new FieldMap();
  for (const set of objects(record[fieldSetsKey])) {
    if (typeof set.identifier !== 'string') continue;
    const read = objects(set[fieldsKey]).map((field): Field => {
      const attributes = objects(field[fieldAttributesKey]) as unknown as readonly Attribute[];
      return { value: String(field.value ?? ''), ...(attributes.length > 0 && { attributes }) };
    });
    fields.set(set.identifier, [...(fields.get(set.identifier) ?? []), ...read]);
  }
  const { opacCollectionId: collectionId, collectionName } = asObject(record.opacCollection);
  return {
    fields,
    collection:
      collectionId === undefined
        ? undefined
        : { id: String(collectionId), name: String(collectionName ?? '') },
    images: objects(asObject(record.imagesCollection).images),
    relationships: objects(asObject(record.relationshipsCollection).relationships),
  };
}

export function objects(value: unknown): readonly JsonRecord[] {
  return asList(value).filter(isObject);
}

export function fieldValues({ searched }: StoredRecord, identifier: string): string[] {
  return (searched.fields.get(identifier) ?? []).map(({ value }) => value).filter((value) => value !== '');
}

export function colorNames({ searched }: StoredRecord): string[] {
  const colors = searched.images.flatMap(({ cssColors }) => objects(cssColors));
  return [...new Set(colors.map(({ colorName }) => String(colorName)))];
}

export function distinctLabels({ images }: ParsedRecord): JsonRecord[] {
  const labels = images.flatMap(({ imageLabels }) => objects(imageLabels));
  const byId = new Map(labels.toReversed().map((label) => [String(label.imageLabelId), label]));
  return [...byId.values()].reverse();
}
