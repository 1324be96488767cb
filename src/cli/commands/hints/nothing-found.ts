/** Finds hints for a search without results. Sends a few requests. */
import { DEFAULT_PAGE_SIZE } from '../../../client/defaults.js';
import { findFormatByName } from '../../../export/convert/formats.js';
import { formatCount } from '../../../service/format-numbers.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { fieldColumnName, parseColumn } from '../../../service/records/columns.js';
import { PlaceholderCensus } from '../../../service/records/placeholders.js';
import { readRecord } from '../../../service/records/record.js';
import { suggestYearRange } from '../../../service/search/date-terms.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import { type RecordSearch, withoutColumns } from '../../../service/search/record-search.js';
import { findSimilarValues } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { formatShellWord } from '../../description/shell-words.js';
import { count } from '../../output/terminal/numbers.js';
import { fetchFacetsWithValues, fetchFacetValues } from '../search/field-values.js';
import { isListFile } from '../search/id-list.js';
import { fetchNamedSets, formatSets, SET_NAMES } from '../search/named-sets.js';
import { fetchMatchTotal, fetchPublishedFields, fetchSearchPage } from '../search/search-pages.js';
import { QUERY_FIELDS } from '../search/term-places.js';
import { ValueCounts } from './value-counts.js';

const MAX_WAIT_MS = 5000;

/** Prints a hint if a command has written no records. Never throws. */
export async function noteEmptyResultHint(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  { written, offset = 0 }: { readonly written: number; readonly offset?: number },
): Promise<void> {
  if (written > 0) return;
  const hint =
    offset > 0 && (await hasMatches(context, kind, search))
      ? `--offset ${count(offset)} skips all matching records`
      : await findEmptyResultHint(context, kind, search);
  if (hint) context.note(hint);
}

/** Requests the total without an offset, because services may return the total 0 for a page after the last record. */
async function hasMatches(context: Context, kind: Kind, search: RecordSearch): Promise<boolean> {
  if (context.globalOptions.quiet || context.dryRunLog) return false;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  return (await fetchMatchTotal({ ...context, signal }, kind, search).catch(() => 1)) > 0;
}

/** Returns the name of a field with this value in the first matching records; undefined if none is found in time. */
export async function findFieldOfValue(context: Context, kind: Kind, value: string) {
  if (context.globalOptions.quiet || context.dryRunLog) return undefined;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const search = { terms: { text: [value] }, view: 'detail' };
  const page = { offset: 0, limit: DEFAULT_PAGE_SIZE };
  const found = await fetchSearchPage({ ...context, signal }, kind, search, page).catch(() => undefined);
  const wanted = normalizeText(value);
  const fields = found?.records.flatMap((record) => [...readRecord(record, kind).fields]) ?? [];
  return fields.find(([, values]) => values.some((each) => normalizeText(each.value) === wanted))?.[0];
}

type FindHint = (context: Context, kind: Kind, search: RecordSearch) => Promise<string | undefined>;

const HINT_FINDERS: readonly FindHint[] = [
  suggestOutput,
  suggestWhere,
  suggestListFile,
  suggestWithoutExact,
  suggestSet,
  suggestQueryField,
  suggestDateRange,
  suggestPlaceholder,
  suggestFacetValue,
  suggestTextValues,
];

