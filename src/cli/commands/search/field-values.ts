/** Requests the facets of a deployment and their values. */
import { asList, asObject, asText, type Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { pagingParameters, type QueryParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { getAndKeepBytes, readItemList } from '../items/read-list.js';

/** Returns the labels of the values; `[]` if the request fails, for example if the facet does not exist. */
export async function fetchFacetValues(
  { client: connect, signal }: Context,
  kind: Kind,
  field: string,
): Promise<readonly string[]> {
  const client = await connect();
  return client.get(`${kind}.facet`, { path: { facetId: field }, signal }).then(readLabels, () => []);
}

interface FacetValues {
  readonly facetId: string;
  readonly label: string;
  /** The labels of the values of the facet. */
  readonly labels: readonly string[];
}

/** Returns the facets as the service sent them. Throws an OpacError if the response is not a list of records. */
export async function fetchFacets(
  context: Context,
  kind: Kind,
  search: QueryParameters = [],
): Promise<readonly Json[]> {
  const client = await context.client();
  const query = [...search, ['facetedResults', 'true'] as const, ...pagingParameters(0, undefined)];
  const response = await getAndKeepBytes(client, `${kind}.search`, { query, signal: context.signal });
  readItemList(response, `${kind}.search`);
  return asList(asObject(asObject(response).facetsCollection).facets);
}

export async function fetchFacetsWithValues(context: Context, kind: Kind): Promise<readonly FacetValues[]> {
  return (await fetchFacets(context, kind)).map((facet) => ({
    facetId: asText(asObject(facet).facetId),
    label: asText(asObject(facet).facet),
    labels: readLabels(facet),
  }));
}

function readLabels(facet: unknown): string[] {
  return asList(asObject(facet).facetLabelValues).map((each) => asText(asObject(each).label));
}
