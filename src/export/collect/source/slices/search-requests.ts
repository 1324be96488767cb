/** What a plan is made of: counts, values of fields, and a few records, requested from the service. */
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
  /** Query parameters without those of paging. */
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

/** How many records match; undefined when the service does not understand the question or gives no total. */
export async function countSlice(
  { client, kind, query, signal }: SearchTarget,
  filter: SliceFilter,
): Promise<number | undefined> {
  const search = dropSortAndView(applyFilter(query, filter));
  return fallBackOnRefusal(() => fetchTotal(client, `${kind}.search`, { query: search, signal }), undefined);
}

/** The text facets of a slice with the counts of their values; `[]` where there are none. */
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

/** Some records of a slice, as the service gave them; `[]` where it does not. */
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

const SAMPLE = 100;

/**
 * The fields of records from both ends of what the window gives, those with the most values first. Their values have the
 * counts to expect in the slice.
 */
export async function sampleFields(
  search: SearchTarget,
  slice: SliceFilter & { readonly total: number },
  window: number,
): Promise<readonly FieldValues[]> {
  const limit = Math.min(SAMPLE, window);
  const samples = await Promise.all(
    [...new Set([0, window - limit])].map((offset) => fetchRecords(search, slice, { offset, limit })),
  );
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
      // A value found once says little about how many records have it.
      values: [...counts]
        .filter(([value, count]) => count > 1 && value.trim() !== '')
        .map(([value, count]) => ({ value, count: Math.round((count / records.length) * slice.total) })),
    }));
}

/** Counts need no order and no view. */
function dropSortAndView(query: QueryParameters): QueryParameters {
  return query.filter(([name]) => !['sort', 'direction', 'view'].includes(name));
}

/** Gives `unknown` when the service refuses the request or has no such thing. Throws any other error. */
async function fallBackOnRefusal<T>(request: () => Promise<T>, unknown: T): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof HttpError && (error.kind === 'usage' || error.kind === 'not-found')) return unknown;
    if (error instanceof HttpError && (error.status === 500 || error.code === 'window-refused'))
      return unknown;
    throw error;
  }
}
