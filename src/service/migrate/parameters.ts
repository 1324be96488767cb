/** Migrates the query parameters of an address to version 3. */
import { getEndpoint } from '../endpoints/catalogue.js';
import { RETIRED_PARAMETERS, type RetiredParameter } from '../endpoints/retired.js';
import { OpacError } from '../errors.js';
import { percentDecoded, percentEncode } from '../percent-encoding.js';
import { bracketOr, formatAnyOf, formatTerm, parseRawQuery, quoteValue } from '../search/query.js';

export interface MigrationTarget {
  readonly path: string | undefined;
  readonly term?: string | undefined;
  readonly fieldsBecomeTerms?: boolean | undefined;
}

interface MovedParameters {
  readonly query: string | undefined;
  readonly notes: readonly string[];
}

interface ParsedParameter {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

/** What becomes of a parameter: it is dropped unless it is kept as it is or becomes terms of the query. */
interface Moved {
  readonly kept?: string;
  readonly terms?: readonly string[];
  /** The text of the query itself, which is kept where no terms join it. */
  readonly query?: string;
  readonly note?: string;
}

const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...getEndpoint('objects.search').query.map(({ name }) => name),
  ...RETIRED_PARAMETERS.map(({ name }) => name),
]);

/**
 * The migrated query string. Parameters keep their order and spelling. Terms are joined by AND, the path's first, in place of
 * the first parameter among them. Throws a UsageError for a field name that no query can hold.
 */
export function migrateParameters(query: string | undefined, target: MigrationTarget): MovedParameters {
  // An address copied from HTML may have `&amp;`.
  const parameters = (query ?? '')
    .split(/&(?:amp;)?/)
    .filter(Boolean)
    .map(parseParameter);
  const moved = parameters.map((parameter, index) => move(parameter, index, parameters, target));
  const joins = target.term !== undefined || moved.some(({ terms }) => terms !== undefined);
  if (!joins && moved.every(({ kept }) => kept !== undefined)) return { query, notes: [] };

  const terms: string[] = target.term === undefined ? [] : [target.term];
  const notes = new Set<string>();
  const kept: string[] = [];
  let queryIndex: number | undefined;
  for (const each of moved) {
    if (each.note) notes.add(each.note);
    const added = joins && each.query !== undefined ? queryAsTerm(each.query, notes) : each.terms;
    if (added) {
      queryIndex ??= kept.length;
      terms.push(...added);
    } else if (each.kept !== undefined) kept.push(each.kept);
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

function move(
  { raw, name, value }: ParsedParameter,
  index: number,
  all: readonly ParsedParameter[],
  target: MigrationTarget,
): Moved {
  const retired = retiredParameter(name, target.path);
  if (retired?.queryField !== undefined) {
    if (splitIds(value).length === 0) return { note: `${name}: dropped, because it is empty` };
    const same = all.filter((each) => retiredParameter(each.name, target.path) === retired);
    const ids = [...new Set(same.flatMap((each) => splitIds(each.value)))];
    const first = all.findIndex((each) => same.includes(each) && splitIds(each.value).length > 0);
    const note = `${name}: ${retired.reason}`;
    return { note, terms: index === first ? [formatAnyOf(retired.queryField, ids)] : [] };
  }
  if (retired) return { note: `${name}: ${retired.reason}` };
  if (name === 'query') return { kept: raw, query: value };
  if (target.fieldsBecomeTerms && !SEARCH_PARAMETERS.has(name)) return fieldTerm(name, value);
  return { kept: raw };
}

function retiredParameter(name: string, path: string | undefined): RetiredParameter | undefined {
  return RETIRED_PARAMETERS.find(
    (row) => row.name === name && path !== undefined && row.paths.includes(path),
  );
}

/** INTERFACE.md "Deprecated methods": an advanced search takes `<field>:<value>`. */
function fieldTerm(field: string, value: string): Moved {
  if (value.trim() === '')
    return { note: `${field}: dropped, because an empty field does not narrow a search` };
  // Quotes mean a phrase here, not a text with quotes in it.
  const phrase = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1]?.replace(/\\([\\"])/g, '$1');
  const hasWildcards = /[*?]/.test(value) && phrase === undefined;
  return {
    terms: [formatTerm(field, phrase ?? value)],
    ...(hasWildcards && { note: `${field}: * and ? in ${quoteValue(value)} are no wildcards` }),
  };
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

/** A query that AND can join to others: in brackets unless it is terms joined by AND already. */
function queryAsTerm(query: string, notes: Set<string>): string[] {
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
