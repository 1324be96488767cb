/** The normal form of a record. Deployments use different keys and types for the same value (FIELD-NOTES.md "Answers"). */
import { getOrAddList } from '../get-or-add-list.js';
import { asList, asNumber, asObject, asText, isObject, type Json, type JsonObject } from '../json.js';
import { KIND_KEYS, type Kind, kindOfRecordType, RECORD_KINDS, type RecordKind } from '../kinds.js';

/** A record, in the same form for all kinds and deployments. */
export interface CollectionRecord {
  readonly id: string;
  /** The type that the service states, such as `object`, or else the type of the kind; `''` if opac knows neither. */
  readonly recordType: string;
  readonly title: string;
  readonly slug: string;
  readonly score: number | undefined;
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  /** The values of each field, by identifier, in the order of the record; `[]` for a field without a value. */
  readonly fields: ReadonlyMap<string, readonly FieldValue[]>;
  readonly images: readonly Image[];
  readonly relationships: readonly Relationship[];
  readonly raw: JsonObject;
}

/** One value of a field, with its attributes. */
export interface FieldValue {
  readonly value: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** An image with its sizes, colours and labels. */
export interface Image {
  readonly id: string;
  readonly caption: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Not ordered by size. */
  readonly derivatives: readonly Derivative[];
  readonly cssColors: readonly Color[];
  readonly rawColors: readonly Color[];
  readonly labels: readonly ImageLabel[];
}

/** One size of an image; `width` and `height` are in pixels. */
export interface Derivative {
  /** NANO, TINY, SMALL, MEDIUM, LARGE, XLARGE, DISPLAY, THUMBNAIL. */
  readonly identifier: string;
  readonly url: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export interface Color {
  /** Six hexadecimal digits without `#`. */
  readonly hex: string;
  /** `light steel blue`; `''` for raw colours. */
  readonly name: string;
  readonly group: string;
  readonly rank: number | undefined;
  /** Share of the image in percent. */
  readonly presence: number | undefined;
}

export interface ImageLabel {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  readonly count: number | undefined;
  readonly score: number | undefined;
}

/** `total` also counts related records that `records` does not contain. */
export interface Relationship {
  readonly id: string;
  readonly recordType: string;
  readonly records: readonly RelatedRecord[];
  readonly total: number;
}

/** A record at the other end of a relationship. */
export interface RelatedRecord {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly attributes: readonly {
    readonly identifier: string;
    readonly label: string;
    readonly values: readonly string[];
  }[];
}

/** A map that JSON.stringify writes as an object. */
class NamedMap<V> extends Map<string, V> {
  toJSON(): Record<string, V> {
    return Object.fromEntries(this);
  }
}

const NO_VALUES: readonly FieldValue[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new NamedMap();

/** Reads the parsed JSON of a record. Never throws: missing values are empty. */
export function readRecord(payload: unknown, kind: Kind = 'records'): CollectionRecord {
  const raw = asObject(payload);
  const recordKind = readRecordKind(raw) ?? (kind === 'records' ? undefined : kind);
  const fields = readFields(raw);
  const slug = asText(raw.slug);
  const collection = asObject(raw.opacCollection);
  return {
    id: readRecordId(raw),
    recordType: asText(raw.recordType) || (recordKind ? KIND_KEYS[recordKind].recordType : ''),
    title: findTitle(fields) || asText(raw.title) || slug,
    slug,
    score: asNumber(raw[KIND_KEYS[recordKind ?? 'records'].scoreKey]),
    collection: isObject(raw.opacCollection)
      ? { id: asText(collection.opacCollectionId), name: asText(collection.collectionName) }
      : undefined,
    fields,
    images: asList(asObject(raw.imagesCollection).images).map(readImage),
    relationships: asList(asObject(raw.relationshipsCollection).relationships).map(readRelationship),
    raw,
  };
}

export const ID_KEYS: readonly string[] = [
  ...RECORD_KINDS.map((kind) => KIND_KEYS[kind].idKey),
  KIND_KEYS.records.idKey,
  'id',
];

/** Returns true if a record has only ids, types, scores and empty values, as in some lists (FIELD-NOTES.md "Requests", view). */
export function hasOnlyId(raw: JsonObject): boolean {
  const isEmpty = (value: Json | undefined) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const isNoField = (key: string) => key === 'recordType' || key.endsWith('Score') || ID_KEYS.includes(key);
  return Object.entries(raw).every(([key, value]) => isNoField(key) || isEmpty(value));
}

export function hasFieldValues({ fields }: CollectionRecord): boolean {
  return [...fields.values()].some((values) => values.length > 0);
}

/** Returns '' if none of the ID_KEYS contains a number or a text that is not empty. */
export function readRecordId(raw: JsonObject): string {
  for (const key of ID_KEYS) {
    const id = raw[key];
    if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return asText(id);
  }
  return '';
}

/** Reads the kind from `recordType` or, if this is not possible, from the key of the id. */
export function readRecordKind(raw: JsonObject): RecordKind | undefined {
  const stated = typeof raw.recordType === 'string' ? kindOfRecordType(raw.recordType) : undefined;
  return stated ?? RECORD_KINDS.find((kind) => Object.hasOwn(raw, KIND_KEYS[kind].idKey));
}

/** Returns `[]` if the record does not have the field. */
export function getFieldValues(record: CollectionRecord, identifier: string): readonly FieldValue[] {
  return record.fields.get(identifier) ?? NO_VALUES;
}

/** Returns the derivative with the most pixels; undefined if the image has no derivatives. */
export function findLargestDerivative({ derivatives }: Image): Derivative | undefined {
  const countPixels = ({ width = 0, height = 0 }: Derivative) => width * height;
  return derivatives.toSorted((one, other) => countPixels(other) - countPixels(one))[0];
}

function readFields(raw: JsonObject): Map<string, readonly FieldValue[]> {
  const fields = new NamedMap<FieldValue[]>();
  for (const entry of asList(readMatchingKey(raw, /^opac\w*FieldSets$/))) {
    const set = asObject(entry);
    const identifier = asText(set.identifier);
    if (identifier === '') continue;
    const values = asList(readMatchingKey(set, /^opac\w*Fields$/)).map(readValue);
    const all = getOrAddList(fields, identifier);
    // Keeps an empty value among other values, so that values at the same position in several fields still belong together.
    if (all.length > 0 || values.some(({ value }) => value !== '')) for (const each of values) all.push(each);
  }
  return fields;
}

function readValue(entry: Json): FieldValue {
  if (!isObject(entry)) return { value: asText(entry), attributes: NO_ATTRIBUTES };
  return {
    value: asText(entry.value),
    attributes: readAttributes(readMatchingKey(entry, /^opac\w*FieldAttributes$/)),
  };
}

function readAttributes(entries: unknown): ReadonlyMap<string, string> {
  const list = asList(entries);
  if (list.length === 0) return NO_ATTRIBUTES;
  return new NamedMap(list.map(asObject).map(({ key, value }) => [asText(key), asText(value)]));
}

/** Returns the value of the first matching key. Keys contain the name of the kind: `opacObjectFields`. */
export function readMatchingKey(object: JsonObject, pattern: RegExp): unknown {
  for (const key of Object.keys(object)) if (pattern.test(key)) return object[key];
  return undefined;
}

/** Identifiers of fields that contain the title of the record, as observed in deployments; the likeliest first. */
export const TITLE_FIELDS: readonly string[] = [
  'title',
  'name',
  'display_name',
  'name_first_last',
  'object_name',
];

function findTitle(fields: ReadonlyMap<string, readonly FieldValue[]>): string {
  for (const values of fields.values()) {
    for (const { attributes } of values) {
      const title = attributes.get('title');
      if (title) return title;
    }
  }
  for (const identifier of TITLE_FIELDS) {
    const title = fields.get(identifier)?.find(({ value }) => value !== '')?.value;
    if (title) return title;
  }
  return '';
}

function readImage(entry: Json): Image {
  const image = asObject(entry);
  return {
    id: asText(image.imageId),
    caption: asText(image.caption),
    attributes: readAttributes(image.imageAttributes),
    derivatives: asList(image.imageDerivatives)
      .map(asObject)
      .map(({ identifier, url, width, height }) => ({
        identifier: asText(identifier),
        url: asText(url),
        width: asNumber(width),
        height: asNumber(height),
      })),
    cssColors: asList(image.cssColors).map(readColor),
    rawColors: asList(image.rawColors).map(readColor),
    labels: asList(image.imageLabels).map(readImageLabel),
  };
}

export function readColor(entry: unknown): Color {
  const color = asObject(entry);
  return {
    hex: asText(color.hex).replace(/^#/, '').toLowerCase(),
    name: asText(color.formattedColorName) || asText(color.colorName),
    group: asText(color.colorGroup),
    rank: asNumber(color.rank),
    presence: asNumber(color.presence),
  };
}

export function readImageLabel(entry: unknown): ImageLabel {
  const label = asObject(entry);
  return {
    id: asText(label.imageLabelId),
    label: asText(label.imageLabel),
    status: asText(label.status),
    count: asNumber(label.count),
    score: asNumber(label.score),
  };
}

export function readRelationship(entry: unknown): Relationship {
  const relationship = asObject(entry);
  const records = asList(relationship.relatedRecords).map(asObject);
  return {
    id: asText(relationship.relationshipId),
    recordType: asText(relationship.relatedRecordType),
    records: records.map((related) => ({
      id: asText(related.relatedRecordId),
      title: asText(related.title),
      slug: asText(related.slug),
      attributes: asList(related.relatedRecordAttributes)
        .map(asObject)
        .map(({ identifier, label, values }) => ({
          identifier: asText(identifier),
          label: asText(label),
          values: Array.isArray(values) ? values.map(asText) : values === undefined ? [] : [asText(values)],
        })),
    })),
    total: asNumber(relationship.totalRelatedRecords) ?? records.length,
  };
}
