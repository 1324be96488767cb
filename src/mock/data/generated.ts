/** Any number of objects, each a template with its own id and name, so that a load test measures the client. */
import { type JsonRecord, type ParsedRecord, parseRecord, type StoredRecord } from '../../local/record.js';
import type { RecordList } from '../../local/record-list.js';
import { parseJson } from '../../service/parse-json.js';
import { image } from './images.js';
import { makeObject, titled } from './objects.js';
import { makePersons } from './persons.js';
import { type Image, recordJson, value } from './record-json.js';

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

/** A list is read in pieces of this many records. */
const PIECE = 1000;

interface Template {
  readonly parts: readonly (Buffer | Placeholder)[];
  readonly parsed: ParsedRecord;
  readonly varying: readonly { readonly identifier: string; readonly text: string }[];
}

export function generatedRecordList(count: number, origin: string): RecordList {
  const persons = makePersons();
  const templates = Array.from({ length: TEMPLATES }, (_, number) => createTemplate(number, persons, origin));
  const at = (index: number) =>
    generatedRecord(templates[index % TEMPLATES] as Template, String(FIRST_ID + index), String(index + 1));
  return {
    count: async () => count,
    identifiers: async () => [...new Set(templates.flatMap(({ parsed }) => [...parsed.fields.keys()]))],
    byId: async (id) => {
      const index = Number(id) - FIRST_ID;
      return /^\d+$/.test(id) && index >= 0 && index < count ? at(index) : undefined;
    },
    pieces: async function* () {
      for (let begin = 0; begin < count; begin += PIECE)
        yield Array.from({ length: Math.min(PIECE, count - begin) }, (_, index) => at(begin + index));
    },
    at: async (positions) => positions.map(at),
  };
}

function generatedRecord({ parts, parsed, varying }: Template, id: string, number: string): StoredRecord {
  return {
    kind: 'objects',
    id,
    /** Concatenated from bytes: encoding the text of each record would take most of the time of a page. */
    get bytes() {
      const own = { [ID]: Buffer.from(id), [NUMBER]: Buffer.from(number) };
      return Buffer.concat(parts.map((part) => (typeof part === 'string' ? own[part] : part)));
    },
    get parsed() {
      const fields = new Map(parsed.fields);
      for (const { identifier, text } of varying)
        fields.set(identifier, [{ value: text.replace(ID, id).replace(NUMBER, number) }]);
      return { ...parsed, fields };
    },
  };
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
      text: field?.value ?? '',
    })),
  };
}

function smaller({ imageId, imageDerivatives, cssColors }: Image): Image {
  return { imageId, imageDerivatives, cssColors: (cssColors as unknown[]).slice(0, 1) };
}
