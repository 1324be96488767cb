/** The facets: counted from the records of a search, and filters of it. All three facet types of INTERFACE.md. */
import { KIND_WORDS, type Kind } from '../../service/kinds.js';
import { colorNames, fieldValues, type RecordList, type StoredRecord } from '../data/record-list.js';

export interface Facet {
  readonly facetId: string;
  readonly facet: string;
  readonly facetType: 'text' | 'range' | 'color';
  readonly kinds: readonly Kind[];
  /** The field whose values are counted. A facet of a field that no record has does not exist. */
  readonly field?: string;
  /** The labels a record is counted under, each once. */
  readonly labelsOf: (entry: StoredRecord) => readonly string[];
}

const text = (facetId: string, facet: string, field: string, ...kinds: Kind[]): Facet => ({
  facetId,
  facet,
  facetType: 'text',
  kinds,
  field,
  labelsOf: (entry) => [...new Set(fieldValues(entry, field))],
});

const years = (facetId: string, facet: string, field: string, ...kinds: Kind[]): Facet => ({
  facetId,
  facet,
  facetType: 'range',
  kinds,
  field,
  labelsOf: (entry) => spansOf(entry, field),
});

const FACETS: readonly Facet[] = [
  text('classification', 'Classification', 'classification', 'objects', 'records'),
  text('subject_category', 'Subject', 'subject_category', 'objects'),
  text('maker_name', 'Maker', 'maker_name', 'objects'),
  text('production_place', 'Place made', 'production_place', 'objects'),
  years('production_date', 'Date made', 'production_date', 'objects', 'records'),
  text('occupation', 'Occupation', 'occupation', 'persons'),
  text('gender', 'Gender', 'gender', 'persons'),
  text('birth_place', 'Place of birth', 'birth_place', 'persons'),
  years('life_dates', 'Lived', 'life_dates', 'persons'),
  text('place', 'Place', 'place', 'venues'),
  text('venue_type', 'Type', 'venue_type', 'venues'),
  years('opened', 'Opened', 'opened', 'venues'),
  {
    facetId: 'recordType',
    facet: 'Record type',
    facetType: 'text',
    kinds: ['records'],
    labelsOf: ({ kind }) => [KIND_WORDS[kind].recordType],
  },
  {
    facetId: 'collections',
    facet: 'Collection',
    facetType: 'text',
    kinds: ['objects', 'records'],
    labelsOf: ({ parsed: facts }) => (facts.collection ? [facts.collection.name || facts.collection.id] : []),
  },
  {
    facetId: 'color',
    facet: 'Colour',
    facetType: 'color',
    kinds: ['objects', 'persons', 'venues', 'records'],
    labelsOf: colorNames,
  },
];

/** The facets of a kind: those whose field some record has. */
export function facetsOf(kind: Kind, shelf: RecordList): Facet[] {
  const identifiers = new Set(shelf.identifiers);
  return FACETS.filter(
    ({ kinds, field }) => kinds.includes(kind) && (field === undefined || identifiers.has(field)),
  );
}

/** The facet with its values as the service answers it (FIELD-NOTES.md "Answers"): ranges by year, others by count. */
export function countFacet(
  { facetId, facet, facetType, labelsOf }: Facet,
  entries: Iterable<StoredRecord>,
): object {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    for (const label of labelsOf(entry)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const facetLabelValues = [...counts]
    .map(([label, value]) => ({ label, value }))
    .sort(
      (one, other) =>
        (facetType === 'range' ? 0 : other.value - one.value) || (one.label < other.label ? -1 : 1),
    );
  return { facetId, facet, facetType, facetLabelValues, totalLabelValues: facetLabelValues.length };
}

/** A filter parameter `facet=field:value[,field:value]` that names no facet or field. */
export class UnknownFacet extends Error {}

/**
 * The test of the filter parameter: a record must be counted under every label named. A comma parts two filters only
 * before the next `field:`, as values hold commas too. A field that is no facet is compared by its whole values.
 */
export function facetFilter(
  parameter: string,
  kind: Kind,
  shelf: RecordList,
): (entry: StoredRecord) => boolean {
  const facets = new Map(facetsOf(kind, shelf).map((facet) => [facet.facetId, facet]));
  const tests = parameter.split(/,(?=\s*\w+:)/).map((part) => {
    const [, id = part, value = ''] = part.match(/^\s*([^:]+):([\s\S]*)$/) ?? [];
    const facet = facets.get(id);
    if (!facet && !shelf.identifiers.includes(id)) throw new UnknownFacet(id);
    const wanted = value.replace(/^"([\s\S]*)"$/, '$1').toLowerCase();
    return (entry: StoredRecord) =>
      (facet ? facet.labelsOf(entry) : fieldValues(entry, id)).some(
        (label) => label.toLowerCase() === wanted,
      );
  });
  return (entry) => tests.every((test) => test(entry));
}

/** Years in a range facet's step. */
const STEP = 50;

function spansOf({ parsed: facts }: StoredRecord, field: string): string[] {
  const spans = (facts.fields.get(field) ?? []).flatMap(({ value, attributes }) => {
    const earliest = attributes?.find(({ key }) => key === 'earliest_date')?.value ?? value;
    const year = Number(/^\d{4}/.exec(String(earliest))?.[0]);
    const from = Math.floor(year / STEP) * STEP;
    return Number.isNaN(year) ? [] : [`${from}-${from + STEP - 1}`];
  });
  return [...new Set(spans)];
}
