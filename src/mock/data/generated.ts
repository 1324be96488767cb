/**
 * Any number of objects that are never in memory: a record is a template's text with its own id, number and name put in.
 * The text of a page is so quick to make that a load test measures the client.
 */

import { image } from './images.js';
import { makeObject, titled } from './objects.js';
import { makePersons } from './persons.js';
import { type Image, recordJson, value } from './record-json.js';
import {
  type ParsedRecord,
  parseRecord,
  type RecordList,
  type StoredRecord,
  type Wire,
} from './record-list.js';

/** A prime, so that no page size falls in step with the templates. */
const TEMPLATES = 97;
const FIRST_ID = 1_000_001;

/** Characters of the private use area stand where a record differs from its template. */
const ID = '\uE000';
const NUMBER = '\uE001';
type Placeholder = typeof ID | typeof NUMBER;
const PLACEHOLDERS = new RegExp(`([${ID}${NUMBER}])`);

/** The length a record is brought to, as long as the records of a real deployment. */
const SIZE = 3000;
const FILLING =
  'Recorded when the store was moved; dimensions taken again, condition stable, no loans. Shelf list checked. ';

interface Template {
  /** Text in UTF-8 between placeholders, and the placeholders. */
  readonly parts: readonly (Buffer | Placeholder)[];
  readonly facts: ParsedRecord;
  /** The fields whose values have placeholders, parted in the same way. */
  readonly varying: readonly { readonly identifier: string; readonly parts: readonly string[] }[];
}

export class GeneratedRecordList implements RecordList {
  readonly count: number;
  readonly #templates: readonly Template[];

  /** `origin` is the address that the images' URLs name. */
  constructor(count: number, origin: string) {
    this.count = count;
    const persons = makePersons();
    this.#templates = Array.from({ length: TEMPLATES }, (_, number) => template(number, persons, origin));
  }

  at(position: number): StoredRecord {
    const drawn = this.#templates[position % TEMPLATES] as Template;
    return new GeneratedRecord(drawn, String(FIRST_ID + position), String(position + 1));
  }

  byId(id: string): StoredRecord | undefined {
    const position = Number(id) - FIRST_ID;
    return /^\d+$/.test(id) && position >= 0 && position < this.count ? this.at(position) : undefined;
  }

  get identifiers(): readonly string[] {
    return [...new Set(this.#templates.flatMap(({ facts }) => [...facts.fields.keys()]))];
  }
}

class GeneratedRecord implements StoredRecord {
  readonly kind = 'objects';
  readonly id: string;
  readonly #template: Template;
  readonly #number: string;

  constructor(drawn: Template, id: string, number: string) {
    this.#template = drawn;
    this.id = id;
    this.#number = number;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** Copied together from bytes: encoding the text of each record anew would cost a page most of its time. */
  get bytes(): Buffer {
    const own = { [ID]: Buffer.from(this.id), [NUMBER]: Buffer.from(this.#number) };
    return Buffer.concat(this.#template.parts.map((part) => (typeof part === 'string' ? own[part] : part)));
  }

  get parsed(): ParsedRecord {
    const { facts } = this.#template;
    const fields = new Map(facts.fields);
    for (const { identifier, parts } of this.#template.varying) {
      fields.set(identifier, [{ value: this.#fill(parts) }]);
    }
    return { ...facts, fields };
  }

  #fill(parts: readonly string[]): string {
    let filled = '';
    for (const part of parts) filled += part === ID ? this.id : part === NUMBER ? this.#number : part;
    return filled;
  }
}

function template(number: number, persons: ReturnType<typeof makePersons>, origin: string): Template {
  // From 100 on: the numbers below have the oddities, which a million records need not repeat ten thousand times.
  const made = makeObject(100 + number, persons);
  const images = made.images.slice(0, 1).map((draft) => slim(image(draft)));
  const varying = { accession_no: value(`G.${NUMBER}`), name: titled(`${made.title} no. ${NUMBER}`) };
  const textWith = (notes: string) =>
    JSON.stringify(
      recordJson(
        {
          ...made,
          id: ID,
          fields: { ...made.fields, ...varying, store_notes: value(notes) },
          relationships: [],
        },
        images,
      ),
    )
      .replaceAll('"url":"/', `"url":"${origin}/`)
      .replaceAll(`/${made.id}/`, `/${ID}/`);
  const missing = Math.max(0, SIZE - textWith('').length);
  const text = textWith(FILLING.repeat(Math.ceil(missing / FILLING.length)).slice(0, missing));
  const facts = parseRecord('objects', JSON.parse(text) as Wire);
  return {
    parts: text
      .split(PLACEHOLDERS)
      .map((part) => (part === ID || part === NUMBER ? part : Buffer.from(part))),
    facts,
    varying: Object.entries(varying).map(([identifier, [field]]) => ({
      identifier,
      parts: field?.value.split(PLACEHOLDERS) ?? [],
    })),
  };
}

/** The image without most of what describes it, to keep the record's size. */
function slim({ imageId, imageDerivatives, cssColors }: Image): Image {
  return { imageId, imageDerivatives, cssColors: (cssColors as unknown[]).slice(0, 1) };
}
