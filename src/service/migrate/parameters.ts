/** Migrates the query parameters of a URL to version 3. */
import { getEndpoint } from '../endpoints/catalogue.js';
import { RETIRED_PARAMETERS } from '../endpoints/retired.js';
import { OpacError } from '../errors.js';
import { percentDecoded, percentEncode } from '../percent-encoding.js';
import { bracketOr, formatAlternatives, formatTerm, parseRawQuery, quoteValue } from '../search/query.js';

interface MigrationTarget {
  readonly path: string | undefined;
  /** A query term that replaces a part of the old path. */
  readonly term?: string | undefined;
  readonly fieldsBecomeTerms?: boolean | undefined;
}

interface MigratedParameters {
  readonly query: string | undefined;
  readonly notes: readonly string[];
}

interface ParsedParameter {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...getEndpoint('objects.search').query.map(({ name }) => name),
  ...RETIRED_PARAMETERS.map(({ name }) => name),
]);

/**
 * `query`: the part of the URL after `?`. Joins its parameter `query` and all new terms into one parameter. Throws a UsageError
 * for an invalid field name.
 */
export function migrateParameters(query: string | undefined, target: MigrationTarget): MigratedParameters {
  // A URL copied from HTML may contain `&amp;`.
  const parameters = (query ?? '')
    .split(/&(?:amp;)?/)
    .filter(Boolean)
    .map(parseParameter);
  const notes = new Set<string>();
  const parameterTerms = parameters.map((each) => createTerms(each, parameters, target, notes));
  const hasTerms = target.term !== undefined || parameterTerms.some((terms) => terms && terms.length > 0);
  if (!hasTerms && notes.size === 0) return { query, notes: [] };

  const terms: string[] = target.term === undefined ? [] : [target.term];
  const kept: string[] = [];
  let queryIndex: number | undefined;
  for (const [index, { raw, name, value }] of parameters.entries()) {
    const added = hasTerms && name === 'query' ? formatQueryTerm(value, notes) : parameterTerms[index];
    if (added === undefined) kept.push(raw);
    else if (added.length > 0) queryIndex ??= kept.length;
    terms.push(...(added ?? []));
  }
  if (terms.length > 0) {
    const joined = terms.join(' AND ');
    kept.splice(queryIndex ?? 0, 0, `query=${percentEncode(joined)}`);
    notes.add(`the query is now: ${joined}`);
  }
  return { query: kept.length > 0 ? kept.join('&') : undefined, notes: [...notes] };
}

function parseParameter(raw: string): ParsedParameter {
  const at = raw.indexOf('=');
  const [name, value] = at < 0 ? [raw, ''] : [raw.slice(0, at), raw.slice(at + 1)];
  return { raw, name: decodeParameter(name), value: decodeParameter(value) };
}

/** `+` is a space (WHATWG URL, application/x-www-form-urlencoded). */
const decodeParameter = (raw: string) => percentDecoded(raw.replaceAll('+', ' '));

/** Returns the terms that replace the parameter: `[]` if it is dropped, undefined if it stays. */
function createTerms(
  parameter: ParsedParameter,
  all: readonly ParsedParameter[],
  { path = '', fieldsBecomeTerms }: MigrationTarget,
  notes: Set<string>,
): readonly string[] | undefined {
  const { name, value } = parameter;
  const retired = RETIRED_PARAMETERS.find((row) => row.name === name && row.paths.includes(path));
  if (!retired)
    return fieldsBecomeTerms && !SEARCH_PARAMETERS.has(name)
      ? createFieldTerm(name, value, notes)
      : undefined;
  const { queryField, reason } = retired;
  const isEmpty = queryField !== undefined && splitIds(value).length === 0;
  notes.add(`${name}: ${isEmpty ? 'dropped, because it is empty' : reason}`);
  if (queryField === undefined) return [];
  // Repeated parameters become one list, at the position of the first parameter that contains ids.
  const same = all.filter((each) => each.name === name && splitIds(each.value).length > 0);
  const ids = [...new Set(same.flatMap((each) => splitIds(each.value)))];
  return same[0] === parameter ? [formatAlternatives(queryField, ids)] : [];
}

/** Returns the term for `<field>=<value>` in an advanced search (INTERFACE.md "Deprecated methods"); `[]` for an empty value. */
function createFieldTerm(field: string, value: string, notes: Set<string>): readonly string[] {
  if (value.trim() === '') {
    notes.add(`${field}: dropped, because an empty field does not restrict a search`);
    return [];
  }
  // Quotes around the value mark a phrase. They are not part of the text.
  const phrase = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1]?.replace(/\\([\\"])/g, '$1');
  if (/[*?]/.test(value) && phrase === undefined)
    notes.add(`${field}: * and ? in ${quoteValue(value)} are not wildcards`);
  return [formatTerm(field, phrase ?? value)];
}

function splitIds(value: string): string[] {
  return value
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
}

const PHRASE = String.raw`"(?:[^"\\]|\\.)*"`;
const WORD = String.raw`[^\s"()]+`;
const TERM = String.raw`(?:NOT\s+)?(?:[-+]?[^\s"():]+:)?(?:${PHRASE}|\((?:${PHRASE}|[^"()])*\)|${WORD})`;
const ALL_JOINED_BY_AND = new RegExp(String.raw`^${TERM}(?:\s+AND\s+${TERM})*$`, 's');

/** Adds parentheses, unless the query is one term, or AND joins all its terms. */
function formatQueryTerm(query: string, notes: Set<string>): string[] {
  const text = query.trim();
  if (text === '') return [];
  try {
    parseRawQuery(text);
  } catch (error) {
    if (!(error instanceof OpacError)) throw error;
    notes.add(error.message);
  }
  return [ALL_JOINED_BY_AND.test(text) ? bracketOr(text) : `(${text})`];
}
