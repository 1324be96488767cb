/** Converts a record to named parts for comparison. Includes unknown keys, so that opac ignores only noise (noise.ts). */
import { asNumber, asText, isObject, type Json, type JsonObject } from '../service/json.js';
import { KIND_KEYS, KINDS } from '../service/kinds.js';
import { fieldColumnName } from '../service/records/columns.js';
import { findLargestDerivative, ID_KEYS, readRecord } from '../service/records/record.js';
import {
  type Noise,
  normalizeNumbers,
  normalizeToText,
  normalizeToTexts,
  stripVolatileUrlParts,
} from './noise.js';
import type { SnapshotRecord } from './snapshot-record.js';

export interface ComparableValue {
  readonly text: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Part {
  readonly values: readonly ComparableValue[];
  /** The key (in `items` or `lists`) of the item or list that contains the part; undefined for a part of the record itself. */
  readonly owner: string | undefined;
}

/** An image or a related record. */
export interface ComparableItem {
  /** The key in `lists` of the list that contains the item. */
  readonly group: string;
  readonly id: string;
  readonly label: string;
}

/** The size of a list of images, relationships or related records. The total may include items that are not in the list. */
export interface ItemList {
  readonly listed: number;
  readonly totalKey: string;
  readonly total: string;
}

export interface ComparableRecord {
  /** Keys: field names, and names such as `image.<id>.caption` and `relationship.maker@more`. */
  readonly parts: ReadonlyMap<string, Part>;
  /** Keys: `image.<id>` and `relationship.<relationshipId>.<id>`, in the order of the record. */
  readonly items: ReadonlyMap<string, ComparableItem>;
  /** Keys: `image`, `relationship` and `relationship.<relationshipId>`. */
  readonly lists: ReadonlyMap<string, ItemList>;
}

const SCORE_KEYS: readonly string[] = KINDS.map((kind) => KIND_KEYS[kind].scoreKey);
const FIELD_SETS = /^opac\w*FieldSets$/;
const FIELDS = /^opac\w*Fields$/;
const ATTRIBUTES = /^opac\w*FieldAttributes$/;
const NO_ATTRIBUTES: ComparableValue['attributes'] = new Map();
const COLLECTION: Readonly<Record<string, string>> = {
  opacCollectionId: 'collection',
  collectionName: 'collection.name',
};

export function toComparableRecord(
  { id, values, raw = {} }: SnapshotRecord,
  include: ReadonlySet<Noise>,
): ComparableRecord {
  const reader = new PartsReader(include);
  const { recordType: _, opacCollection, imagesCollection, relationshipsCollection, ...others } = raw;
  // If a record has no `recordType`, `values` returns the type of its kind.
  reader.put('recordType', values('recordType'));
  for (const [key, value] of Object.entries(others)) {
    if (FIELD_SETS.test(key)) reader.readSets(value);
    else if (SCORE_KEYS.includes(key)) reader.put('score', include.has('scores') ? value : undefined);
    else if (!(ID_KEYS.includes(key) && asText(value) === id))
      reader.put(key === 'slug' ? key : `record.${key}`, value);
  }
  if (!isObject(opacCollection)) reader.put('record.opacCollection', opacCollection);
  else
    for (const [key, value] of Object.entries(opacCollection))
      reader.put(COLLECTION[key] ?? `collection.${key}`, value);
  reader.readImages(imagesCollection, raw);
  reader.readRelationships(relationshipsCollection);
  return reader;
}

class PartsReader implements ComparableRecord {
  readonly parts = new Map<string, Part & { readonly values: ComparableValue[] }>();
  readonly items = new Map<string, ComparableItem>();
  readonly lists = new Map<string, ItemList>();
  readonly #include: ReadonlySet<Noise>;

  constructor(include: ReadonlySet<Noise>) {
    this.#include = include;
  }

  put(name: string, value: Json | undefined, owner?: string): void {
    const values = normalizeToTexts(value).map((text) => ({ text, attributes: NO_ATTRIBUTES }));
    this.#add(name, values, owner);
  }

  #add(name: string, values: readonly ComparableValue[], owner?: string): void {
    if (!values.some(({ text, attributes }) => text !== '' || attributes.size > 0)) return;
    const part = this.parts.get(name) ?? { values: [], owner };
    for (const each of values) part.values.push(each);
    this.parts.set(name, part);
  }

