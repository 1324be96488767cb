/** Why a search found nothing, as far as a few requests can tell: what each of its terms was probably meant to be. */
import { formatCount } from '../../../service/format-numbers.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import {
  pagingParameters,
  type RecordSearch,
  searchParameters,
} from '../../../service/search/record-search.js';
import { findSimilarValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { readItemList } from '../items/read-list.js';
import { fetchFacetsWithValues, fetchFacetValues } from '../search/field-values.js';
import { fetchNamedSets, formatSets, SET_NAMES } from '../search/named-sets.js';
import { QUERY_FIELDS } from '../search/term-places.js';

/** Milliseconds: nobody waits longer for a hint. */
const MAX_WAIT = 5000;

/** Says on standard error what may be wrong with a search that found nothing. Never throws. */
export async function noteEmptyResultHint(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  offset = 0,
): Promise<void> {
  const hint =
    offset > 0
      ? `--offset ${count(offset)} skips all records that match`
      : await findEmptyResultHint(context, kind, search);
  if (hint) context.note(hint);
}

type FindHint = (context: Context, kind: Kind, search: RecordSearch) => Promise<string | undefined>;

/** In this order; the first that finds something ends it. */
const HINT_FINDERS: readonly FindHint[] = [
  suggestWithoutExact,
  unknownSet,
  unknownFacetValue,
  suggestFacetValues,
];

/** The same as a sentence; undefined when nothing is found in time, with `--quiet`, and where nothing is sent. */
export async function findEmptyResultHint(
  { globalOptions, dryRunLog, signal, ...context }: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  // What the hints ask for again would lack the columns.
  if (globalOptions.quiet || dryRunLog || search.terms.columns) return undefined;
  const within = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT)]);
  const silent = {
    ...context,
    globalOptions,
    dryRunLog,
    signal: within,
    note: () => {},
    noteVerbose: () => {},
  };
  for (const look of HINT_FINDERS) {
    if (within.aborted) return undefined;
    const hint = await look(silent, kind, search).catch(() => undefined);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** What `--exact` left out, although its words were found. */
async function suggestWithoutExact(context: Context, kind: Kind, { terms, ...search }: RecordSearch) {
  if (!terms.exact) return undefined;
  const client = await context.client();
  const inWords = { ...search, view: search.view ?? 'detail', terms: { ...terms, exact: undefined } };
  const query = [...searchParameters(inWords), ...pagingParameters(1, 0)];
  const response = await client.get(`${kind}.search`, { query, signal: context.signal });
  const { records, total = records.length } = readItemList(response, `${kind}.search`);
  if (total === 0) return undefined;
  const found = formatCount(total, KIND_KEYS[kind].recordType);
  return `${found} ${total === 1 ? 'has' : 'have'} these words in a longer value: leave out --exact to list them`;
}

async function unknownSet(context: Context, _: Kind, { terms }: RecordSearch): Promise<string | undefined> {
  for (const item of SET_NAMES) {
    const given = terms[item];
    if (given === undefined) continue;
    const sets = await fetchNamedSets(context, item);
    if (sets.length === 0 || sets.some(({ id }) => id === given)) continue;
    const near = findSimilarValues(
      given,
      sets.map(({ name }) => name),
    );
    const meant = sets.filter(({ name }) => near.includes(name));
    return meant.length > 0
      ? `there is no ${item} "${given}"; did you mean ${formatSets(meant)}?`
      : `there is no ${item} "${given}"; choose from ${formatSets(sets)}`;
  }
  return undefined;
}

/** The first term whose value its facet does not list, with the values nearest to it. */
async function unknownFacetValue(
  context: Context,
  kind: Kind,
  { terms, facets = [] }: RecordSearch,
): Promise<string | undefined> {
  // Facets have the names of collections, and queries their ids.
  const where = (terms.where ?? []).filter(({ field }) => !QUERY_FIELDS.has(field));
  const all = [
    ...facets.map((term) => ({ ...term, isHeld: isSame })),
    ...where.map((term) => ({ ...term, isHeld: isWithin })),
  ];
  for (const { field, value, isHeld } of all) {
    const values = await fetchFacetValues(context, kind, field);
    const near = values.some((each) => isHeld(value, each)) ? [] : findSimilarValues(value, values);
    const named = near.map((each) => `"${each}"`).join(' or ');
    if (near.length > 0) return `no ${kind} have "${value}" in ${field}; did you mean ${named}?`;
  }
  return undefined;
}

const isSame = (wanted: string, value: string) => normalizeText(value) === normalizeText(wanted);
/** As the service compares: a value with other accents or spaces is not the same. */
const isWithin = (wanted: string, value: string) => value.toLowerCase().includes(wanted.toLowerCase());

/** For text without a field: what is like it among the values of all facets. */
async function suggestFacetValues(
  context: Context,
  kind: Kind,
  { terms: { text = [] } }: RecordSearch,
): Promise<string | undefined> {
  const facets = text.length > 0 ? await fetchFacetsWithValues(context, kind) : [];
  for (const wanted of text) {
    if (facets.some(({ labels }) => labels.some((label) => isWithin(wanted, label)))) continue;
    const near = findSimilarValues(
      wanted,
      facets.flatMap(({ labels }) => labels),
    );
    const named = near.map((label) => {
      const facet = facets.find(({ labels }) => labels.includes(label));
      return `"${label}" (${facet?.facetId})`;
    });
    if (named.length > 0) return `did you mean ${named.join(' or ')}?`;
  }
  return undefined;
}
