/**
 * A record as named parts that can be compared. Complete by construction: each function takes the members it knows out of an
 * object and passes on the rest, which is compared as it is under its own key. noise.ts says what is left out.
 */
import { asNumber, asText, isObject, type Json, type JsonObject } from '../service/json.js';
import { KIND_WORDS, KINDS } from '../service/kinds.js';
import { fieldColumnName } from '../service/records/columns.js';
import { ID_KEYS, largestDerivative, readRecord } from '../service/records/record.js';
import { itemsOf, ListParts, membersOf, readAttribute, uniqueNames } from './list-parts.js';
import { lastingUrl, measured, type Noise, spelt, texts } from './noise.js';
import type { SnapshotRecord } from './snapshot-record.js';

export interface Value {
  readonly text: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export type Lists = ReadonlyMap<string, readonly string[]>;

export interface Item {
  /** Among whose items its place counts: `image`, `relationship.<relationshipId>`. */
  readonly group: string;
  readonly id: string;
  /** The name that people know it by. */
  readonly label: string;
  readonly parts: Lists;
}

/** What lists items: what it says beside them, and the total, which may count items that are not listed. */
export interface Container {
  readonly listed: number;
  readonly totalKey: string;
  readonly total: string;
  readonly parts: Lists;
}

export interface Parts {
  readonly fields: ReadonlyMap<string, readonly Value[]>;
  /** By `image.<id>` and `relationship.<relationshipId>.<id>`, in their order. */
  readonly items: ReadonlyMap<string, Item>;
  /** By `image`, `relationship` and `relationship.<relationshipId>`. */
  readonly containers: ReadonlyMap<string, Container>;
}

const SCORE_KEYS: readonly string[] = KINDS.map((kind) => KIND_WORDS[kind].scoreKey);
const FIELD_SETS = /^opac\w*FieldSets$/;
const FIELDS = /^opac\w*Fields$/;
const ATTRIBUTES = /^opac\w*FieldAttributes$/;
const NO_ATTRIBUTES: Value['attributes'] = new Map();
const COLLECTION: Readonly<Record<string, string>> = {
  opacCollectionId: 'collection',
  collectionName: 'collection.name',
};

export function partsOf({ id, values, raw = {} }: SnapshotRecord, include: ReadonlySet<Noise>): Parts {
  const reader = new PartsReader(include);
  const { recordType: _, opacCollection, imagesCollection, relationshipsCollection, ...others } = raw;
  // Records of one kind may not state it.
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

class PartsReader implements Parts {
  readonly fields = new Map<string, readonly Value[]>();
  readonly items = new Map<string, Item>();
  readonly containers = new Map<string, Container>();
  readonly #include: ReadonlySet<Noise>;

  constructor(include: ReadonlySet<Noise>) {
    this.#include = include;
  }

  put(name: string, value: Json | undefined): void {
    const values = texts(value).map((text) => ({ text, attributes: NO_ATTRIBUTES }));
    this.#add(name, values);
  }

  #add(name: string, values: readonly Value[]): void {
    if (values.some(({ text, attributes }) => text !== '' || attributes.size > 0))
      this.fields.set(name, [...(this.fields.get(name) ?? []), ...values]);
  }

  readSets(sets: Json | undefined): void {
    const unique = uniqueNames();
    for (const set of itemsOf(sets)) {
      const { identifier, ...members } = membersOf(set);
      const name = fieldColumnName(asText(identifier) || '?');
      const own = unique(name);
      for (const [key, member] of Object.entries(members))
        if (FIELDS.test(key)) this.#add(name, itemsOf(member).map(readValue));
        else this.put(`${own}.${key}`, member);
    }
  }

  readImages(collection: Json | undefined, raw: JsonObject): void {
    if (collection === undefined) return;
    const { images, totalImages, ...members } = membersOf(collection);
    const all = itemsOf(images);
    this.#contain('image', all, ['totalImages', totalImages], members);
    const read = readRecord(raw).images;
    const unique = uniqueNames();
    for (const [n, image] of all.entries()) {
      const { imageId, imageAttributes, imageDerivatives, imageLabels, cssColors, rawColors, ...others } =
        membersOf(image);
      const parts = new ListParts();
      parts.attributes(imageAttributes);
      parts.derivatives(imageDerivatives);
      const labels = itemsOf(imageLabels);
      parts.put('.labels', this.#include.has('scores') ? labels : labels.map(withoutScores));
      for (const [key, colors] of Object.entries({ cssColors, rawColors }))
        parts.put(`.${key}`, itemsOf(colors).map(measured));
      parts.members('.', others);
      const url = (read[n] && largestDerivative(read[n])?.url) ?? '';
      const id = unique(asText(imageId) || lastingUrl(url));
      const label = url || asText(others.caption) || id;
      this.items.set(`image.${id}`, { group: 'image', id, label, parts });
    }
  }

  readRelationships(collection: Json | undefined): void {
    if (collection === undefined) return;
    const { relationships, totalRelationships, ...members } = membersOf(collection);
    const all = itemsOf(relationships);
    this.#contain('relationship', all, ['totalRelationships', totalRelationships], members);
    const unique = uniqueNames();
    for (const relationship of all) {
      const { relationshipId, relatedRecords, totalRelatedRecords, ...others } = membersOf(relationship);
      const group = unique(`relationship.${asText(relationshipId)}`);
      const related = itemsOf(relatedRecords);
      this.#contain(group, related, ['totalRelatedRecords', totalRelatedRecords], others);
      const uniqueRecord = uniqueNames();
      for (const each of related) {
        const { relatedRecordId, relatedRecordAttributes, ...facts } = membersOf(each);
        const parts = new ListParts();
        parts.attributes(relatedRecordAttributes);
        parts.members('.', facts);
        const title = asText(facts.title);
        const id = uniqueRecord(asText(relatedRecordId) || title);
        this.items.set(`${group}.${id}`, { group, id, label: title || id, parts });
      }
    }
  }

  #contain(
    name: string,
    { length: listed }: readonly Json[],
    [totalKey, total]: readonly [string, Json | undefined],
    members: JsonObject,
  ): void {
    const parts = new ListParts();
    parts.members('@', members);
    this.containers.set(name, { listed, totalKey, total: spelt(total), parts });
  }
}

function readValue(entry: Json): Value {
  const { value, ...members } = membersOf(entry);
  const attributes = new Map<string, string>();
  const unique = uniqueNames();
  const put = (name: string, member: Json | undefined) => {
    const text = spelt(member);
    if (text !== '') attributes.set(name, text);
  };
  for (const [key, member] of Object.entries(members))
    if (ATTRIBUTES.test(key)) for (const attribute of itemsOf(member)) readAttribute(attribute, unique, put);
    else put(unique(key), member);
  return { text: spelt(value), attributes };
}

/** How sure an image recognition is, and how many other images it found the same in, changes by itself. */
function withoutScores(label: Json): Json {
  if (!isObject(label)) return label;
  const { score: _score, count: _count, ...rest } = label;
  return rest;
}

/** How many a total counts beyond those that are listed. */
export function unlisted({ total, listed }: Container): number {
  return total === '' ? 0 : (asNumber(total) ?? Number.NaN) - listed;
}
