/** Records for searches. A record parses its JSON only when a search needs the content. */
import { getOrAddList } from '../service/get-or-add-list.js';
import { asList, asObject, isObject } from '../service/json.js';
import { KIND_KEYS, type RecordKind } from '../service/kinds.js';
import { parseJsonLossless } from '../service/parse-json.js';

export interface Attribute {
  readonly key: string;
  readonly value: string;
}

export interface Field {
  readonly value: string;
  readonly attributes?: readonly Attribute[];
}

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** The original JSON, for responses that contain the complete record. */
  readonly bytes: Buffer;
  readonly parsed: ParsedRecord;
  /** Returns false only if no value contains `text`. Ignores case. `text`: lower-case ASCII without quotes or backslashes. */
  mayContain?(text: string): boolean;
}

export interface ParsedRecord {
  readonly fields: ReadonlyMap<string, readonly Field[]>;
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  readonly images: readonly JsonRecord[];
  readonly relationships: readonly JsonRecord[];
}

export type JsonRecord = Readonly<Record<string, unknown>>;

abstract class LazyRecord implements StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  abstract readonly bytes: Buffer;
  #parsed: ParsedRecord | undefined;

  constructor(kind: RecordKind, id: string) {
    this.kind = kind;
    this.id = id;
  }

  get parsed(): ParsedRecord {
    this.#parsed ??= parseRecord(this.kind, parseJsonLossless(this.bytes) as JsonRecord);
    return this.#parsed;
  }
}

export class TextRecord extends LazyRecord {
  readonly #text: () => string;

  constructor(kind: RecordKind, id: string, text: () => string) {
    super(kind, id);
    this.#text = text;
  }

  get bytes(): Buffer {
    return Buffer.from(this.#text());
  }
}

/** Matches bytes that may hide ASCII: JSON escapes, and U+212A and U+0130, whose lower case contains ASCII letters. */
const HIDDEN_ASCII = /\\[u/]|\u00e2\u0084\u00aa|[\u00c4\u00e4]\u00b0/;

export class FileRecord extends LazyRecord {
  readonly bytes: Buffer;
  readonly path: string;
  /** `"objects.ndjson", line 7` */
  readonly place: string;

  constructor({ kind, id, bytes, path, place }: Omit<FileRecord, 'parsed' | 'mayContain' | 'copy'>) {
    super(kind, id);
    this.bytes = bytes;
    this.path = path;
    this.place = place;
  }

  mayContain(text: string): boolean {
    const raw = this.bytes.toString('latin1').toLowerCase();
    return raw.includes(text) || HIDDEN_ASCII.test(raw);
  }

  /** Copies the bytes too, because the original bytes keep a large piece of the file in memory. */
  copy(): FileRecord {
    return new FileRecord({ ...this, bytes: Buffer.from(this.bytes) });
  }
}

/** Ignores a value that should be a list but has another type. Converts the values of fields to text. */
export function parseRecord(kind: RecordKind, record: JsonRecord): ParsedRecord {
  const { fieldSetsKey, fieldsKey, fieldAttributesKey } = KIND_KEYS[kind];
  const fields = new Map<string, Field[]>();
  for (const set of readObjects(record[fieldSetsKey])) {
    if (typeof set.identifier !== 'string') continue;
    const values = getOrAddList(fields, set.identifier);
    for (const field of readObjects(set[fieldsKey])) {
      const attributes = readObjects(field[fieldAttributesKey]) as unknown as readonly Attribute[];
      values.push({ value: String(field.value ?? ''), ...(attributes.length > 0 && { attributes }) });
    }
  }
  const { opacCollectionId, collectionName } = asObject(record.opacCollection);
  const id = opacCollectionId ?? collectionName;
  return {
    fields,
    collection: id === undefined ? undefined : { id: String(id), name: String(collectionName ?? '') },
    images: readObjects(asObject(record.imagesCollection).images),
    relationships: readObjects(asObject(record.relationshipsCollection).relationships),
  };
}

export function readObjects(value: unknown): readonly JsonRecord[] {
  return asList(value).filter(isObject);
}

export function fieldValues({ parsed }: StoredRecord, identifier: string): string[] {
  return (parsed.fields.get(identifier) ?? []).map(({ value }) => value).filter((value) => value !== '');
}

export function colorNames({ parsed }: StoredRecord): string[] {
  const colors = parsed.images.flatMap(({ cssColors }) => readObjects(cssColors));
  return [...new Set(colors.map(({ colorName }) => String(colorName)))];
}

export function distinctLabels({ images }: ParsedRecord): JsonRecord[] {
  const labels = images.flatMap(({ imageLabels }) => readObjects(imageLabels));
  const byId = new Map(labels.toReversed().map((label) => [String(label.imageLabelId), label]));
  return [...byId.values()].reverse();
}
