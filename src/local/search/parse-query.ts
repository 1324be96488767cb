/**
 * Parses the query language without the client's query builder, so that the two can disagree.
 *
 *     query  = any, of which each part: all joined by OR
 *     all    = one { [AND] one }        terms side by side are joined by AND
 *     one    = NOT one | "(" any ")" | [field ":"] value
 *     value  = word | "phrase" | "(" value { ("," | OR | space) value } ")"    the last only after a field
 *
 * In a phrase a backslash takes the meaning from the character after it. Operators are upper case.
 */

export type Query =
  | { readonly type: 'all' | 'any'; readonly parts: readonly Query[] }
  | { readonly type: 'not'; readonly part: Query }
  | { readonly type: 'term'; readonly field?: string; readonly values: readonly Value[] };

export interface Value {
  readonly text: string;
  /** A word may end in `*` and is compared without accents; a phrase is taken as it is. */
  readonly quoted: boolean;
}

export class MalformedQuery extends Error {}

type Token =
  | { readonly type: 'field' | 'word' | 'phrase'; readonly text: string }
  | { readonly type: '(' | ')' | ',' | 'AND' | 'OR' | 'NOT' };

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** The query, or undefined for an empty one. Throws a MalformedQuery. */
export function parseQuery(text: string): Query | undefined {
  const tokens = new TokenReader(tokensOf(text));
  if (!tokens.peek()) return undefined;
  const query = parseAny(tokens);
  const extra = tokens.next();
  if (extra) throw new MalformedQuery(`Query has ${nameOf(extra)} after its end`);
  return query;
}

class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: Iterable<Token>) {
    this.#tokens = [...tokens];
  }

  peek(): Token['type'] | undefined {
    return this.#tokens[this.#position]?.type;
  }

  next(): Token | undefined {
    return this.#tokens[this.#position++];
  }

  expectClosing(): void {
    if (this.next()?.type !== ')') throw new MalformedQuery('Query has an unclosed parenthesis');
  }
}

function parseAny(tokens: TokenReader): Query {
  const first = parseAll(tokens);
  const parts = [first];
  while (tokens.peek() === 'OR') {
    tokens.next();
    parts.push(parseAll(tokens));
  }
  return parts.length === 1 ? first : { type: 'any', parts };
}

function parseAll(tokens: TokenReader): Query {
  const first = parseOne(tokens);
  const parts = [first];
  for (let next = tokens.peek(); next && next !== 'OR' && next !== ')'; next = tokens.peek()) {
    if (next === 'AND') tokens.next();
    parts.push(parseOne(tokens));
  }
  return parts.length === 1 ? first : { type: 'all', parts };
}

function parseOne(tokens: TokenReader): Query {
  const token = tokens.next();
  switch (token?.type) {
    case 'NOT':
      return { type: 'not', part: parseOne(tokens) };
    case '(': {
      const query = parseAny(tokens);
      tokens.expectClosing();
      return query;
    }
    case 'field':
      return { type: 'term', field: token.text, values: parseValues(tokens, token.text) };
    case 'word':
    case 'phrase':
      return { type: 'term', values: [{ text: token.text, quoted: token.type === 'phrase' }] };
    default:
      throw new MalformedQuery(`Query has ${nameOf(token)} where a term is expected`);
  }
}

function parseValues(tokens: TokenReader, field: string): Value[] {
  const first = tokens.next();
  if (first?.type === 'word' || first?.type === 'phrase')
    return [{ text: first.text, quoted: first.type === 'phrase' }];
  if (first?.type !== '(') throw new MalformedQuery(`Query has no value after ${field}:`);
  const values: Value[] = [];
  while (tokens.peek() && tokens.peek() !== ')') {
    const token = tokens.next();
    if (token?.type === 'word' || token?.type === 'phrase')
      values.push({ text: token.text, quoted: token.type === 'phrase' });
    else if ((token?.type !== ',' && token?.type !== 'OR') || values.length === 0)
      throw new MalformedQuery(`Query has ${nameOf(token)} in the list of values of ${field}`);
  }
  tokens.expectClosing();
  if (values.length === 0) throw new MalformedQuery(`Query has an empty list of values after ${field}:`);
  return values;
}

function nameOf(token: Token | undefined): string {
  if (!token) return 'its end';
  return 'text' in token ? `"${token.text}"` : `"${token.type}"`;
}

function* tokensOf(text: string): Generator<Token> {
  // A phrase, a parenthesis or comma, or a word, which is a field's name when a colon follows it directly.
  const pattern = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([(),])|((?:[^\s"(),:\\]|\\[\s\S])+)(:?)|(\S))/gy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, phrase, mark, word, colon, wrong] = match;
    if (phrase !== undefined) yield { type: 'phrase', text: unescaped(phrase) };
    else if (mark !== undefined) yield { type: mark as '(' | ')' | ',' };
    else if (word === undefined)
      throw new MalformedQuery(
        wrong === '"' ? 'Query has an unclosed quote' : `Query has an unexpected ${wrong}`,
      );
    else if (colon) yield { type: 'field', text: word };
    else if (OPERATORS.has(word)) yield { type: word as 'AND' | 'OR' | 'NOT' };
    else yield { type: 'word', text: unescaped(word) };
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}
