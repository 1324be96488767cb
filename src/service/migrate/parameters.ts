/** Moves query parameters to their place in version 3: retired ones, fields of an advanced search, terms that join `query`. */
import { endpoint } from '../catalogue.js';
import { OpacError } from '../errors.js';
import { RETIRED_PARAMETERS, type RetiredParameter } from '../retired.js';
import { anyOf, checkQuery, quote, term } from '../search/query.js';
import { decodeParameter, encodeParameter } from './encoding.js';
import { isPlaceholder, STAND_IN } from './placeholders.js';

/** Where the parameters are to stand. */
export interface Target {
  /** Path template of the current interface, or undefined for a path that is not known. */
  readonly path: string | undefined;
  /** A term that was part of the old path. */
  readonly term?: string | undefined;
  /** Whether parameters that no search knows are fields to search in. */
  readonly fieldsBecomeTerms?: boolean | undefined;
}

export interface MovedParameters {
  /** The new query string without its question mark; undefined when there is none. */
  readonly query: string | undefined;
  readonly notes: readonly string[];
}

interface Spelled {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

/** What becomes of one parameter: it stays, it goes, it was a query already, or it becomes a term of the query. */
type Fate =
  | { readonly fate: 'stays' }
  | { readonly fate: 'goes'; readonly note: string }
  | { readonly fate: 'query' }
  | { readonly fate: 'ids'; readonly field: string; readonly note: string }
  | { readonly fate: 'term'; readonly term: string; readonly note?: string };

/** What a search knows, so that it cannot be a field of an advanced search. */
const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...endpoint('objects.search').query.map(({ name }) => name),
  ...RETIRED_PARAMETERS.map(({ name }) => name),
]);

/**
 * The query string of an address after its move. Parameters keep their order and spelling; all that becomes part of
 * `query` is joined by AND, the path's term first, at the place of the first parameter that is part of it.
 * Throws a UsageError for a field name that no query can hold.
 */
export function moveParameters(query: string | undefined, target: Target): MovedParameters {
  const parameters = (query ?? '')
    .split(/&amp;|&/)
    .filter(Boolean)
    .map(spelled);
  const fates = parameters.map((parameter) => fateOf(parameter, target));
  const joins = target.term !== undefined || fates.some(({ fate }) => fate === 'ids' || fate === 'term');
  if (!joins && fates.every(({ fate }) => fate === 'stays' || fate === 'query')) return { query, notes: [] };

  const terms: string[] = target.term === undefined ? [] : [target.term];
  const notes: string[] = [];
  const kept: string[] = [];
  // The place of the new `query` among the parameters that are kept.
  let place: number | undefined;
  for (const [index, parameter] of parameters.entries()) {
    const what = fates[index] as Fate;
    if ('note' in what && what.note && !notes.includes(what.note)) notes.push(what.note);
    if (what.fate === 'stays' || (what.fate === 'query' && !joins)) {
      kept.push(parameter.raw);
    } else if (what.fate !== 'goes') {
      place ??= kept.length;
      if (what.fate === 'term') terms.push(what.term);
      else if (what.fate === 'query') terms.push(...asOneTerm(parameter.value, notes));
      else if (fates.findIndex(({ fate }) => fate === 'ids') === index)
        terms.push(anyOf(what.field, identifiers(parameters, what.field, target)));
    }
  }
  if (terms.length > 0) {
    const joined = terms.join(' AND ');
    kept.splice(place ?? 0, 0, `query=${encodeParameter(joined)}`);
    notes.push(`the query is now: ${joined}`);
  }
  const separator = query?.includes('&amp;') ? '&amp;' : '&';
  return { query: kept.length > 0 ? kept.join(separator) : undefined, notes };
}

function spelled(raw: string): Spelled {
  const at = raw.indexOf('=');
  const [name, value] = at < 0 ? [raw, ''] : [raw.slice(0, at), raw.slice(at + 1)];
  return { raw, name: decodeParameter(name), value: decodeParameter(value) };
}

function fateOf({ name, value }: Spelled, target: Target): Fate {
  const retired = retiredParameter(name, target.path);
  if (retired?.queryField === undefined) {
    if (retired) return { fate: 'goes', note: `${name}: ${retired.reason}` };
    if (name === 'query') return { fate: 'query' };
    if (target.fieldsBecomeTerms && !SEARCH_PARAMETERS.has(name)) return fieldFate(name, value);
    return { fate: 'stays' };
  }
  const ids = splitIds(value);
  if (ids.length === 0) return { fate: 'goes', note: `${name}: dropped, it was empty` };
  const note = ids.some(isPlaceholder)
    ? `a list that takes the place of ${ids.find(isPlaceholder)} must have each identifier in quotes: "1", "2"`
    : `${name}: ${retired.reason}`;
  return { fate: 'ids', field: retired.queryField, note };
}

function retiredParameter(name: string, path: string | undefined): RetiredParameter | undefined {
  return RETIRED_PARAMETERS.find((row) => row.name === name && path !== undefined && row.on.includes(path));
}

/** A parameter of an advanced search (INTERFACE.md "Deprecated methods": `<field>:<value>`). */
function fieldFate(field: string, value: string): Fate {
  if (value.trim() === '')
    return { fate: 'goes', note: `${field}: dropped, an empty field does not narrow a search` };
  // Somebody who wrote the quotes meant a phrase, not a text with quotes in it.
  const phrase = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1]?.replace(/\\([\\"])/g, '$1');
  const note = /[*?]/.test(value) && phrase === undefined;
  return {
    fate: 'term',
    term: term(field, phrase ?? value),
    ...(note && { note: `${field}: in ${quote(value)} the signs * and ? stand for themselves` }),
  };
}

function splitIds(value: string): string[] {
  return value
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
}

/** The identifiers of all the parameters that move to one query field, each once. */
function identifiers(parameters: readonly Spelled[], field: string, target: Target): string[] {
  const lists = parameters
    .filter(({ name }) => retiredParameter(name, target.path)?.queryField === field)
    .map(({ value }) => splitIds(value));
  return [...new Set(lists.flat())];
}

const PHRASE = String.raw`"(?:[^"\\]|\\.)*"`;
/** A word, but not a lone placeholder: what will take its place may hold an OR. */
const WORD = String.raw`(?![${STAND_IN}]+(?:\s|$))[^\s"()]+`;
const TERM = String.raw`(?:NOT\s+)?(?:[-+]?[^\s"():]+:)?(?:${PHRASE}|\((?:${PHRASE}|[^"()])*\)|${WORD})`;
const ALL_JOINED_BY_AND = new RegExp(String.raw`^${TERM}(?:\s+AND\s+${TERM})*$`, 's');

/** A query that can be joined to others by AND: in brackets unless it is terms joined by AND already. None when empty. */
function asOneTerm(query: string, notes: string[]): string[] {
  const text = query.trim();
  if (text === '') return [];
  try {
    checkQuery(text);
  } catch (error) {
    if (!(error instanceof OpacError)) throw error;
    notes.push(error.message);
  }
  return [
    ALL_JOINED_BY_AND.test(text) && !/(^|\s)(OR|\|\|)(\s|$)/.test(withoutPhrases(text)) ? text : `(${text})`,
  ];
}

function withoutPhrases(query: string): string {
  return query.replace(new RegExp(PHRASE, 'gs'), '""').replace(/\([^()]*\)/g, '()');
}
