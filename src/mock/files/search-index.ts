/**
 * What searches look at in records, in little memory: each different value of a field, collection, label, colour and
 * relationship is kept once, and of each record only the numbers of those that it has.
 */

import type { Field } from '../data/record-json.js';
import { type Fields, type JsonRecord, objects, type ParsedRecord } from '../data/record-list.js';
import { NumberList } from './number-list.js';

type Entry =
  | { readonly type: 'field'; readonly identifier: string; readonly fields: readonly Field[] }
  | { readonly type: 'collection'; readonly value: NonNullable<ParsedRecord['collection']> }
  | { readonly type: 'image'; readonly value: JsonRecord }
  | { readonly type: 'relationship'; readonly value: JsonRecord };

/** One for all records of a museum: the number of a value (`Field.number`) is its place in here. */
export class SearchIndex {
  readonly entries: Entry[] = [];
  /** The numbers of all records, one record after the other. */
  readonly numbers = new NumberList();
  readonly #known = new Map<string, Map<string, number>>();
  readonly #shared = new Map<string, JsonRecord>();

  /** Takes up a record; gives where its numbers begin. */
  add(record: ParsedRecord & { readonly fields: ReadonlyMap<string, readonly Field[]> }): number {
    const { fields, collection, images, relationships } = record;
    const begin = this.numbers.length;
    for (const [identifier, values] of fields) {
      if (values.length === 0)
        this.#push(`no ${identifier}`, '', () => ({ type: 'field', identifier, fields: [] }));
      for (const field of values) this.#pushField(identifier, field);
    }
    if (collection)
      this.#push('collection', `${collection.id}\0${collection.name}`, () => ({
        type: 'collection',
        value: collection,
      }));
    for (const image of images)
      this.numbers.push(this.entries.push({ type: 'image', value: this.#searched(image) }) - 1);
    for (const { relationshipId, relatedRecordType } of relationships) {
      const value = { relationshipId, relatedRecordType };
      this.#push('relationship', JSON.stringify(value), () => ({ type: 'relationship', value }));
    }
    return begin;
  }

  #pushField(identifier: string, { value, attributes }: Field): void {
    // The only attribute that a search looks at (facets.ts).
    const earliest = attributes?.find(({ key }) => key === 'earliest_date');
    this.#push(`field ${identifier}`, earliest ? `${value}\0${earliest.value}` : value, (number) => ({
      type: 'field',
      identifier,
      fields: [{ value, number, ...(earliest && { attributes: [earliest] }) }],
    }));
  }

  #push(among: string, key: string, make: (number: number) => Entry): void {
    const known = this.#known.get(among) ?? new Map<string, number>();
    this.#known.set(among, known);
    let number = known.get(key);
    if (number === undefined) {
      number = this.entries.length;
      this.entries.push(make(number));
      known.set(key, number);
    }
    this.numbers.push(number);
  }

  #searched({ imageId, cssColors, imageLabels }: JsonRecord): JsonRecord {
    const labels = objects(imageLabels).map(({ imageLabelId, imageLabel, status }) =>
      this.#share({ imageLabelId, imageLabel, status }),
    );
    return {
      imageId,
      cssColors: objects(cssColors).map(({ colorName }) => this.#share({ colorName })),
      imageLabels: labels,
    };
  }

  #share(value: JsonRecord): JsonRecord {
    const key = JSON.stringify(value);
    const shared = this.#shared.get(key) ?? value;
    this.#shared.set(key, shared);
    return shared;
  }
}

/** A record as the index has it: of its images and relationships only what searches look at. */
export class IndexedRecord implements ParsedRecord, Fields {
  readonly #index: SearchIndex;
  readonly #begin: number;
  readonly #end: number;

  constructor(index: SearchIndex, begin: number, end: number) {
    this.#index = index;
    this.#begin = begin;
    this.#end = end;
  }

  get fields(): Fields {
    return this;
  }

  get(identifier: string): readonly Field[] | undefined {
    const { entries, numbers } = this.#index;
    let found: readonly Field[] | undefined;
    for (let i = this.#begin; i < this.#end; i++) {
      const entry = entries[numbers.at(i)] as Entry;
      if (entry.type === 'field' && entry.identifier === identifier)
        found = found ? [...found, ...entry.fields] : entry.fields;
    }
    return found;
  }

  keys(): readonly string[] {
    return this.#of('field').map(({ identifier }) => identifier);
  }

  values(): readonly (readonly Field[])[] {
    return this.#of('field').map(({ fields }) => fields);
  }

  get collection(): ParsedRecord['collection'] {
    return this.#of('collection')[0]?.value;
  }

  get images(): readonly JsonRecord[] {
    return this.#of('image').map(({ value }) => value);
  }

  get relationships(): readonly JsonRecord[] {
    return this.#of('relationship').map(({ value }) => value);
  }

  #of<Type extends Entry['type']>(type: Type): (Entry & { readonly type: Type })[] {
    const { entries, numbers } = this.#index;
    const found: (Entry & { readonly type: Type })[] = [];
    for (let i = this.#begin; i < this.#end; i++) {
      const entry = entries[numbers.at(i)] as Entry;
      if (isOf(entry, type)) found.push(entry);
    }
    return found;
  }
}

function isOf<Type extends Entry['type']>(
  entry: Entry,
  type: Type,
): entry is Entry & { readonly type: Type } {
  return entry.type === type;
}
