/** The values that a deployment lists in its facets. */
import { asList, asObject, asText } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { pagingParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';

/** Costs one request. `[]` where the deployment has no such facet. */
export async function fetchFacetValues(
  { client: open, signal }: Context,
  kind: Kind,
  field: string,
): Promise<readonly string[]> {
  const client = await open();
  return client.get(`${kind}.facet`, { path: { facetId: field }, signal }).then(labelsOf, () => []);
}

interface FacetValues {
  readonly facetId: string;
  readonly labels: readonly string[];
}

/** Every facet with its values, as far as the deployment gives them with a search. */
export async function fetchFacetsWithValues(context: Context, kind: Kind): Promise<readonly FacetValues[]> {
  const client = await context.client();
  const query = [['facetedResults', 'true'] as const, ...pagingParameters(0, undefined)];
  const response = await client.get(`${kind}.search`, { query, signal: context.signal });
  return asList(asObject(asObject(response).facetsCollection).facets).map((facet) => ({
    facetId: asText(asObject(facet).facetId),
    labels: labelsOf(facet),
  }));
}

function labelsOf(facet: unknown): string[] {
  return asList(asObject(facet).facetLabelValues).map((each) => asText(asObject(each).label));
}