/** Returns the hint as a sentence; undefined if no hint is found in time. */
export async function findEmptyResultHint(
  { globalOptions, dryRunLog, signal, ...context }: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<string | undefined> {
  if (globalOptions.quiet || dryRunLog) return undefined;
  const within = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const silent = {
    ...context,
    globalOptions,
    dryRunLog,
    signal: within,
    note: () => {},
    noteVerbose: () => {},
  };
  // The service cannot search for the terms in `columns`, so hints from HINT_FINDERS could be wrong.
  const finders = search.terms.columns ? [suggestColumnValues] : HINT_FINDERS;
  for (const findHint of finders) {
    if (within.aborted) return undefined;
    const hint = await findHint(silent, kind, search).catch(() => undefined);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

async function suggestColumnValues(context: Context, kind: Kind, search: RecordSearch) {
  const { field } = search.terms.columns?.find(({ value, dates }) => value !== '' && !dates) ?? {};
  if (field === undefined) return undefined;
  const others = { ...withoutColumns(search), view: 'detail' };
  const { records } = await fetchSearchPage(context, kind, others, { offset: 0, limit: DEFAULT_PAGE_SIZE });
  const values = new ValueCounts();
  for (const record of records) values.add(parseColumn(field).values(readRecord(record, kind)));
  return values.describe(`"${field}" in the first ${formatCount(records.length, 'record')}`);
}

async function suggestWithoutExact(context: Context, kind: Kind, search: RecordSearch) {
  if (!search.terms.exact) return undefined;
  const total = await fetchMatchTotal(context, kind, {
    ...search,
    terms: { ...search.terms, exact: undefined },
  });
  if (total === 0) return undefined;
  const found = formatCount(total, KIND_KEYS[kind].recordType);
  return `${found} ${total === 1 ? 'contains' : 'contain'} these words in a longer value: remove --exact to list them`;
}

async function suggestSet(context: Context, _: Kind, { terms }: RecordSearch): Promise<string | undefined> {
  for (const item of SET_NAMES) {
    const given = terms[item];
    if (given === undefined) continue;
    const sets = await fetchNamedSets(context, item);
    if (sets.some(({ id }) => id === given)) continue;
    return sets.length === 0
      ? `the service lists no ${item}s`
      : `unknown ${item} "${given}"; choose from ${formatSets(sets)}`;
  }
  return undefined;
}

async function suggestQueryField(context: Context, kind: Kind, { terms: { raw = '' } }: RecordSearch) {
  const given = [...raw.replace(/"[^"]*"/g, '""').matchAll(/(?:^|[\s(+-])([a-z]\w*):/gi)].map(
    ([, name = '']) => name,
  );
  if (given.length === 0) return undefined;
  const labels = new FieldLabels(await fetchPublishedFields(context, kind));
  const known = new Set([...labels.names, ...QUERY_FIELDS]);
  const unknown = given.find((name) => !known.has(name));
  if (unknown === undefined || labels.names.length === 0) return undefined;
  const near = labels.findClosest(unknown, [...known]);
  return `the service publishes no field "${unknown}" of ${kind}${near ? `; did you mean ${near}?` : ''}`;
}

async function suggestDateRange(_: Context, __: Kind, { terms: { where = [], text = [] } }: RecordSearch) {
  const words = text.map((value) => ({ field: '<field>', value }));
  for (const { field, value } of [...where, ...words]) {
    const range = suggestYearRange(value);
    if (range) return `no records contain "${value}"; for a range of years, use --where ${field}=${range}`;
  }
  return undefined;
}

async function suggestOutput(_: Context, __: Kind, { terms: { text = [] } }: RecordSearch) {
  const file = text.find((word) => findFormatByName(word) !== undefined);
  return file && `opac searched for "${file}"; to write to this file, use -o ${formatShellWord(file)}`;
}

/** Suggests `--where` for a word such as `maker=Turner`. */
async function suggestWhere(_: Context, __: Kind, { terms: { text = [] } }: RecordSearch) {
  for (const word of text) {
    const [, field, value] = /^(\p{L}[\p{L}\p{N}_@. ]*)[=:]\s*(\S.*)$/su.exec(word) ?? [];
    if (field !== undefined) return `to search a field, use --where ${formatShellWord(`${field}=${value}`)}`;
  }
  return undefined;
}

async function suggestListFile(_: Context, __: Kind, { terms: { where = [] } }: RecordSearch) {
  const term = where.find(({ value }) => isListFile(value));
  if (!term) return undefined;
  return `opac searched for "${term.value}"; to read values from this file, use --where ${formatShellWord(`${term.field}=@${term.value}`)}`;
}

async function suggestPlaceholder(context: Context, kind: Kind, { terms }: RecordSearch) {
  const { where = [] } = terms;
  const term = where.find(({ value }) => value === '');
  if (term === undefined) return undefined;
  const census = new PlaceholderCensus();
  const withoutEmpty = {
    terms: { ...terms, where: where.filter(({ value }) => value !== '') },
    view: 'detail',
  };
  const { records } = await fetchSearchPage(context, kind, withoutEmpty, {
    offset: 0,
    limit: DEFAULT_PAGE_SIZE,
  });
  for (const record of records) census.add(readRecord(record, kind));
  const [[text] = []] = census.list(fieldColumnName(term.field));
  if (text === undefined) return undefined;
  const words = formatShellWord(`${term.field}=${text}`);
  return `some ${kind} have a placeholder such as "${text}"; find them with --where ${words}`;
}

async function suggestFacetValue(
  context: Context,
  kind: Kind,
  { terms, facets = [] }: RecordSearch,
): Promise<string | undefined> {
  // A facet contains the names of collections, but a query contains their ids, so opac cannot compare them.
  const where = (terms.where ?? []).filter(({ field }) => !QUERY_FIELDS.has(field));
  const all = [
    ...facets.map((term) => ({ ...term, isMatch: isEqual })),
    ...where.map((term) => ({ ...term, isMatch: isContained })),
  ];
  for (const { field, value, isMatch } of all) {
    const values = await fetchFacetValues(context, kind, field);
    // The values of a facet of dates are ranges such as "1800-1849", which no record contains.
    if (isMatch === isContained && values.every((each) => YEAR_RANGE.test(each))) continue;
    const near = values.some((each) => isMatch(value, each)) ? [] : findSimilarValues(value, values);
    const named = near.map((each) => `"${each}"`).join(' or ');
    if (near.length > 0) return `no ${kind} have "${value}" in ${field}; did you mean ${named}?`;
  }
  return undefined;
}

const YEAR_RANGE = /^-?\d+\s*[-–]\s*-?\d+$/;

const isEqual = (wanted: string, value: string) => normalizeText(value) === normalizeText(wanted);
/** Looks for complete words. As in the service, accents and spaces matter, but the case of letters does not. */
const isContained = (wanted: string, value: string) => {
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(value);
};

async function suggestTextValues(
  context: Context,
  kind: Kind,
  { terms: { text = [] } }: RecordSearch,
): Promise<string | undefined> {
  const facets = text.length > 0 ? await fetchFacetsWithValues(context, kind) : [];
  for (const wanted of text) {
    if (facets.some(({ labels }) => labels.some((label) => isContained(wanted, label)))) continue;
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
