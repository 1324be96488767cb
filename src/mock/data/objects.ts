/** Creates an object from its number and the word lists. built-in.ts adds the relationships. */
import type { Field } from '../../local/record.js';
import { type Random, seededRandom } from '../random.js';
import type { Person } from './persons.js';
import { createDateField, createField, createSearchableField, type UnlinkedDraft } from './record-json.js';
import { ADJECTIVES, COLLECTIONS, GIVERS, OBJECT_TYPES, type ObjectType, PLACES } from './words.js';

const values = (...texts: readonly string[]): Field[] => texts.map((text) => ({ value: text }));

/** Values that are difficult to export, by the number of the object (FIELD-NOTES.md "Answers"). */
const EDGE_CASES: Readonly<Record<number, Readonly<Record<string, readonly Field[]>>>> = {
  1: { accession_no: values('00345') },
  2: { accession_no: values('08-27'), inscription: values('=see also 1950.12') },
  3: { accession_no: values('20191231000000000017'), inscription: values('+ maker’s mark') },
  4: { accession_no: values('1E5'), name: values('The "Moa" jar: C:\\Museum\\jar (a copy)') },
  5: { other_id: values('137/1884', 'F.I. 3078.0', 'EQRC10469'), user_sym_70: values('\tTabbed') },
  6: { credit_line: values('@ the wharf, 1907') },
  7: { brief_desc: values('<p>Given by <a href="/x?a=1&amp;b=2">A | B</a></p>') },
  8: { measurements: values('', 'plate: 20 x 30mm', ''), production_role: values('Unknown') },
  9: { name: values('Kite 🪁 with tail 👩‍🎨') },
  10: { accession_no: values('0012.7', '0012.7a'), name: values('Diary AND ledger OR "both"') },
  11: { brief_desc: values('-12 °C on the dial\nand a second line,\r\nand a third') },
  12: { name: values('Glass Model Invertebrate:  Physalia pelagica') },
  13: { name: values('Kākā, tūī & kererū: māra\u0304'), researcher_notes: values('"a,b";c\t"d"') },
};

export interface ObjectDraft extends UnlinkedDraft {
  readonly makers: readonly Person[];
  readonly role: string;
}

export function makeObject(number: number, persons: readonly Person[]): ObjectDraft {
  const random = seededRandom(number);
  const type = chooseType(number);
  const id = String(20_011 + 11 * number);
  const title = `${random.pick(ADJECTIVES)} ${random.pick(type.nouns)}`;
  const subjects = random.sample(type.subjects, 1 + random.below(type.subjects.length));
  const makers = chooseMakers(type, persons, random);
  const year = makers[0] ? makers[0].born + 20 + random.below(40) : 1790 + random.below(160);
  const acquired = String(year + 5 + random.below(60));
  const collection = COLLECTIONS.findIndex(({ name }) => name === type.collection) + 1;
  const fields: Record<string, readonly Field[]> = {
    accession_no: createField(`${acquired}.${number + 1}.${1 + random.below(40)}`),
    name: createName(title),
    brief_desc: createField(describe(title, subjects, type, random)),
    production_date: random.boolean(0.1) ? createField('date not known') : [productionDate(year, random)],
    production_place: createSearchableField(
      'production_place',
      random.boolean(0.15) ? '' : random.pick(PLACES),
    ),
    maker_name: createSearchableField('maker_name', ...makers.map(({ name }) => name)),
    production_role: makers.map(() => ({ value: type.role })),
    medium_desc: createField(random.pick(type.medium)),
    measurements: type.parts
      .slice(0, random.below(type.parts.length + 1))
      .map((part) => ({ value: `${part}: ${20 + random.below(900)} x ${20 + random.below(900)}mm` })),
    classification: createSearchableField('classification', type.classification),
    subject_category: createSearchableField('subject_category', ...subjects),
    collection: createSearchableField('collection', type.collection ?? ''),
    credit_line: createField(
      `${random.pick(['Gift of', 'Bequest of', 'Purchased from'])} ${random.pick(GIVERS)}, ${acquired}`,
    ),
    acquisition_year: createSearchableField('acquisition_year', acquired),
    // The three forms of an empty field: an empty string, an empty set, and (in every second object) a missing set.
    inscription: createField(random.boolean(0.3) ? `signed "${makers[0]?.name ?? 'anon.'}"` : ''),
    prov_person: [],
    ...(number % 2 === 0 && { user_sym_70: createField(number % 4 === 0 ? '' : 'Yes') }),
  };
  Object.assign(fields, EDGE_CASES[number]);
  return {
    kind: 'objects',
    id,
    title: fields.name?.[0]?.value ?? title,
    fields,
    makers,
    role: type.role,
    images: Array.from({ length: random.boolean(0.25) ? 0 : 1 + random.below(3) }, (_, index) => ({
      recordId: id,
      imageId: 700_000 + 10 * number + index,
      caption: title,
      labels: random.sample(type.labels, 3 + random.below(3)),
    })),
    ...(collection > 0 && {
      collection: { opacCollectionId: String(collection), collectionName: type.collection ?? '' },
    }),
  };
}

/** Indexes of OBJECT_TYPES. The first objects have each type once, the next objects have these types, and so on. */
const COMMON_TYPES = [7, 6, 4, 7, 1, 6, 10, 7, 2, 6, 8, 7, 4] as const;

function chooseType(number: number): ObjectType {
  const index = number % (OBJECT_TYPES.length + COMMON_TYPES.length);
  return OBJECT_TYPES[COMMON_TYPES[index - OBJECT_TYPES.length] ?? index] as ObjectType;
}

/** The name is also in an attribute, as in test/fixtures. */
export function createName(name: string): Field[] {
  return [{ value: name, attributes: [{ key: 'title', value: name }] }];
}

function chooseMakers({ occupations }: ObjectType, persons: readonly Person[], random: Random): Person[] {
  if (random.boolean(1 / 6)) return [];
  const able = persons.filter(({ occupation }) => occupations.includes(occupation));
  return random.sample(able, 1 + random.below(2));
}

function productionDate(year: number, { below, pick }: Random): Field {
  const last = year + below(12);
  const text = year === last ? String(year) : pick([`${year}-${last}`, `c. ${year}–${last % 100}`]);
  return createDateField(text, year, last);
}

function describe(title: string, subjects: readonly string[], type: ObjectType, { pick }: Random): string {
  return pick([
    `${title}, showing ${subjects.join(' and ')}.`,
    `${title}.  Shows ${subjects.join(', ')}; ${type.medium[0]?.toLowerCase()}.`,
    `<p>${title} with <em>${subjects[0]}</em> &amp; more.</p>`,
    `${title}.\nCondition: good | complete`,
    '',
  ]);
}
