/** Why a search found nothing, as far as a few requests can tell: what each of its terms was probably meant to be. */
import type { Kind } from '../../../service/kinds.js';
import { normalText } from '../../../service/search/exact.js';
import type { FieldTerm } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { asWritten, likelyValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { authorityTerms, facetsWithValues, facetValues, type ValuesOf } from '../search/field-values.js';
import { namedSets, SETS, setsText } from '../search/named-sets.js';
import { QUERY_FIELDS } from '../search/term-places.js';
import { hintOf } from './bounded.js';
import { countedKind, firstRecords, holdersOf } from './holders.js';
import { isCompared, nearRecords, otherSpelling } from './near-words.js';

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
const LOOKS: readonly Look[] = [
  onlyWords,
  unknownSet,
  unknownFacetValue,
  otherSpelling,
  unknownValue(facetValues),
  nearFacets,
  nearRecords,
  unknownValue(authorityTerms),
  fewValues,
  idsOfField,
  noGaps,
];

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

async function unknownFacetValue(context: Context, kind: Kind, search: RecordSearch) {
  const isListed = (wanted: string, value: string) => normalText(value) === normalText(wanted);
  return unknownOf(context, kind, search, search.facets ?? [], { valuesOf: facetValues, isListed });
}

/** A facet may have its most frequent values alone, so the authority list is looked at too. */
function unknownValue(valuesOf: ValuesOf): Look {
  return async (context, kind, search) =>
    unknownOf(context, kind, search, whereOf(search), { valuesOf, isListed: isHeld });
}

const isHeld = (wanted: string, value: string) => asWritten(wanted, value) !== undefined;

/** Facets have the names of collections, and queries their ids. */
function whereOf({ terms: { where = [] } }: RecordSearch): readonly FieldTerm[] {
  return where.filter((term) => isCompared(term) && !QUERY_FIELDS.has(term.field));
}

interface Listing {
  readonly valuesOf: ValuesOf;
  readonly isListed: (wanted: string, value: string) => boolean;
}

/** The first of the terms whose value the deployment does not list, with the values nearest to it. */
async function unknownOf(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  terms: readonly FieldTerm[],
  { valuesOf, isListed }: Listing,
): Promise<string | undefined> {
  for (const { field, value } of terms) {
    const values = await valuesOf(context, kind, field);
    const near = values.some((each) => isListed(value, each)) ? [] : likelyValues(value, values);
    if (near.length === 0) continue;
    return `${whichOf(kind, search, field, value)}did you mean ${near.map(inQuotes).join(' or ')}?`;
  }
  return undefined;
}

async function fewValues(context: Context, kind: Kind, search: RecordSearch): Promise<string | undefined> {
  for (const { field, value } of [...(search.facets ?? []), ...whereOf(search)]) {
    const values = await facetValues(context, kind, field);
    if (values.length === 0 || values.length > FEW || values.some((each) => isHeld(value, each))) continue;
    const all = values.map(inQuotes).join(', ');
    return `${whichOf(kind, search, field, value)}the values of ${field} are ${all}`;
  }
  return undefined;
}

function whichOf(kind: Kind, search: RecordSearch, field: string, value: string): string {
  return termsOf(search) > 1 ? `no ${kind} have "${value}" in ${field}; ` : '';
}

/** Values that are named when none is near. */
const FEW = 8;

function inQuotes(value: string): string {
  return `"${value}"`;
}

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
    if (facets.some(({ labels }) => labels.some((label) => asWritten(wanted, label) !== undefined))) continue;
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

/** Ids that are numbers of another field. */
async function idsOfField(
  context: Context,
  kind: Kind,
  { terms }: RecordSearch,
): Promise<string | undefined> {
  const [first] = terms.externalIds ?? [];
  if (first === undefined) return undefined;
  const holders = await holdersOf(context, kind, first);
  return (
    holders &&
    `"${first}" is a value of ${holders.field}: use --where ${holders.field}=@<file> in place of --external-id`
  );
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

async function noGaps(_: Context, kind: Kind, { terms }: RecordSearch): Promise<string | undefined> {
  const gap = terms.where?.find((term) => !isCompared(term));
  return gap && `--where ${gap.field}= finds ${kind} without a value in ${gap.field}`;
}
