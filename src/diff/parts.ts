/**
 * A record as named parts that can be compared: fields with their values and attributes, and images and related records by their
 * ids. What no other part says stands under its own key, so that no edit is overlooked.
 */
import { asList, asObject, asText, isObject, type Json, type JsonObject } from '../service/json.js';
import { KIND_WORDS, KINDS } from '../service/kinds.js';
import { fieldColumnName } from '../service/records/columns.js';
import { ID_KEYS, largestDerivative, readRecord } from '../service/records/record.js';
import { lastingUrl, type Noise, scalarText } from './noise.js';

export interface Value {
  readonly text: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export type Lists = ReadonlyMap<string, readonly string[]>;

export interface Item {
  /** What a person knows it by. */
  readonly label: string;
  readonly parts: Lists;
}

export interface Parts {
  readonly fields: ReadonlyMap<string, readonly Value[]>;
  /** By `image.<id>` and `relationship.<relationshipId>.<id>`, in their order. */
  readonly items: ReadonlyMap<string, Item>;
}

type Include = ReadonlySet<Noise>;

const SCORE_KEYS: readonly string[] = KINDS.map((kind) => KIND_WORDS[kind].scoreKey);
const FIELD_SETS = /^opac\w*FieldSets$/;
const FIELDS = /^opac\w*Fields$/;
const ATTRIBUTES = /^opac\w*FieldAttributes$/;
/** Parts that are read by what they mean. */
const KNOWN = new Set([
  ...ID_KEYS,
  ...SCORE_KEYS,
  'recordType',
  'opacCollection',
  'relationshipsCollection',
  'imagesCollection',
]);

export function partsOf(raw: JsonObject, include: Include): Parts {
  const fields = new Map<string, Value[]>();
  const add = (name: string, ...texts: readonly string[]) => {
    const values = texts.map((text) => ({ text, attributes: NO_ATTRIBUTES }));
    if (values.length > 0) fields.set(name, [...(fields.get(name) ?? []), ...values]);
  };
  for (const [key, value] of Object.entries(raw)) {
    if (FIELD_SETS.test(key)) for (const set of asList(value)) takeSet(asObject(set), fields, include);
    else if (!KNOWN.has(key)) add(key === 'slug' ? key : `record.${key}`, ...texts(value, include));
    else if (include.has('scores') && SCORE_KEYS.includes(key)) add('score', ...texts(value, include));
  }
  for (const [key, value] of Object.entries(asObject(raw.opacCollection)))
    add(COLLECTION[key] ?? `collection.${key}`, ...texts(value, include));
  if (include.has('key-order')) add('key-order', ...keyPaths(raw));
  return { fields, items: new Map([...imagesOf(raw, include), ...relatedOf(raw, include)]) };
}

const COLLECTION: Readonly<Record<string, string>> = {
  opacCollectionId: 'collection',
  collectionName: 'collection.name',
};
const NO_ATTRIBUTES: Value['attributes'] = new Map();

/** "No value" has three spellings (FIELD-NOTES.md): an absent set, an empty one, and `""` alone. */
function takeSet(set: JsonObject, fields: Map<string, Value[]>, include: Include): void {
  const name = fieldColumnName(String(set.identifier ?? '') || '?');
  for (const [key, entries] of Object.entries(set)) {
    if (key === 'identifier') continue;
    const values: Value[] = FIELDS.test(key)
      ? asList(entries).map((entry) => readValue(entry, include))
      : texts(entries, include).map((text) => ({ text, attributes: NO_ATTRIBUTES }));
    const at = FIELDS.test(key) ? name : `${name}.${key}`;
    if (values.some(({ text, attributes }) => text !== '' || attributes.size > 0))
      fields.set(at, [...(fields.get(at) ?? []), ...values]);
  }
}

function readValue(entry: Json, include: Include): Value {
  if (!isObject(entry)) return { text: scalarText(entry, include), attributes: NO_ATTRIBUTES };
  const attributes = new Map<string, string>();
  for (const [key, value] of Object.entries(entry)) {
    if (ATTRIBUTES.test(key))
      for (const attribute of asList(value).map(asObject))
        attributes.set(String(attribute.key), scalarText(attribute.value, include));
    else if (key !== 'value') attributes.set(key, spelt(value, include));
  }
  return { text: scalarText(entry.value, include), attributes };
}

function* imagesOf(raw: JsonObject, include: Include): Generator<[string, Item]> {
  const images = asList(asObject(raw.imagesCollection).images).map(asObject);
  const read = readRecord(raw).images;
  const known = new Set<string>();
  for (const [n, image] of images.entries()) {
    const parts = new Map<string, readonly string[]>();
    const put = (key: string, value: Json | undefined) => {
      const list = texts(value, include);
      if (list.length > 0) parts.set(key, list);
    };
    for (const [key, value] of Object.entries(image)) {
      if (key === 'imageAttributes')
        for (const attribute of asList(value).map(asObject))
          put(`@${asText(attribute.key)}`, attribute.value);
      else if (key === 'imageDerivatives')
        for (const { identifier, ...members } of asList(value).map(asObject))
          for (const [name, member] of Object.entries(members))
            put(`.${asText(identifier)}.${name}`, measured(member, include));
      else if (key === 'imageLabels')
        put(
          '.labels',
          asList(value).map((each) => withoutScores(each, include)),
        );
      else if (key === 'cssColors' || key === 'rawColors')
        put(
          `.${key}`,
          asList(value).map((each) => measured(each, include)),
        );
      else if (key !== 'imageId') put(`.${key}`, value);
    }
    if (include.has('derivative-order'))
      put(
        '.derivatives',
        asList(image.imageDerivatives).map((each) => asObject(each).identifier ?? ''),
      );
    const largest = read[n] && largestDerivative(read[n]);
    const url = largest?.url ?? '';
    yield [
      unique(`image.${asText(image.imageId) || lastingUrl(url)}`, known),
      { label: url || asText(image.caption), parts },
    ];
  }
}

function* relatedOf(raw: JsonObject, include: Include): Generator<[string, Item]> {
  const known = new Set<string>();
  for (const relationship of asList(asObject(raw.relationshipsCollection).relationships).map(asObject)) {
    const name = `relationship.${asText(relationship.relationshipId)}`;
    for (const related of asList(relationship.relatedRecords).map(asObject)) {
      const parts = new Map<string, readonly string[]>();
      for (const [key, value] of Object.entries(related)) {
        if (key === 'relatedRecordAttributes')
          for (const { identifier, values } of asList(value).map(asObject))
            parts.set(`@${asText(identifier)}`, texts(values, include));
        else if (key !== 'relatedRecordId') parts.set(`.${key}`, texts(value, include));
      }
      for (const [key, list] of parts) if (list.length === 0) parts.delete(key);
      const id = asText(related.relatedRecordId);
      yield [
        unique(`${name}.${id || asText(related.title)}`, known),
        { label: asText(related.title) || id, parts },
      ];
    }
  }
}

function unique(name: string, known: Set<string>): string {
  let own = name;
  for (let n = 2; known.has(own); n++) own = `${name}~${n}`;
  known.add(own);
  return own;
}

/** The values under a key, each as one text; none for "no value". */
function texts(value: Json | undefined, include: Include): readonly string[] {
  const all = (Array.isArray(value) ? value : [value]) as readonly (Json | undefined)[];
  const spelled = all.map((each) => spelt(each, include));
  return spelled.some((text) => text !== '') ? spelled : [];
}

/** A value in one spelling: keys in order, "no value" left out. */
function spelt(value: Json | undefined, include: Include): string {
  if (!isObject(value) && !Array.isArray(value)) return scalarText(value, include);
  return JSON.stringify(value, (_, part: Json) => {
    if (!isObject(part)) return Array.isArray(part) ? part : scalarText(part, include);
    const members = Object.entries(part).filter(([, member]) => member !== null && member !== '');
    return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Sizes and shares come as numbers and as text, with and without decimals. */
function measured(value: Json | undefined, include: Include): Json {
  if (include.has('types')) return value ?? '';
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, measured(part, include)]));
  const isNumber = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : (value ?? '');
}

/** How sure an image recognition is, and how many other images it found the same in, changes by itself. */
function withoutScores(label: Json, include: Include): Json {
  if (!isObject(label) || include.has('scores')) return label;
  const { score: _score, count: _count, ...rest } = label;
  return rest;
}

function keyPaths(value: Json | undefined, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((each: Json) => keyPaths(each, `${path}[]`)))];
  return Object.entries(asObject(value)).flatMap(([key, member]) => [
    `${path}.${key}`,
    ...keyPaths(member, `${path}.${key}`),
  ]);
}
