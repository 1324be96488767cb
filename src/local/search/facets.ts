/** Counts the facets of a search and filters records by facets, for the three facet types of INTERFACE.md. */
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import { colorNames, fieldValues, type StoredRecord } from '../record.js';

export interface Facet {
  readonly facetId: string;
  readonly facet: string;
  readonly facetType: 'text' | 'range' | 'color';
  readonly kinds: readonly Kind[];
  /** If the records do not have the field, the facet does not exist. */
  readonly field?: string;
  readonly getLabels: (record: StoredRecord) => readonly string[];
}

type LabelsOf = (record: StoredRecord, field: string) => readonly string[];

const createFieldFacet =
  (facetType: Facet['facetType'], labelsOf: LabelsOf) =>
  (facetId: string, facet: string, ...kinds: Kind[]): Facet => ({
    facetId,
    facet,
    facetType,
    kinds,
    field: facetId,
    getLabels: (record) => {
      const labels = labelsOf(record, facetId);
      return labels.length < 2 ? labels : [...new Set(labels)];
    },
  });

const text = createFieldFacet('text', fieldValues);
const years = createFieldFacet('range', getYearRanges);

const FACETS: readonly Facet[] = [
  text('classification', 'Classification', 'objects', 'records'),
  text('subject_category', 'Subject', 'objects'),
  text('maker_name', 'Maker', 'objects'),
  text('production_place', 'Place made', 'objects'),
  years('production_date', 'Date made', 'objects', 'records'),
  text('occupation', 'Occupation', 'persons'),
  text('gender', 'Gender', 'persons'),
  text('birth_place', 'Place of birth', 'persons'),
  years('life_dates', 'Lived', 'persons'),
  text('place', 'Place', 'venues'),
  text('venue_type', 'Type', 'venues'),
  years('opened', 'Opened', 'venues'),
  {
    facetId: 'recordType',
    facet: 'Record type',
    facetType: 'text',
    kinds: ['records'],
    getLabels: ({ kind }) => [KIND_KEYS[kind].recordType],
  },
  {
    facetId: 'collections',
    facet: 'Collection',
    facetType: 'text',
    kinds: ['objects', 'records'],
    getLabels: ({ parsed: { collection } }) => (collection ? [collection.name || collection.id] : []),
  },
  {
    facetId: 'color',
    facet: 'Colour',
    facetType: 'color',
    kinds: ['objects', 'persons', 'venues', 'records'],
    getLabels: colorNames,
  },
];

export function listFacets(kind: Kind, identifiers: readonly string[]): Facet[] {
  return FACETS.filter(
    ({ kinds, field }) => kinds.includes(kind) && (field === undefined || identifiers.includes(field)),
  );
}

/** The counts of a facet, in the form of the service (FIELD-NOTES.md "Answers"). */
export interface FacetCounts extends Pick<Facet, 'facetId' | 'facet' | 'facetType'> {
  readonly facetLabelValues: readonly { readonly label: string; readonly value: number }[];
  readonly totalLabelValues: number;
}

type LabelCount = FacetCounts['facetLabelValues'][number];

/** Compares ranges such as `950-999` by their first years. */
function compareYears(one: LabelCount, other: LabelCount): number {
  return Number.parseInt(one.label, 10) - Number.parseInt(other.label, 10);
}

/** The highest count is the first. */
function compareCounts(one: LabelCount, other: LabelCount): number {
  return other.value - one.value || (one.label < other.label ? -1 : 1);
}

export function createFacetCounter({ facetId, facet, facetType, getLabels }: Facet) {
  const counts = new Map<string, number>();
  return {
    add: (record: StoredRecord): void => {
      for (const label of getLabels(record)) counts.set(label, (counts.get(label) ?? 0) + 1);
    },
    counts: (): FacetCounts => {
      const facetLabelValues = [...counts]
        .map(([label, value]) => ({ label, value }))
        .sort(facetType === 'range' ? compareYears : compareCounts);
      return { facetId, facet, facetType, facetLabelValues, totalLabelValues: facetLabelValues.length };
    },
  };
}

/** An error for a name that is neither a facet nor a field. The message is the name. */
export class UnknownFacet extends Error {}

/** A value in quotes may contain escapes. A value without quotes ends at the comma before the next `field:`. */
const FILTER = /(?:([^:,]+):(?:"((?:[^"\\]|\\[\s\S])*)"|([\s\S]*?))|([\s\S]*?))(?:,(?=\s*\w+:)|$)/gy;

/** Parses `field:value[,field:value]`. A record must match all values. Throws an UnknownFacet for an unknown name. */
export function createFacetFilter(
  parameter: string,
  kind: Kind,
  identifiers: readonly string[],
): (record: StoredRecord) => boolean {
  const facets = listFacets(kind, identifiers);
  const filters = [...parameter.matchAll(FILTER)].filter(([text]) => text !== '');
  const predicates = filters.map(([, name, quoted, plain = '', nameOnly = '']) => {
    const id = (name ?? nameOnly).trim();
    const value = quoted?.replace(/\\([\s\S])/g, '$1') ?? plain;
    const facet = facets.find(({ facetId }) => facetId === id);
    if (!facet && !identifiers.includes(id)) throw new UnknownFacet(id);
    const wanted = value.toLowerCase();
    return (record: StoredRecord) => {
      const labels = facet ? facet.getLabels(record) : fieldValues(record, id);
      return labels.some((label) => label.toLowerCase() === wanted);
    };
  });
  return (record) => predicates.every((predicate) => predicate(record));
}

const YEARS_IN_RANGE = 50;

function getYearRanges({ parsed }: StoredRecord, field: string): string[] {
  return (parsed.fields.get(field) ?? []).flatMap(({ value, attributes }) => {
    const earliest = attributes?.find(({ key }) => key === 'earliest_date')?.value ?? value;
    const year = Number(/^\d{4}/.exec(String(earliest))?.[0]);
    const from = Math.floor(year / YEARS_IN_RANGE) * YEARS_IN_RANGE;
    return Number.isNaN(year) ? [] : [`${from}-${from + YEARS_IN_RANGE - 1}`];
  });
}
