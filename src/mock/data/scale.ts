/**
 * Any number of objects that are never in memory: a record is a template's text with its own id, number and name put in.
 * The text of a page is so quick to make that a load test measures the client.
 */
import { type Entry, type Facts, readFacts, type Shelf, type Wire } from '../shelf.js';
import { makeObject, titled } from './objects.js';
import { makePersons } from './persons.js';
import { type Image, value, wire } from './wire.js';

/** A prime, so that no page size falls in step with the templates. */
const TEMPLATES = 97;
const FIRST_ID = 1_000_001;

/** Characters of the private use area stand where a record differs from its template. */
const ID = '\uE000';
const NUMBER = '\uE001';
const PLACEHOLDERS = new RegExp(`([${ID}${NUMBER}])`);

/** Brings a record to about 3 kB, as the records of a real deployment are. */
const FILLING =
  'Recorded when the store was moved; dimensions taken again, condition stable, no loans. Shelf list checked. ';

interface Template {
  /** Text between placeholders, and the placeholders. */
  readonly parts: readonly string[];
  readonly facts: Facts;
  /** The fields whose values have placeholders, parted in the same way. */
  readonly varying: readonly { readonly identifier: string; readonly parts: readonly string[] }[];
}

export class GeneratedShelf implements Shelf {
  readonly count: number;
  readonly #templates: readonly Template[];

  /** `origin` is the address that the images' URLs name. */
  constructor(count: number, origin: string) {
    this.count = count;
    const persons = makePersons();
    this.#templates = Array.from({ length: TEMPLATES }, (_, number) => template(number, persons, origin));
  }

  at(position: number): Entry {
    const drawn = this.#templates[position % TEMPLATES] as Template;
    return new GeneratedEntry(drawn, String(FIRST_ID + position), String(position + 1));
  }

  byId(id: string): Entry | undefined {
    const position = Number(id) - FIRST_ID;
    return /^\d+$/.test(id) && position >= 0 && position < this.count ? this.at(position) : undefined;
  }

  get identifiers(): readonly string[] {
    return [...new Set(this.#templates.flatMap(({ facts }) => [...facts.fields.keys()]))];
  }
}

class GeneratedEntry implements Entry {
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
    return this.#fill(this.#template.parts);
  }

  get facts(): Facts {
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
  const name = `${made.title} no. ${NUMBER}`;
  const imageOf = made.images[0];
  const draft = wire({
    ...made,
    id: ID,
    title: made.title,
    fields: { ...made.fields, accession_no: value(`G.${NUMBER}`), name: titled(name), store_notes: [] },
    images: imageOf ? [slim(imageOf)] : [],
    relationships: [],
  });
  const short = JSON.stringify(draft);
  const notes = FILLING.repeat(Math.max(0, Math.ceil((3000 - short.length) / FILLING.length)));
  const text = JSON.stringify(draft)
    .replace(
      '"identifier":"store_notes","opacObjectFields":[]',
      () => `"identifier":"store_notes","opacObjectFields":[{"value":${JSON.stringify(notes.trim())}}]`,
    )
    .replaceAll('"url":"/', `"url":"${origin}/`)
    .replaceAll(`/${made.id}/`, `/${ID}/`);
  const facts = readFacts('objects', JSON.parse(text) as Wire);
  const varying = [...facts.fields]
    .map(([identifier, [first]]) => ({ identifier, parts: (first?.value ?? '').split(PLACEHOLDERS) }))
    .filter(({ parts }) => parts.length > 1);
  return { parts: text.split(PLACEHOLDERS), facts, varying };
}

/** The image without most of what describes it, to keep the record's size. */
function slim({ imageId, imageDerivatives, cssColors }: Image): Image {
  return { imageId, imageDerivatives, cssColors: (cssColors as unknown[]).slice(0, 1) };
}
