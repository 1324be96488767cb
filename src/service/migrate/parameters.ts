/** Migrates the query parameters of an address to version 3. */
import { endpoint } from '../endpoints/catalogue.js';
import { RETIRED_PARAMETERS, type RetiredParameter } from '../endpoints/retired.js';
import { OpacError } from '../errors.js';
import { percentDecoded, percentEncoded } from '../percent-encoding.js';
import { anyOf, bracketOr, checkQuery, quote, term } from '../search/query.js';

export interface Target {
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

type Action =
  | { readonly action: 'keep' }
  | { readonly action: 'drop'; readonly note: string }
  | { readonly action: 'query' }
  | { readonly action: 'ids'; readonly field: string; readonly note: string }
  | { readonly action: 'term'; readonly term: string; readonly note?: string };

const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...endpoint('objects.search').query.map(({ name }) => name),
  ...RETIRED_PARAMETERS.map(({ name }) => name),
]);

/**
 * The migrated query string. Parameters keep their order and spelling. Terms are joined by AND, the path's first, in place of
 * the first parameter among them. Throws a UsageError for a field name that no query can hold.
 */
export function moveParameters(query: string | undefined, target: Target): MovedParameters {
  // An address copied from HTML may have `&amp;`.
  const parameters = (query ?? '')
    .split(/&(?:amp;)?/)
    .filter(Boolean)
    .map(parseParameter);
  const actions = parameters.map((parameter) => actionFor(parameter, target));
  const joins =
    target.term !== undefined || actions.some(({ action }) => action === 'ids' || action === 'term');
  if (!joins && actions.every(({ action }) => action === 'keep' || action === 'query'))
    return { query, notes: [] };

  const terms: string[] = target.term === undefined ? [] : [target.term];
  const notes: string[] = [];
  const kept: string[] = [];
  let queryIndex: number | undefined;
  for (const [index, parameter] of parameters.entries()) {
    const chosen = actions[index] as Action;
    if ('note' in chosen && chosen.note && !notes.includes(chosen.note)) notes.push(chosen.note);
    if (chosen.action === 'keep' || (chosen.action === 'query' && !joins)) {
      kept.push(parameter.raw);
    } else if (chosen.action !== 'drop') {
      queryIndex ??= kept.length;
      if (chosen.action === 'term') terms.push(chosen.term);
      else if (chosen.action === 'query') terms.push(...queryAsTerm(parameter.value, notes));
      else if (actions.findIndex(({ action }) => action === 'ids') === index)
        terms.push(anyOf(chosen.field, collectIds(parameters, chosen.field, target)));
    }
  }
  if (terms.length > 0) {
    const joined = terms.join(' AND ');
    kept.splice(queryIndex ?? 0, 0, `query=${percentEncoded(joined)}`);
    notes.push(`the query is now: ${joined}`);
  }
  return { query: kept.length > 0 ? kept.join('&') : undefined, notes };
}

function parseParameter(raw: string): ParsedParameter {
  const at = raw.indexOf('=');
  const [name, value] = at < 0 ? [raw, ''] : [raw.slice(0, at), raw.slice(at + 1)];
  return { raw, name: decodeParameter(name), value: decodeParameter(value) };
}

/** `+` is a space (WHATWG URL, application/x-www-form-urlencoded). */
const decodeParameter = (raw: string) => percentDecoded(raw.replaceAll('+', ' '));

function actionFor({ name, value }: ParsedParameter, target: Target): Action {
  const retired = retiredParameter(name, target.path);
  if (retired?.queryField === undefined) {
    if (retired) return { action: 'drop', note: `${name}: ${retired.reason}` };
    if (name === 'query') return { action: 'query' };
    if (target.fieldsBecomeTerms && !SEARCH_PARAMETERS.has(name)) return fieldAction(name, value);
    return { action: 'keep' };
  }
  const ids = splitIds(value);
  if (ids.length === 0) return { action: 'drop', note: `${name}: dropped, because it is empty` };
  return { action: 'ids', field: retired.queryField, note: `${name}: ${retired.reason}` };
}

function retiredParameter(name: string, path: string | undefined): RetiredParameter | undefined {
  return RETIRED_PARAMETERS.find((row) => row.name === name && path !== undefined && row.on.includes(path));
}

/** INTERFACE.md "Deprecated methods": an advanced search takes `<field>:<value>`. */
function fieldAction(field: string, value: string): Action {
  if (value.trim() === '')
    return { action: 'drop', note: `${field}: dropped, because an empty field does not narrow a search` };
  // Quotes mean a phrase here, not a text with quotes in it.
  const phrase = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1]?.replace(/\\([\\"])/g, '$1');
  const note = /[*?]/.test(value) && phrase === undefined;
  return {
    action: 'term',
    term: term(field, phrase ?? value),
    ...(note && { note: `${field}: * and ? in ${quote(value)} are no wildcards` }),
  };
}

function splitIds(value: string): string[] {
  return value
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
}

function collectIds(parameters: readonly ParsedParameter[], field: string, target: Target): string[] {
  const lists = parameters
    .filter(({ name }) => retiredParameter(name, target.path)?.queryField === field)
    .map(({ value }) => splitIds(value));
  return [...new Set(lists.flat())];
}

const PHRASE = String.raw`"(?:[^"\\]|\\.)*"`;
const WORD = String.raw`[^\s"()]+`;
const TERM = String.raw`(?:NOT\s+)?(?:[-+]?[^\s"():]+:)?(?:${PHRASE}|\((?:${PHRASE}|[^"()])*\)|${WORD})`;
const ALL_JOINED_BY_AND = new RegExp(String.raw`^${TERM}(?:\s+AND\s+${TERM})*$`, 's');

/** A query that AND can join to others: in brackets unless it is terms joined by AND already. */
function queryAsTerm(query: string, notes: string[]): string[] {
  const text = query.trim();
  if (text === '') return [];
  try {
    checkQuery(text);
  } catch (error) {
    if (!(error instanceof OpacError)) throw error;
    notes.push(error.message);
  }
  return [ALL_JOINED_BY_AND.test(text) ? bracketOr(text) : `(${text})`];
}
