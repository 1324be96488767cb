/** Generates any number of objects for load tests. Fills templates with different ids and numbers. */
import { TextRecord } from '../../local/record.js';
import { arrayRecordList, type RecordList } from '../../local/record-list.js';
import { image } from './images.js';
import { createName, makeObject } from './objects.js';
import { makePersons } from './persons.js';
import { createField, createRecordJson, type Image } from './record-json.js';

/** Prime, so that the first records of consecutive pages have different templates. */
const TEMPLATES = 97;
const FIRST_ID = 1_000_001;

/** Placeholders in a template: private use characters of Unicode, which the data does not contain. */
const ID = '\uE000';
const NUMBER = '\uE001';

/** Minimum number of characters of a record. Real records have a similar size. */
const LENGTH = 3000;
const FILLER =
  'Recorded when the store was moved; dimensions taken again, condition stable, no loans. Shelf list checked. ';

const PIECE_RECORDS = 1000;

export function generatedRecordList(count: number, origin: string): RecordList {
  const persons = makePersons();
  const templates = Array.from({ length: TEMPLATES }, (_, number) => makeTemplate(number, persons, origin));
  const at = (index: number) => {
    const id = String(FIRST_ID + index);
    const template = templates[index % TEMPLATES] as string;
    return new TextRecord('objects', id, () =>
      template.replaceAll(ID, id).replaceAll(NUMBER, String(index + 1)),
    );
  };
  const from = (begin: number, length: number) =>
    Array.from({ length: Math.min(length, count - begin) }, (_, index) => at(begin + index));
  return {
    count: async () => count,
    identifiers: () => arrayRecordList(templates.map((_, index) => at(index))).identifiers(),
    byId: async (id) => {
      const index = Number(id) - FIRST_ID;
      return /^\d+$/.test(id) && index >= 0 && index < count ? at(index) : undefined;
    },
    pieces: async function* () {
      for (let begin = 0; begin < count; begin += PIECE_RECORDS) yield from(begin, PIECE_RECORDS);
    },
    at: async (positions) => positions.map(at),
  };
}

function makeTemplate(number: number, persons: ReturnType<typeof makePersons>, origin: string): string {
  // Some objects with numbers below 100 are edge cases, which generated records should not repeat.
  const made = makeObject(100 + number, persons);
  const images = made.images.slice(0, 1).map((draft) => smaller(image(draft)));
  const varying = {
    accession_no: createField(`G.${NUMBER}`),
    name: createName(`${made.title} no. ${NUMBER}`),
  };
  const createText = (notes: string) => {
    const fields = { ...made.fields, ...varying, store_notes: createField(notes) };
    return JSON.stringify(createRecordJson({ ...made, id: ID, fields, relationships: [] }, images))
      .replaceAll('"url":"/', `"url":"${origin}/`)
      .replaceAll(`/${made.id}/`, `/${ID}/`);
  };
  const missing = Math.max(0, LENGTH - createText('').length);
  return createText(FILLER.repeat(Math.ceil(missing / FILLER.length)).slice(0, missing));
}

function smaller({ imageId, imageDerivatives, cssColors }: Image): Image {
  return { imageId, imageDerivatives, cssColors: (cssColors as unknown[]).slice(0, 1) };
}
