/** Any number of objects, each a template with its own id and name, so that a load test measures the client. */
import { parseJson } from '../../service/parse-json.js';
import { image } from './images.js';
import { makeObject, titled } from './objects.js';
import { makePersons } from './persons.js';
import { type Image, recordJson, value } from './record-json.js';
import {
  FieldMap,
  type JsonRecord,
  type ParsedRecord,
  parseRecord,
  type RecordList,
  type StoredRecord,
  type WholeRecord,
} from './record-list.js';

/** A prime, so that no page size falls in step with the templates. */
const TEMPLATES = 97;
const FIRST_ID = 1_000_001;

/** Characters of the private use area, where a record differs from its template. */
const ID = '\uE000';
const NUMBER = '\uE001';
type Placeholder = typeof ID | typeof NUMBER;
const PLACEHOLDERS = new RegExp(`([${ID}${NUMBER}])`);

/** Characters of a record, as in a real deployment. */
const LENGTH = 3000;
const FILLER =
  'Recorded when the store was moved; dimensions taken again, condition stable, no loans. Shelf list checked. ';

interface Template {
  readonly parts: readonly (Buffer | Placeholder)[];
  readonly parsed: WholeRecord;
  readonly varying: readonly { readonly identifier: string; readonly parts: readonly string[] }[];
}

export class GeneratedRecordList implements RecordList {
  readonly count: number;
  readonly #templates: readonly Template[];

  constructor(count: number, origin: string) {
    this.count = count;
    const persons = makePersons();
    this.#templates = Array.from({ length: TEMPLATES }, (_, number) =>
      createTemplate(number, persons, origin),
    );
  }

  at(index: number): StoredRecord {
    const template = this.#templates[index % TEMPLATES] as Template;
    return new GeneratedRecord(template, String(FIRST_ID + index), String(index + 1));
  }

  byId(id: string): StoredRecord | undefined {
    const index = Number(id) - FIRST_ID;
    return /^\d+$/.test(id) && index >= 0 && index < this.count ? this.at(index) : undefined;
  }

  get identifiers(): readonly string[] {
    return [...new Set(this.#templates.flatMap(({ parsed }) => [...parsed.fields.keys()]))];
  }
}

class GeneratedRecord implements StoredRecord {
  readonly kind = 'objects';
  readonly id: string;
  readonly #template: Template;
  readonly #number: string;

  constructor(template: Template, id: string, number: string) {
    this.#template = template;
    this.id = id;
    this.#number = number;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** Concatenated from bytes: encoding the text of each record would take most of the time of a page. */
  get bytes(): Buffer {
    const own = { [ID]: Buffer.from(this.id), [NUMBER]: Buffer.from(this.#number) };
    return Buffer.concat(this.#template.parts.map((part) => (typeof part === 'string' ? own[part] : part)));
  }

  get parsed(): WholeRecord {
    const { parsed } = this.#template;
    const fields = new FieldMap(parsed.fields);
    for (const { identifier, parts } of this.#template.varying) {
      fields.set(identifier, [{ value: this.#fill(parts) }]);
    }
    return { ...parsed, fields };
  }

  get searched(): ParsedRecord {
    return this.parsed;
  }

  #fill(parts: readonly string[]): string {
    let filled = '';
    for (const part of parts) filled += part === ID ? this.id : part === NUMBER ? this.#number : part;
    return filled;
  }
}

function createTemplate(number: number, persons: ReturnType<typeof makePersons>, origin: string): Template {
  // The numbers below 100 have the edge cases, which a million records need not repeat ten thousand times.
  const made = makeObject(100 + number, persons);
  const images = made.images.slice(0, 1).map((draft) => smaller(image(draft)));
  const varying = { accession_no: value(`G.${NUMBER}`), name: titled(`${made.title} no. ${NUMBER}`) };
  const textWith = (notes: string) => {
    const fields = { ...made.fields, ...varying, store_notes: value(notes) };
    return JSON.stringify(recordJson({ ...made, id: ID, fields, relationships: [] }, images))
      .replaceAll('"url":"/', `"url":"${origin}/`)
      .replaceAll(`/${made.id}/`, `/${ID}/`);
  };
  const missing = Math.max(0, LENGTH - textWith('').length);
  const text = textWith(FILLER.repeat(Math.ceil(missing / FILLER.length)).slice(0, missing));
  return {
    parts: text
      .split(PLACEHOLDERS)
      .map((part) => (part === ID || part === NUMBER ? part : Buffer.from(part))),
    parsed: parseRecord('objects', parseJson(text) as JsonRecord),
    varying: Object.entries(varying).map(([identifier, [field]]) => ({
      identifier,
      parts: field?.value.split(PLACEHOLDERS) ?? [],
    })),
  };
}

function smaller({ imageId, imageDerivatives, cssColors }: Image): Image {
  return { imageId, imageDerivatives, cssColors: (cssColors as unknown[]).slice(0, 1) };
}
