/**
 * The query language: `field:"value"` terms joined by AND (INTERFACE.md "Object records"). Every value is quoted, so that
 * the service searches for exactly that text.
 */
import { UsageError } from '../errors.js';

/** What a search is to find; all parts are joined by AND. */
export interface Search {
  /** A query as the user wrote it, sent as it is. */
  readonly raw?: string | undefined;
  /** Free texts, each searched for as a phrase. */
  readonly text?: readonly string[] | undefined;
  readonly where?: readonly FieldTerm[] | undefined;
  readonly collection?: string | undefined;
  readonly highlight?: string | undefined;
  readonly externalIds?: readonly string[] | undefined;
}

export interface FieldTerm {
  readonly field: string;
  readonly value: string;
}

/**
 * A value in double quotes, with `\` and `"` escaped by a backslash. The document shows quoted values but no escape;
 * the backslash is the one of the Lucene syntax that the terms follow.
 */
export function quote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** One term, `field:"value"`. Throws a UsageError for a field that is not an identifier. */
export function term(field: string, value: string): string {
  return `${fieldName(field)}:${quote(value)}`;
}

/** One term for any of several values, `field:("a", "b")` (INTERFACE.md "Deprecated methods": external_object_id). */
export function anyOf(field: string, values: readonly string[]): string {
  return `${fieldName(field)}:(${values.map(quote).join(', ')})`;
}

/** In the order they are joined. A part of a search without terms here does not compile. */
const TERMS: Readonly<Record<keyof Search, (search: Search) => readonly string[]>> = {
  raw: ({ raw }) => (raw?.trim() ? [checkQuery(raw)] : []),
  text: ({ text = [] }) => text.filter((each) => each.trim()).map(quote),
  where: ({ where = [] }) => where.map(({ field, value }) => term(field, value)),
  collection: ({ collection }) => (collection === undefined ? [] : [term('collections', collection)]),
  highlight: ({ highlight }) => (highlight === undefined ? [] : [term('highlight', highlight)]),
  externalIds: ({ externalIds = [] }) =>
    externalIds.length > 0 ? [anyOf('external_object_id', externalIds)] : [],
};

/**
 * The value of the `query` parameter, or undefined when the search asks for everything.
 * Throws a UsageError for a raw query that cannot be right, or for a field that is not an identifier.
 */
export function buildQuery(search: Search): string | undefined {
  const terms = Object.values(TERMS).flatMap((termsOf) => termsOf(search));
  // A raw query may hold an OR of its own, which AND would otherwise tear apart.
  if (terms.length > 1 && search.raw?.trim() && /\bOR\b/.test(search.raw)) terms[0] = `(${terms[0]})`;
  return terms.length > 0 ? terms.join(' AND ') : undefined;
}

/** `field=value` as an option gives it; the value may hold anything. Throws a UsageError without a field or an `=`. */
export function parseWhere(argument: string): FieldTerm {
  const at = argument.indexOf('=');
  if (at < 1)
    throw new UsageError(
      `"${argument}" is not <field>=<value>`,
      'for example: --where maker_name="William Blake"',
    );
  return { field: fieldName(argument.slice(0, at).trim()), value: argument.slice(at + 1) };
}

/**
 * Refuses a raw query that cannot be right: quotes or parentheses that do not match, an operator without a term beside it.
 * Gives the others without the space around them. Throws a UsageError that points at the place.
 */
export function checkQuery(query: string): string {
  const open: number[] = [];
  const skeleton: string[] = [];
  for (let at = 0; at < query.length; at++) {
    const character = query[at] as string;
    if (character === '\\') {
      skeleton.push('x');
      at++;
    } else if (character === '"') {
      const end = closingQuote(query, at);
      if (end < 0) throw wrong(query, at, 'a quote is never closed');
      skeleton.push('x');
      at = end;
    } else if (character === '(') {
      open.push(at);
      skeleton.push(' ( ');
    } else if (character === ')') {
      if (open.pop() === undefined) throw wrong(query, at, 'a parenthesis is closed that was never opened');
      skeleton.push(' ) ');
    } else {
      skeleton.push(character);
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) throw wrong(query, unclosed, 'a parenthesis is never closed');
  const words = skeleton.join('').trim().split(/\s+/);
  for (const [index, word] of words.entries()) {
    if (word !== 'AND' && word !== 'OR') continue;
    const before = words[index - 1];
    const after = words[index + 1];
    if (!before || before === '(' || isOperator(before) || !after || after === ')' || isOperator(after)) {
      throw new UsageError(
        `the query cannot be right: ${word} needs a term on both sides in: ${query}`,
        QUERY_HELP,
      );
    }
  }
  return query.trim();
}

const QUERY_HELP = 'see: opac help query';

function isOperator(word: string): boolean {
  return word === 'AND' || word === 'OR';
}

function closingQuote(query: string, opening: number): number {
  for (let at = opening + 1; at < query.length; at++) {
    if (query[at] === '\\') at++;
    else if (query[at] === '"') return at;
  }
  return -1;
}

function wrong(query: string, at: number, what: string): UsageError {
  return new UsageError(`the query cannot be right: ${what} (character ${at + 1}) in: ${query}`, QUERY_HELP);
}

/** Field identifiers are the deployment's own; what they cannot hold is what would end the name in a query. */
function fieldName(field: string): string {
  if (!/^[^\s:"()\\]+$/.test(field)) throw new UsageError(`"${field}" cannot be the name of a field`);
  return field;
}