  #putKeys(owner: string, separator: string, members: JsonObject): void {
    for (const [key, member] of Object.entries(members))
      this.put(`${owner}${separator}${key}`, member, owner);
  }

  #putAttributes(owner: string, list: Json | undefined): void {
    const makeUnique = createNameAllocator();
    for (const attribute of toList(list))
      readAttribute(attribute, makeUnique, (name, value) => this.put(`${owner}@${name}`, value, owner));
  }

  readSets(sets: Json | undefined): void {
    const makeUnique = createNameAllocator();
    for (const set of toList(sets)) {
      const { identifier, ...members } = toObject(set);
      const name = fieldColumnName(asText(identifier) || '?');
      const own = makeUnique(name);
      for (const [key, member] of Object.entries(members))
        if (FIELDS.test(key)) this.#add(name, toList(member).map(readValue));
        else this.put(`${own}.${key}`, member);
    }
  }

  readImages(collection: Json | undefined, raw: JsonObject): void {
    if (collection === undefined) return;
    const { images, totalImages, ...members } = toObject(collection);
    const all = toList(images);
    this.#putList('image', all, ['totalImages', totalImages], members);
    const read = readRecord(raw).images;
    const makeUnique = createNameAllocator();
    for (const [n, image] of all.entries()) {
      const { imageId, imageAttributes, imageDerivatives, imageLabels, cssColors, rawColors, ...others } =
        toObject(image);
      const url = (read[n] && findLargestDerivative(read[n])?.url) ?? '';
      const id = makeUnique(asText(imageId) || stripVolatileUrlParts(url));
      const name = `image.${id}`;
      this.items.set(name, { group: 'image', id, label: url || asText(others.caption) || id });
      this.#putAttributes(name, imageAttributes);
      const uniqueSize = createNameAllocator();
      for (const derivative of toList(imageDerivatives)) {
        const { identifier, ...facts } = toObject(derivative);
        const own = uniqueSize(asText(identifier));
        for (const [key, fact] of Object.entries(facts))
          this.put(`${name}.${own}.${key}`, normalizeNumbers(fact), name);
      }
      const labels = toList(imageLabels);
      this.put(`${name}.labels`, this.#include.has('scores') ? labels : labels.map(removeScores), name);
      for (const [key, colors] of Object.entries({ cssColors, rawColors }))
        this.put(`${name}.${key}`, toList(colors).map(normalizeNumbers), name);
      this.#putKeys(name, '.', others);
    }
  }

  readRelationships(collection: Json | undefined): void {
    if (collection === undefined) return;
    const { relationships, totalRelationships, ...members } = toObject(collection);
    const all = toList(relationships);
    this.#putList('relationship', all, ['totalRelationships', totalRelationships], members);
    const makeUnique = createNameAllocator();
    for (const relationship of all) {
      const { relationshipId, relatedRecords, totalRelatedRecords, ...others } = toObject(relationship);
      const group = makeUnique(`relationship.${asText(relationshipId)}`);
      const related = toList(relatedRecords);
      this.#putList(group, related, ['totalRelatedRecords', totalRelatedRecords], others);
      const uniqueRecord = createNameAllocator();
      for (const each of related) {
        const { relatedRecordId, relatedRecordAttributes, ...facts } = toObject(each);
        const title = asText(facts.title);
        const id = uniqueRecord(asText(relatedRecordId) || title);
        const name = `${group}.${id}`;
        this.items.set(name, { group, id, label: title || id });
        this.#putAttributes(name, relatedRecordAttributes);
        this.#putKeys(name, '.', facts);
      }
    }
  }

  #putList(
    name: string,
    { length: listed }: readonly Json[],
    [totalKey, total]: readonly [string, Json | undefined],
    members: JsonObject,
  ): void {
    this.#putKeys(name, '@', members);
    this.lists.set(name, { listed, totalKey, total: normalizeToText(total) });
  }
}

function readValue(entry: Json): ComparableValue {
  const { value, ...members } = toObject(entry);
  const attributes = new Map<string, string>();
  const makeUnique = createNameAllocator();
  const put = (name: string, member: Json | undefined) => {
    const text = normalizeToText(member);
    if (text !== '') attributes.set(name, text);
  };
  for (const [key, member] of Object.entries(members))
    if (ATTRIBUTES.test(key))
      for (const attribute of toList(member)) readAttribute(attribute, makeUnique, put);
    else put(makeUnique(key), member);
  return { text: normalizeToText(value), attributes };
}

function readAttribute(
  attribute: Json,
  makeUnique: (name: string) => string,
  put: (name: string, value: Json | undefined) => void,
): void {
  const { key, identifier = key, value, values = value, ...members } = toObject(attribute);
  const name = makeUnique(asText(identifier));
  put(name, values);
  // An attribute may have both `identifier` and `key`, or both `values` and `value`. Then opac compares both.
  if (identifier !== key) put(`${name}.key`, key);
  if (values !== value) put(`${name}.value`, value);
  for (const [each, member] of Object.entries(members)) put(`${name}.${each}`, member);
}

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value as Json];
}

function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : { value };
}

/** Returns a function that makes names unique: the second `unit` becomes `unit~2`. */
function createNameAllocator(): (name: string) => string {
  const known = new Set<string>();
  const numbers = new Map<string, number>();
  return (name) => {
    let own = name;
    let n = numbers.get(name) ?? 2;
    for (; known.has(own); n++) own = `${name}~${n}`;
    numbers.set(name, n);
    known.add(own);
    return own;
  };
}

/** Removes the score and the count of an image label, which change without an edit. */
function removeScores(label: Json): Json {
  if (!isObject(label)) return label;
  const { score: _score, count: _count, ...rest } = label;
  return rest;
}

/** Returns the number of items that only the total includes; 0 without a total, NaN if the total is not a number. */
export function countUnlisted({ total, listed }: ItemList): number {
  return total === '' ? 0 : (asNumber(total) ?? Number.NaN) - listed;
}
