/**
 * Parses the query language independently of the query builder of the client, so that tests find a mistake in one of the two.
 *
 *     query  = all { OR all }
 *     all    = one { [AND] one }
 *     one    = NOT one | "(" query ")" | value | field ":" ( value | list )
 *     list   = "(" value { "," | OR | value } ")"
 *     value  = word | "phrase"
 *
 * In a word or phrase, a backslash escapes the next character. Operators are upper case.
 */

export type Query =
  | { readonly type: 'all' | 'any'; readonly parts: readonly Query[] }
  | { readonly type: 'not'; readonly part: Query }
  | { readonly type: 'term'; readonly field?: string; readonly values: readonly Value[] };

export interface Value {
  readonly text: string;
  /** True for a phrase. False for a word, which may end in `*` and matches without regard to accents. */
  readonly quoted: boolean;
}

export class MalformedQuery extends Error {}

type Token =
  | { readonly type: 'field' | 'word' | 'phrase'; readonly text: string }
  | { readonly type: '(' | ')' | ',' | 'AND' | 'OR' | 'NOT' };

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** Maximum number of opening parentheses and NOT in a query. With many more levels, the parser would overflow the stack. */
const MAX_NESTED = 1000;

/** Returns undefined for an empty query. Throws a MalformedQuery for text that does not follow the grammar. */
export function parseQuery(text: string): Query | undefined {
  // The tokens are reversed, so that the next token is removed with pop.
  const tokens = [...readTokens(text)].reverse();
  if (tokens.length === 0) return undefined;
  if (tokens.filter(({ type }) => type === '(' || type === 'NOT').length > MAX_NESTED)
    throw new MalformedQuery(`Query has more than ${MAX_NESTED} opening parentheses and NOT operators`);
  const query = parseAny(tokens);
  const extra = tokens.pop();
  if (extra) throw new MalformedQuery(`Query has an unexpected ${describeToken(extra)}`);
  return query;
}

function expectClosing(tokens: Token[]): void {
  if (tokens.pop()?.type !== ')') throw new MalformedQuery('Query has an unclosed parenthesis');
}

function parseAny(tokens: Token[]): Query {
  const first = parseAll(tokens);
  const parts = [first];
  while (tokens.at(-1)?.type === 'OR') {
    tokens.pop();
    parts.push(parseAll(tokens));
  }
  return parts.length === 1 ? first : { type: 'any', parts };
}

function parseAll(tokens: Token[]): Query {
  const first = parseOne(tokens);
  const parts = [first];
  for (let next = tokens.at(-1)?.type; next && next !== 'OR' && next !== ')'; next = tokens.at(-1)?.type) {
    if (next === 'AND') tokens.pop();
    parts.push(parseOne(tokens));
  }
  return parts.length === 1 ? first : { type: 'all', parts };
}

function parseOne(tokens: Token[]): Query {
  const token = tokens.pop();
  switch (token?.type) {
    case 'NOT':
      return { type: 'not', part: parseOne(tokens) };
    case '(': {
      const query = parseAny(tokens);
      expectClosing(tokens);
      return query;
    }
    case 'field':
      return { type: 'term', field: token.text, values: parseValues(tokens, token.text) };
    default: {
      const value = readValue(token);
      if (value) return { type: 'term', values: [value] };
      throw new MalformedQuery(
        `Query ${token ? `has ${describeToken(token)}` : 'ends'} where a term is expected`,
      );
    }
  }
}

function parseValues(tokens: Token[], field: string): Value[] {
  const first = tokens.pop();
  const only = readValue(first);
  if (only) return [only];
  if (first?.type !== '(') throw new MalformedQuery(`Query has no value after ${field}:`);
  const values: Value[] = [];
  while (tokens.at(-1)?.type && tokens.at(-1)?.type !== ')') {
    const token = tokens.pop();
    const value = readValue(token);
    if (value) values.push(value);
    else if ((token?.type !== ',' && token?.type !== 'OR') || values.length === 0)
      throw new MalformedQuery(`Query has ${describeToken(token)} in the list of values of ${field}`);
  }
  expectClosing(tokens);
  if (values.length === 0) throw new MalformedQuery(`Query has an empty list of values after ${field}:`);
  return values;
}

function readValue(token: Token | undefined): Value | undefined {
  if (token?.type !== 'word' && token?.type !== 'phrase') return undefined;
  return { text: token.text, quoted: token.type === 'phrase' };
}

function describeToken(token: Token | undefined): string {
  if (!token) return 'its end';
  return 'text' in token ? `"${token.text}"` : `"${token.type}"`;
}

function* readTokens(text: string): Generator<Token> {
  // Matches a phrase, one of the marks `(` `)` `,`, or a word. A word before a colon is the name of a field.
  const pattern = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([(),])|((?:[^\s"(),:\\]|\\[\s\S])+)(:?)|(\S))/gy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, phrase, mark, word, colon, wrong] = match;
    if (phrase !== undefined) yield { type: 'phrase', text: removeEscapes(phrase) };
    else if (mark !== undefined) yield { type: mark as '(' | ')' | ',' };
    else if (word === undefined)
      throw new MalformedQuery(
        wrong === '"' ? 'Query has an unclosed quote' : `Query has an unexpected ${wrong}`,
      );
    else if (colon) yield { type: 'field', text: word };
    else if (OPERATORS.has(word)) yield { type: word as 'AND' | 'OR' | 'NOT' };
    else yield { type: 'word', text: removeEscapes(word) };
  }
}

function removeEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}
