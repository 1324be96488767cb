/** What a plan is made of: counts, facets, and a few records, asked of the service. */
import type { Client } from '../../../../client/client.js';
import { HttpError } from '../../../../client/errors/http-error.js';
import { countOf } from '../../../../client/paging/pages.js';
import { asList, asNumber, asObject, asText, type JsonObject } from '../../../../service/json.js';
import { KIND_WORDS, type Kind } from '../../../../service/kinds.js';
import type { QueryParameters } from '../../../../service/search/search.js';
import { type Narrowing, narrowed } from './plan.js';

export interface CountedSearch {
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

export interface FacetCounts {
  readonly field: string;
  readonly type: string;
  readonly values: readonly ValueCount[];
}

/** How many records match; undefined when the service does not understand the question or gives no total. */
export async function countSlice(
  { client, kind, query, signal }: CountedSearch,
  narrowing: Narrowing,
): Promise<number | undefined> {
  const search = unordered(narrowed(query, narrowing));
  return orUnknown(() => countOf(client, `${kind}.search`, { query: search, signal }), undefined);
}

/** The facets of a slice with the counts of their values; `[]` where there are none. */
export async function facetsOfSlice(
  { client, kind, query, signal }: CountedSearch,
  narrowing: Narrowing,
): Promise<readonly FacetCounts[]> {
  const search = unordered(narrowed(query, narrowing));
  return orUnknown(async () => {
    const answer = await client.get(`${kind}.search`, {
      query: [...search, ['facetedResults', 'true'], ['limit', '0']],
      signal,
    });
    return asList(asObject(asObject(answer).facetsCollection).facets).map((item) => {
      const { facetId, facetType, facetLabelValues } = asObject(item);
      const values = asList(facetLabelValues).map((each) => {
        const { label, value } = asObject(each);
        return { value: asText(label), count: asNumber(value) ?? 0 };
      });
      return {
        field: asText(facetId),
        type: asText(facetType),
        values: values.filter(({ value, count }) => value.trim() !== '' && count > 0),
      };
    });
  }, []);
}

/** Some records of a slice, as the service gave them; `[]` where it does not. */
export async function recordsOfSlice(
  { client, kind, query, signal }: CountedSearch,
  narrowing: Narrowing,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly JsonObject[]> {
  const paging = [
    ['limit', String(limit)],
    ['offset', String(offset)],
  ] as const;
  return orUnknown(async () => {
    const search = [...narrowed(query, narrowing), ...paging];
    const answer = asObject(await client.get(`${kind}.search`, { query: search, signal }));
    return asList(answer[KIND_WORDS[kind].listKey]).map(asObject);
  }, []);
}

/** The collections of the deployment by id; `[]` where it lists none. */
export async function collectionIds({ client, signal }: CountedSearch): Promise<readonly string[]> {
  return orUnknown(async () => {
    const answer = asObject(await client.get('collections.list', { signal }));
    return asList(answer.opacCollections)
      .map((item) => asText(asObject(item).opacCollectionId))
      .filter(Boolean);
  }, []);
}

/** Counts need no order and no view. */
function unordered(query: QueryParameters): QueryParameters {
  return query.filter(([name]) => !['sort', 'direction', 'view'].includes(name));
}

/** A question that the service refuses, or has no answer to, has taught that. What else went wrong is thrown. */
async function orUnknown<T>(ask: () => Promise<T>, unknown: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof HttpError && (error.kind === 'usage' || error.kind === 'not-found')) return unknown;
    if (error instanceof HttpError && (error.status === 500 || error.code === 'window-refused'))
      return unknown;
    throw error;
  }
}
