/** Why a search found nothing, as far as a few requests can tell: what each of its terms was probably meant to be. */
import type { Kind } from '../../../service/kinds.js';
import { normalText } from '../../../service/search/exact.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { likelyValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { facetsWithValues, facetValues } from '../search/field-values.js';
import { namedSets, SETS, setsText } from '../search/named-sets.js';
import { QUERY_FIELDS } from '../search/term-places.js';
import { hintOf } from './bounded.js';
import { countedKind, firstRecords } from './holders.js';

/** Says on standard error what may be wrong with a search that found nothing. Never throws. */
export async function noteWhyNothing(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  offset = 0,
): Promise<void> {
  const hint =
    offset > 0
      ? await hintOf(context, (asked) => pastTheEnd(asked, kind, search, offset))
      : await hintForNothing(context, kind, search);
  if (hint) context.note(hint);
}

/** The same as a sentence, or undefined. */
export async function hintForNothing(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  return hintOf(context, (asked) => whyNothing(asked, kind, search));
}

type Look = (context: Context, kind: Kind, search: RecordSearch) => Promise<string | undefined>;

/** In this order; the first that finds something ends it. */
const LOOKS: readonly Look[] = [onlyWords, unknownSet, unknownFacetValue, nearFacets];

async function whyNothing(context: Context, kind: Kind, search: RecordSearch): Promise<string | undefined> {
  // What the hints ask for again would lack the columns.
  for (const look of search.terms.columns ? [] : LOOKS) {
    const hint = await look(context, kind, search).catch(() => undefined);
    if (hint !== undefined) return hint;
    context.signal.throwIfAborted();
  }
  return termsOf(search) > 1
    ? `no record meets all terms; "opac ${kind} count --explain" with the same options shows what each leaves out`
    : undefined;
}

function termsOf({ terms, facets = [], hasImages }: RecordSearch): number {
  const { text = [], where = [], columns = [], ...others } = terms;
  const set = [hasImages, others.raw, others.collection, others.highlight, others.oneOf, others.externalIds];
  return text.length + where.length + columns.length + facets.length + set.filter(Boolean).length;
}

async function unknownSet(context: Context, _: Kind, { terms }: RecordSearch): Promise<string | undefined> {
  for (const item of SETS) {
    const given = terms[item];
    if (given === undefined) continue;
    const sets = await namedSets(context, item);
    if (sets.length === 0 || sets.some(({ id }) => id === given)) continue;
    const near = likelyValues(
      given,
      sets.map(({ name }) => name),
    );
    const meant = sets.filter(({ name }) => near.includes(name));
    return meant.length > 0
      ? `there is no ${item} "${given}"; did you mean ${setsText(meant)}?`
      : `there is no ${item} "${given}"; choose from ${setsText(sets)}`;
  }
  return undefined;
}

/** The first term whose value its facet does not list, with the values nearest to it. */
async function unknownFacetValue(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  // Facets have the names of collections, and queries their ids.
  const where = (search.terms.where ?? []).filter(({ field }) => !QUERY_FIELDS.has(field));
  const terms = [
    ...(search.facets ?? []).map((term) => ({ ...term, isHeld: isSame })),
    ...where.map((term) => ({ ...term, isHeld: isWithin })),
  ];
  for (const { field, value, isHeld } of terms) {
    const values = await facetValues(context, kind, field);
    const near = values.some((each) => isHeld(value, each)) ? [] : likelyValues(value, values);
    if (near.length === 0) continue;
    const which = termsOf(search) > 1 ? `no ${kind} have "${value}" in ${field}; ` : '';
    return `${which}did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`;
  }
  return undefined;
}

const isSame = (wanted: string, value: string) => normalText(value) === normalText(wanted);
/** As the service compares: a value with other accents or spaces is not the same. */
const isWithin = (wanted: string, value: string) => value.toLowerCase().includes(wanted.toLowerCase());

/** For text without a field: what is like it among the values of all facets. */
async function nearFacets(
  context: Context,
  kind: Kind,
  { terms }: RecordSearch,
): Promise<string | undefined> {
  const { text = [] } = terms;
  if (text.length === 0) return undefined;
  const facets = await facetsWithValues(context, kind);
  for (const wanted of text) {
    if (facets.some(({ labels }) => labels.some((label) => isWithin(wanted, label)))) continue;
    const nearest = facets.flatMap(({ facetId, labels }) =>
      likelyValues(wanted, labels, 1).map((label) => ({ facetId, label })),
    );
    const labels = nearest.map(({ label }) => label);
    const meant = likelyValues(wanted, labels).flatMap((near) =>
      nearest.filter(({ label }) => label === near),
    );
    if (meant.length > 0)
      return `did you mean ${meant.map(({ facetId, label }) => `"${label}" (${facetId})`).join(' or ')}?`;
  }
  return undefined;
}

async function pastTheEnd(context: Context, kind: Kind, search: RecordSearch, offset: number) {
  const { total } = await firstRecords(context, kind, search, 1);
  return total <= offset
    ? `--offset ${count(offset)} is past the last of ${countedKind(total, kind)}`
    : undefined;
}

/** What `--exact` left out, although its words were found. */
async function onlyWords(context: Context, kind: Kind, { terms, ...search }: RecordSearch) {
  if (!terms.exact) return undefined;
  const { total } = await firstRecords(context, kind, { ...search, terms: { ...terms, exact: undefined } });
  if (total === 0) return undefined;
  return `${countedKind(total, kind)} ${total === 1 ? 'has' : 'have'} these words in a longer value: leave out --exact to list them`;
}
