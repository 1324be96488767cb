/** A search of records: what is looked for, in what order, and the query parameters that say so. */
import { buildQuery, type FieldValue, type Search } from './query.js';

export interface RecordSearch {
  readonly terms: Search;
  /** Filters by facet value. */
  readonly facets?: readonly FieldValue[] | undefined;
  readonly hasImages?: boolean | undefined;
  /** Identifier of the field to sort by. */
  readonly sort?: string | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
  /** `label`, `detail` or a view of the deployment. */
  readonly view?: string | undefined;
}

export type QueryParameters = readonly (readonly [name: string, value: string])[];

/**
 * The query parameters of a search, without paging (FIELD-NOTES.md "Requests"). Throws a UsageError for a query that
 * cannot be right.
 */
export function searchParameters({
  terms,
  facets,
  hasImages,
  sort,
  direction,
  view,
}: RecordSearch): QueryParameters {
  const filters = (facets ?? []).map(({ field, value }) => `${field}:${value}`).join(',');
  const parameters: readonly (readonly [string, string | undefined])[] = [
    ['query', buildQuery(terms)],
    ['facet', filters || undefined],
    ['hasImages', hasImages ? 'true' : undefined],
    ['sort', sort],
    ['direction', direction],
    ['view', view],
  ];
  return parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
