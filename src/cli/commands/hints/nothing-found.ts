/** Why a search found nothing, as far as a few requests can tell: what each of its terms was probably meant to be. */
import type { Kind } from '../../../service/kinds.js';
import { normalText } from '../../../service/search/exact.js';
import type { FieldTerm, Search } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/search.js';
import { asWritten, foldedWords, likelyValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';
import { facetsWithValues, listedValues } from '../search/field-values.js';
import { QUERY_FIELDS } from '../search/known-fields.js';
import { namedSets, SETS, setsText } from '../search/named-sets.js';
import { hintOf } from './bounded.js';
import { countedKind, type Found, firstRecords, holdersOf } from './holders.js';

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
  unknownValue,
  nearFacets,
  idsOfField,
  noGaps,
];

async function whyNothing(context: Context, kind: Kind, search: RecordSearch): Promise<string | undefined> {
  for (const look of LOOKS) {
    const hint = await look(context, kind, search).catch(() => undefined);
    if (hint !== undefined) return hint;
    context.signal.throwIfAborted();
  }
  return termsOf(search) > 1
    ? `no record meets all terms; "opac ${kind} count --explain" with the same options shows what each leaves out`
    : undefined;
}

function termsOf({ terms, facets = [], hasImages }: RecordSearch): number {
  const { text = [], where = [], ...others } = terms;
  const set = [hasImages, others.raw, others.collection, others.highlight, others.oneOf, others.externalIds];
  return text.length + where.length + facets.length + set.filter(Boolean).length;
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
  return unknownOf(context, kind, search, search.facets ?? [], isListed);
}

async function unknownValue(context: Context, kind: Kind, search: RecordSearch) {
  const isListed = (wanted: string, value: string) => asWritten(wanted, value) !== undefined;
  // Facets have the names of collections, and queries their ids.
  const where = (search.terms.where ?? []).filter(
    (term) => isCompared(term) && !QUERY_FIELDS.has(term.field),
  );
  return unknownOf(context, kind, search, where, isListed);
}

/** The first of the terms whose value the deployment does not list, with the values nearest to it. */
async function unknownOf(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  terms: readonly FieldTerm[],
  isListed: (wanted: string, value: string) => boolean,
): Promise<string | undefined> {
  for (const { field, value } of terms) {
    const values = await listedValues(context, kind, field).catch(() => []);
    if (values.length === 0 || values.some((each) => isListed(value, each))) continue;
    const near = likelyValues(value, values);
    const which = termsOf(search) > 1 ? `no ${kind} have "${value}" in ${field}; ` : '';
    if (near.length > 0) return `${which}did you mean ${near.map(inQuotes).join(' or ')}?`;
    if (values.length <= FEW) return `${which}the values of ${field} are ${values.map(inQuotes).join(', ')}`;
  }
  return undefined;
}

/** Values that are named when none is near. */
const FEW = 8;

function inQuotes(value: string): string {
  return `"${value}"`;
}

/** The words without their order, quotes and, where the service folds them, accents. */
async function otherSpelling(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  const { text = [], where = [], raw } = search.terms;
  const compared = where.filter(isCompared);
  const words = [
    ...text.flatMap((each) => wordsOf(each)),
    ...compared.flatMap(({ field, value }) => wordsOf(value).map((word) => `${field}:${word}`)),
  ];
  if (words.length === 0) return undefined;
  const terms: Search = {
    ...search.terms,
    text: [],
    where: where.filter((term) => !isCompared(term)),
    raw: [...(raw?.trim() ? [`(${raw})`] : []), ...words].join(' AND '),
  };
  const found = await firstRecords(context, kind, { ...search, terms });
  for (const each of [...text.map((value) => ({ field: undefined, value })), ...compared]) {
    const hint = spelling(kind, each, found);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

function spelling(
  kind: Kind,
  { field, value: wanted }: { readonly field: string | undefined; readonly value: string },
  { records, total }: Found,
): string | undefined {
  const values = records.flatMap(({ fields }) =>
    (field === undefined ? [...fields.values()].flat() : (fields.get(field) ?? [])).map(({ value }) => value),
  );
  const written = values
    .map((value) => asWritten(wanted, value))
    .find((each) => each !== undefined && each.toLowerCase() !== wanted.normalize('NFC').toLowerCase());
  if (written !== undefined) {
    const isAccented = withoutAccents(written) === withoutAccents(wanted);
    return `did you mean "${written}"?${isAccented ? ' This service does not find it without its accents' : ''}`;
  }
  const words = foldedWords(wanted);
  const whole = values.find((value) => {
    const held = foldedWords(value);
    return words.every((word) => held.includes(word));
  });
  if (whole === undefined || words.length < 2) return undefined;
  if (field !== undefined) return `did you mean "${whole}"?`;
  return `${countedKind(total, kind)} ${total === 1 ? 'has' : 'have'} these words, but not side by side: write them as separate words, without quotes`;
}

function withoutAccents(text: string): string {
  return normalText(text.normalize('NFD').replace(/\p{M}/gu, ''));
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

function isCompared({ value }: FieldTerm): boolean {
  return value.trim() !== '';
}

/** As they are typed, but none that the query language takes for an operator. */
function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word) => (/^(AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word));
}
