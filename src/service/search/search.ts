/** A search of records: what is looked for, in what order, and the query parameters that say so. */
import { buildQuery, type FieldTerm, type Search } from './query.js';

export interface RecordSearch {
  readonly terms: Search;
  /** Filters by facet value. */
  readonly facets?: readonly FieldTerm[] | undefined;
  readonly hasImages?: boolean | undefined;
  /** Identifier of the field to sort by. */
  readonly sort?: string | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
  /** `label`, `detail` or a view of the deployment. */
  readonly view?: string | undefined;
}

export type QueryParameters = readonly (readonly [name: string, value: string])[];

/** The parameters of a page, without those that are undefined. */
export function pagingParameters(limit: number | undefined, offset: number | undefined): QueryParameters {
  return [
    ...(limit === undefined ? [] : [['limit', String(limit)] as const]),
    ...(offset === undefined ? [] : [['offset', String(offset)] as const]),
  ];
}

type Parameter = readonly [name: string, value: string | undefined];

/** In the order they are sent. A part of a search without a parameter here does not compile. */
const PARAMETERS: Readonly<Record<keyof RecordSearch, (search: RecordSearch) => Parameter>> = {
  terms: ({ terms }) => ['query', buildQuery(terms)],
  facets: ({ facets = [] }) => [
    'facet',
    facets.map(({ field, value }) => `${field}:${value}`).join(',') || undefined,
  ],
  hasImages: ({ hasImages }) => ['hasImages', hasImages ? 'true' : undefined],
  sort: ({ sort }) => ['sort', sort],
  direction: ({ direction }) => ['direction', direction],
  view: ({ view }) => ['view', view],
};

/**
 * The query parameters of a search, without paging (FIELD-NOTES.md "Requests"). Throws a UsageError for a query that
 * cannot be right.
 */
export function searchParameters(search: RecordSearch): QueryParameters {
  return Object.values(PARAMETERS).flatMap((parameter) => {
    const [name, value] = parameter(search);
    return value === undefined ? [] : [[name, value] as const];
  });
}
