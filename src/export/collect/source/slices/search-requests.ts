/** The requests that opac sends to plan slices (slice-plan.ts): for counts, facet values, and a few records. */
import type { Client } from '../../../../client/client.js';
import { HttpError } from '../../../../client/errors/http-error.js';
import { fetchTotal } from '../../../../client/paging/pages.js';
import { asList, asNumber, asObject, asText, type JsonObject } from '../../../../service/json.js';
import { KIND_KEYS, type Kind } from '../../../../service/kinds.js';
import { readRecord } from '../../../../service/records/record.js';
import type { QueryParameters } from '../../../../service/search/record-search.js';
import { applyFilter, type SliceFilter } from './slice-plan.js';

export interface SearchTarget {
  readonly client: Client;
  readonly kind: Kind;
  /** Query parameters without paging parameters. */
  readonly query: QueryParameters;
  readonly signal: AbortSignal | undefined;
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

export interface FieldValues {
  readonly field: string;
  readonly values: readonly ValueCount[];
}

/** Returns undefined if the service refuses the search or returns no total. */
export async function countSlice(
  { client, kind, query, signal }: SearchTarget,
  filter: SliceFilter,
): Promise<number | undefined> {
  const search = dropSortAndView(applyFilter(query, filter));
  return fallBackOnRefusal(() => fetchTotal(client, `${kind}.search`, { query: search, signal }), undefined);
}

/** Returns the text facets, with a count for each value; `[]` if the service refuses the request. */
export async function fetchFacets(
  { client, kind, query, signal }: SearchTarget,
  filter: SliceFilter,
): Promise<readonly FieldValues[]> {
  const search = dropSortAndView(applyFilter(query, filter));
  return fallBackOnRefusal(async () => {
    const response = await client.get(`${kind}.search`, {
      query: [...search, ['facetedResults', 'true'], ['limit', '0']],
      signal,
    });
    const facets = asList(asObject(asObject(response).facetsCollection).facets).map(asObject);
    return facets
      .filter(({ facetType }) => ['text', ''].includes(asText(facetType)))
      .map(({ facetId, facetLabelValues }) => {
        const values = asList(facetLabelValues).map((each) => {
          const { label, value } = asObject(each);
          return { value: asText(label), count: asNumber(value) ?? 0 };
        });
        return {
          field: asText(facetId),
          values: values.filter(({ value, count }) => value.trim() !== '' && count > 0),
        };
      });
  }, []);
}

/** Returns `[]` if the service refuses the request. */
export async function fetchRecords(
  { client, kind, query, signal }: SearchTarget,
  filter: SliceFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly JsonObject[]> {
  const paging = [
    ['limit', String(limit)],
    ['offset', String(offset)],
  ] as const;
  return fallBackOnRefusal(async () => {
    const search = [...applyFilter(query, filter), ...paging];
    const response = asObject(await client.get(`${kind}.search`, { query: search, signal }));
    return asList(response[KIND_KEYS[kind].listKey]).map(asObject);
  }, []);
}

const MAX_SAMPLE_RECORDS = 100;

/** Reads some of the first and last records in the window. Fields with many different values come first. Counts are estimates. */
export async function sampleFields(
  search: SearchTarget,
  slice: SliceFilter & { readonly total: number },
  window: number,
): Promise<readonly FieldValues[]> {
  const limit = Math.min(MAX_SAMPLE_RECORDS, window);
  const offsets = [...new Set([0, window - limit])];
  const samples = await Promise.all(offsets.map((offset) => fetchRecords(search, slice, { offset, limit })));
  const records = samples.flat();
  const fields = new Map<string, Map<string, number>>();
  for (const raw of records) {
    for (const [field, values] of readRecord(raw, search.kind).fields) {
      const counts = fields.get(field) ?? new Map<string, number>();
      fields.set(field, counts);
      for (const value of new Set(values.map((each) => each.value)))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...fields]
    .sort(([, one], [, other]) => other.size - one.size)
    .map(([field, counts]) => ({
      field,
      // A value that only one of these records has is too rare to estimate its count.
      values: [...counts]
        .filter(([value, count]) => count > 1 && value.trim() !== '')
        .map(([value, count]) => ({ value, count: Math.round((count / records.length) * slice.total) })),
    }));
}

/** Counts do not depend on the sort order and the view. */
function dropSortAndView(query: QueryParameters): QueryParameters {
  return query.filter(([name]) => !['sort', 'direction', 'view'].includes(name));
}

/** Some services respond with 500 or 404 to a search that they refuse. */
export async function fallBackOnRefusal<T>(request: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof HttpError && (error.kind === 'usage' || error.kind === 'not-found')) return fallback;
    if (error instanceof HttpError && (error.status === 500 || error.code === 'window-refused'))
      return fallback;
    throw error;
  }
}
