/** The query language: `field:"value"` terms joined by AND (INTERFACE.md "Object records"). */
import { UsageError } from '../errors.js';
import type { DateRange } from '../records/date-text.js';

/** The terms of a search, joined by AND. */
export interface SearchTerms {
  /** A query in the service's language. If there are other terms, a query with OR gets parentheses. */
  readonly raw?: string | undefined;
  readonly text?: readonly string[] | undefined;
  /** Each field must contain its value as a phrase. The field may contain other words too. */
  readonly where?: readonly FieldTerm[] | undefined;
  /** If true, `where` compares entire values. A query cannot do this, so `matchesExactly` compares the records. */
  readonly exact?: boolean | undefined;
  /**
   * Each column must have the entire value, or an overlapping date. A query cannot do this, so `RecordFilter` compares the
   * records.
   */
  readonly columns?: readonly ColumnTerm[] | undefined;
  /** The field must have one of these values as an entire value. A query cannot check this, so `sortByList` does. */
  readonly oneOf?: ValueList | undefined;
  readonly collection?: string | undefined;
  readonly highlight?: string | undefined;
  readonly externalIds?: readonly string[] | undefined;
}

export interface ValueList {
  readonly field: string;
  readonly values: readonly string[];
}

export interface FieldTerm {
  readonly field: string;
  readonly value: string;
}

export interface ColumnTerm extends FieldTerm {
  /** A record matches if its date has a year in common with the range. */
  readonly dates?: DateRange | undefined;
}

/** Quotes a value. INTERFACE.md describes no escapes, so opac uses the escapes of Lucene. */
export function quoteValue(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** `field:"value"`. Throws a UsageError for an invalid field name. */
export function formatTerm(field: string, value: string): string {
  return `${assertFieldName(field)}:${quoteValue(value)}`;
}

/** `field:("a", "b")` (INTERFACE.md "Deprecated methods"). Throws a UsageError for an invalid field name. */
export function formatAlternatives(field: string, values: readonly string[]): string {
  return `${assertFieldName(field)}:(${values.map(quoteValue).join(', ')})`;
}

const TERMS: Readonly<Record<keyof SearchTerms, (search: SearchTerms) => readonly string[]>> = {
  raw: ({ raw }) => (raw?.trim() ? [parseRawQuery(raw)] : []),
  text: ({ text = [] }) => text.filter((each) => each.trim()).map(quoteValue),
  where: ({ where = [] }) => where.map(({ field, value }) => formatTerm(field, value)),
  exact: () => [],
  columns: ({ columns: [first] = [] }) => {
    if (first === undefined) return [];
    throw new UsageError(
      `the service cannot search ${first.dates ? 'dates' : `"${first.field}"`}, so this command cannot use --where ${first.field}=${first.value}`,
      'use list, count or export, which read the records and compare them',
    );
  },
  oneOf: ({ oneOf }) =>
    oneOf && oneOf.values.length > 0 ? [formatAlternatives(oneOf.field, oneOf.values)] : [],
  collection: ({ collection }) => (collection === undefined ? [] : [formatTerm('collections', collection)]),
  highlight: ({ highlight }) => (highlight === undefined ? [] : [formatTerm('highlight', highlight)]),
  externalIds: ({ externalIds = [] }) =>
    externalIds.length > 0 ? [formatAlternatives('external_object_id', externalIds)] : [],
};

/** Returns undefined if there are no terms. Throws a UsageError for an invalid query, and for `columns`. */
export function buildQuery(search: SearchTerms): string | undefined {
  const { raw, ...others } = TERMS;
  const own = raw(search);
  const added = Object.values(others).flatMap((createTerms) => createTerms(search));
  const terms = [...(added.length > 0 ? own.map(bracketOr) : own), ...added];
  return terms.length > 0 ? terms.join(' AND ') : undefined;
}

/** Returns a query with OR in parentheses, because AND takes precedence. Ignores OR within parentheses. `||` means OR too. */
export function bracketOr(query: string): string {
  const topLevel = query.replace(/\\.|"(?:[^"\\]|\\.)*"/gs, '""').replace(/\([^()]*\)/g, '()');
  return /\bOR\b|\|\|/.test(topLevel) ? `(${query})` : query;
}

/** Parses `field=value`; the field may be a label. Throws a UsageError for other text, such as `date>1850`. */
export function parseWhere(argument: string): FieldTerm {
  const at = argument.indexOf('=');
  const field = argument.slice(0, Math.max(at, 0)).trim();
  const [, compared, sign, year] = /^([^=<>]+)([<>])=?\s*(\d{1,4})$/.exec(argument) ?? [];
  if (compared !== undefined)
    throw new UsageError(
      `"${argument}" is not <field>=<value>`,
      `for dates, use --where ${compared.trim()}=${sign === '>' ? `${year}..` : `..${year}`}`,
    );
  if (field === '')
    throw new UsageError(
      `"${argument}" is not <field>=<value>`,
      'for example: --where maker_name="William Blake"; put quotes around names with spaces: --where "Date made=1850"',
    );
  return { field, value: argument.slice(at + 1) };
}

const TOKENS = /\\.|"(?:[^"\\]|\\.)*"|["()]|[^\s"()\\]+/gs;
const OPERATOR = /^(?:AND|OR)$/;

/** Returns the trimmed query. Throws a UsageError for unmatched quotes or parentheses, and for an operator without two terms. */
export function parseRawQuery(query: string): string {
  const open: number[] = [];
  const tokens = [...query.matchAll(TOKENS)];
  for (const { 0: token, index } of tokens) {
    if (token === '"') throw invalidQuery(query, index, 'a quote is not closed');
    if (token === '(') open.push(index);
    else if (token === ')' && open.pop() === undefined)
      throw invalidQuery(query, index, 'a closing parenthesis has no opening parenthesis');
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) throw invalidQuery(query, unclosed, 'a parenthesis is not closed');
  const isTerm = (token: string | undefined, parenthesis: string) =>
    token !== undefined && token !== parenthesis && !OPERATOR.test(token);
  for (const [n, [token]] of tokens.entries()) {
    if (!OPERATOR.test(token)) continue;
    if (!isTerm(tokens[n - 1]?.[0], '(') || !isTerm(tokens[n + 1]?.[0], ')'))
      throw new UsageError(`invalid query: ${token} needs a term on both sides in: ${query}`, QUERY_HELP);
  }
  return query.trim();
}

const QUERY_HELP = 'see: opac help query';

function invalidQuery(query: string, at: number, what: string): UsageError {
  return new UsageError(`invalid query: ${what} (character ${at + 1}) in: ${query}`, QUERY_HELP);
}

/** Throws a UsageError for a name with characters that end a name in a query. */
export function assertFieldName(field: string): string {
  if (!/^[^\s:"()\\]+$/.test(field)) throw new UsageError(`invalid field name "${field}"`);
  return field;
}
