/** A search of records, and its query parameters. */
import { buildQuery, type FieldTerm, quoteValue, type SearchTerms } from './query.js';

/** A search for records. */
export interface RecordSearch {
  readonly terms: SearchTerms;
  readonly facets?: readonly FieldTerm[] | undefined;
  readonly hasImages?: boolean | undefined;
  readonly sort?: string | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
  /** If true, opac sorts the records by the dates in the field that `sort` names. */
  readonly isByDate?: boolean | undefined;
  readonly view?: string | undefined;
  /** True if the ids come from change logs, not from the user. A result without some of these ids is not an error. */
  readonly mayLackIds?: boolean | undefined;
}

/** Returns the part of a search that a query can express. */
export function withoutColumns(search: RecordSearch): RecordSearch {
  return { ...search, terms: { ...search.terms, columns: undefined } };
}

/** Query parameters, in order and not encoded. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

/** Returns true for the view `detail`, which contains all fields of a record. */
export function isDetailView(query: QueryParameters): boolean {
  return query.some(([name, value]) => name === 'view' && value === 'detail');
}

export function pagingParameters(limit: number | undefined, offset: number | undefined): QueryParameters {
  return [
    ...(limit === undefined ? [] : [['limit', String(limit)] as const]),
    ...(offset === undefined ? [] : [['offset', String(offset)] as const]),
  ];
}

type Parameter = readonly [name: string, value: string | undefined];

const PARAMETERS: Readonly<Record<keyof RecordSearch, (search: RecordSearch) => Parameter>> = {
  terms: ({ terms }) => ['query', buildQuery(terms)],
  facets: ({ facets = [] }) => [
    'facet',
    facets.map(({ field, value }) => `${field}:${formatFacetValue(value)}`).join(',') || undefined,
  ],
  hasImages: ({ hasImages }) => ['hasImages', hasImages ? 'true' : undefined],
  sort: ({ sort }) => ['sort', sort],
  direction: ({ direction }) => ['direction', direction],
  isByDate: () => ['isByDate', undefined],
  mayLackIds: () => ['mayLackIds', undefined],
  view: ({ view }) => ['view', view],
};

/** Quotes a value that begins with a quote or looks like several facets (FIELD-NOTES.md: `facet=field:value[,field:value]`). */
function formatFacetValue(value: string): string {
  return /^"|,[^,:]*:/.test(value) ? quoteValue(value) : value;
}

/** A value in quotes may contain escapes. A value without quotes ends at the comma before the next `field:`. */
const FACET = /([^:,]+):(?:"((?:[^"\\]|\\.)*)"|(.*?))(?:,(?=[^:,]+:)|$)/gsy;

/** Parses `field:value[,field:value]`. */
export function parseFacets(parameter: string): readonly FieldTerm[] {
  return [...parameter.matchAll(FACET)].map(([, field = '', quoted, plain = '']) => ({
    field,
    value: quoted?.replace(/\\(.)/gs, '$1') ?? plain,
  }));
}

/** Returns the query parameters, without paging. Throws a UsageError for an invalid query. */
export function searchParameters(search: RecordSearch): QueryParameters {
  return Object.values(PARAMETERS).flatMap((parameter) => {
    const [name, value] = parameter(search);
    return value === undefined ? [] : [[name, value] as const];
  });
}
