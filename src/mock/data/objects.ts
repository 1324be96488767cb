/** The objects: one a number, made from the tables of words. Relationships are tied when everything is made. */
import { type Random, seededRandom } from '../random.js';
import { EDGE_CASES } from './edge-cases.js';
import type { Person } from './persons.js';
import { type Field, type RecordDraft, searchable, value } from './record-json.js';
import { ADJECTIVES, COLLECTIONS, GIVERS, OBJECT_TYPES, type ObjectType, PLACES } from './words.js';

export interface ObjectDraft extends Omit<RecordDraft, 'relationships'> {
  readonly makers: readonly Person[];
  readonly role: string;
}

/** The object of that number, counted from 0. It is made by some of the persons, or by nobody known. */
export function makeObject(number: number, persons: readonly Person[]): ObjectDraft {
  const luck = seededRandom(number);
  const sort = sortOf(number);
  const id = String(20_011 + 11 * number);
  const title = `${luck.pick(ADJECTIVES)} ${luck.pick(sort.nouns)}`;
  const subjects = luck.sample(sort.subjects, 1 + luck.below(sort.subjects.length));
  const makers = makersFor(sort, persons, luck);
  const year = makers[0] ? makers[0].born + 20 + luck.below(40) : 1790 + luck.below(160);
  const acquired = String(year + 5 + luck.below(60));
  const collection = COLLECTIONS.findIndex(({ name }) => name === sort.collection) + 1;
  const fields: Record<string, readonly Field[]> = {
    accession_no: value(`${acquired}.${number + 1}.${1 + luck.below(40)}`),
    name: titled(title),
    brief_desc: value(describe(title, subjects, sort, luck)),
    production_date: luck.boolean(0.1) ? value('date not known') : [dated(year, luck)],
    production_place: searchable('production_place', luck.boolean(0.15) ? '' : luck.pick(PLACES)),
    maker_name: searchable('maker_name', ...makers.map(({ name }) => name)),
    production_role: makers.map(() => ({ value: sort.role })),
    medium_desc: value(luck.pick(sort.medium)),
    measurements: sort.parts
      .slice(0, luck.below(sort.parts.length + 1))
      .map((part) => ({ value: `${part}: ${20 + luck.below(900)} x ${20 + luck.below(900)}mm` })),
    classification: searchable('classification', sort.classification),
    subject_category: searchable('subject_category', ...subjects),
    collection: searchable('collection', sort.collection ?? ''),
    credit_line: value(
      `${luck.pick(['Gift of', 'Bequest of', 'Purchased from'])} ${luck.pick(GIVERS)}, ${acquired}`,
    ),
    acquisition_year: searchable('acquisition_year', acquired),
    // No value, in its three spellings: an empty string, an empty set and, for every other object, no set at all.
    inscription: value(luck.boolean(0.3) ? `signed "${makers[0]?.name ?? 'anon.'}"` : ''),
    prov_person: [],
    ...(number % 2 === 0 && { user_sym_70: value(number % 4 === 0 ? '' : 'Yes') }),
  };
  Object.assign(fields, EDGE_CASES[number]);
  return {
    kind: 'objects',
    id,
    title: fields.name?.[0]?.value ?? title,
    fields,
    makers,
    role: sort.role,
    images: Array.from({ length: luck.boolean(0.25) ? 0 : 1 + luck.below(3) }, (_, index) => ({
      recordId: id,
      imageId: 700_000 + 10 * number + index,
      caption: title,
      labels: luck.sample(sort.labels, 3 + luck.below(3)),
    })),
    ...(collection > 0 && {
      collection: { opacCollectionId: String(collection), collectionName: sort.collection ?? '' },
    }),
  };
}

/** Museums have many photographs and few carvings: behind one of each sort come further ones of the common sorts. */
const FURTHER = [7, 6, 4, 7, 1, 6, 10, 7, 2, 6, 8, 7, 4] as const;

function sortOf(number: number): ObjectType {
  const place = number % (OBJECT_TYPES.length + FURTHER.length);
  return OBJECT_TYPES[
    place < OBJECT_TYPES.length ? place : (FURTHER[place - OBJECT_TYPES.length] as number)
  ] as ObjectType;
}

/** Its name; the attribute repeats it, as the captured answer has it. */
export function titled(name: string): Field[] {
  return [{ value: name, attributes: [{ key: 'title', value: name }] }];
}

/** One or two people of the right occupation; one object in six has no known maker. */
function makersFor(
  { occupations }: ObjectType,
  persons: readonly Person[],
  { below, boolean: is, sample: some }: Random,
): Person[] {
  if (is(1 / 6)) return [];
  const able = persons.filter(({ occupation }) => occupations.includes(occupation));
  return some(able, 1 + below(2));
}

function dated(year: number, { below, pick }: Random): Field {
  const last = year + below(12);
  const text = year === last ? String(year) : pick([`${year}-${last}`, `c. ${year}–${last % 100}`]);
  return {
    value: text,
    attributes: [
      { key: 'earliest_date', value: `${year}-01-01Z` },
      { key: 'latest_date', value: `${last}-12-31Z` },
    ],
  };
}

function describe(title: string, subjects: readonly string[], sort: ObjectType, { pick }: Random): string {
  return pick([
    `${title}, showing ${subjects.join(' and ')}.`,
    `${title}.  Shows ${subjects.join(', ')}; ${sort.medium[0]?.toLowerCase()}.`,
    `<p>${title} with <em>${subjects[0]}</em> &amp; more.</p>`,
    `${title}.\nCondition: good | complete`,
    '',
  ]);
}
