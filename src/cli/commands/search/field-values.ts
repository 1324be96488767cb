/** The values that a deployment lists of a field: those of its facet, or the terms of its authority list. */
import { SERVICE_ITEMS } from '../../../service/endpoints/items.js';
import { asList, asObject, asText, isObject, type Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { pagingParameters } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import { listOf } from '../items/read-list.js';

/** In one response, where the deployment gives so many. */
const MOST_TERMS = 1000;

export type ValuesOf = (context: Context, kind: Kind, field: string) => Promise<readonly string[]>;

/** Costs one request, and so does `authorityTerms`. `[]` where the deployment lists none. */
export const facetValues: ValuesOf = async ({ client: open, signal }, kind, field) => {
  const client = await open();
  return client.get(`${kind}.facet`, { path: { facetId: field }, signal }).then(labelsOf, () => []);
};

export const authorityTerms: ValuesOf = async ({ client: open, signal }, kind, field) => {
  if (kind === 'records') return [];
  const client = await open();
  // Objects have the terms of the default collection (INTERFACE.md "Authority terms").
  const endpointId = `${kind === 'objects' ? 'collections' : kind}.authorities` as const;
  const path = { authorityFieldName: field };
  const query = pagingParameters(MOST_TERMS, undefined);
  return client.get(endpointId, { path, query, signal }).then(
    (response) => listOf(response, endpointId).records.map(termText),
    () => [],
  );
};

interface FacetValues {
  readonly facetId: string;
  readonly labels: readonly string[];
}

/** Every facet with its values, as far as the deployment gives them with a search. */
export async function facetsWithValues(context: Context, kind: Kind): Promise<readonly FacetValues[]> {
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

function termText(term: Json): string {
  if (!isObject(term)) return asText(term);
  return asText(SERVICE_ITEMS.term.idKeys.map((key) => term[key]).find((text) => text !== undefined));
}
