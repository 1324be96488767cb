/**
 * Reads the query language: its own reading of INTERFACE.md, made without a look at how the client writes queries, so that
 * the two can disagree.
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

/** A query that cannot be read: the service answers 400 with the message. */
export class MalformedQuery extends Error {}

type Token =
  | { readonly type: 'field' | 'word' | 'phrase'; readonly text: string }
  | { readonly type: '(' | ')' | ',' | 'AND' | 'OR' | 'NOT' };

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** The query, or undefined for an empty one. Throws a MalformedQuery. */
export function parseQuery(text: string): Query | undefined {
  const tokens = [...tokensOf(text)];
  let at = 0;
  const peek = () => tokens[at]?.type;

  const any = (): Query => {
    const parts = [all()];
    while (peek() === 'OR') {
      at++;
      parts.push(all());
    }
    return parts.length === 1 ? (parts[0] as Query) : { type: 'any', parts };
  };

  const all = (): Query => {
    const parts = [one()];
    for (;;) {
      const next = peek();
      if (next === undefined || next === 'OR' || next === ')') break;
      if (next === 'AND') at++;
      parts.push(one());
    }
    return parts.length === 1 ? (parts[0] as Query) : { type: 'all', parts };
  };

  const one = (): Query => {
    const token = tokens[at++];
    switch (token?.type) {
      case 'NOT':
        return { type: 'not', part: one() };
      case '(': {
        const inside = any();
        expectClosing();
        return inside;
      }
      case 'field':
        return { type: 'term', field: token.text, values: valuesAfterField(token.text) };
      case 'word':
      case 'phrase':
        return { type: 'term', values: [{ text: token.text, quoted: token.type === 'phrase' }] };
      default:
        throw new MalformedQuery(`Query has ${spelled(token)} where a term is expected`);
    }
  };

  const valuesAfterField = (field: string): Value[] => {
    const token = tokens[at++];
    if (token?.type === 'word' || token?.type === 'phrase') return [wordOrPhrase(token)];
    if (token?.type !== '(') throw new MalformedQuery(`Query has no value after ${field}:`);
    const values: Value[] = [];
    for (let next = tokens[at]; next && next.type !== ')'; next = tokens[at]) {
      at++;
      if (next.type === 'word' || next.type === 'phrase') values.push(wordOrPhrase(next));
      else if ((next.type !== ',' && next.type !== 'OR') || values.length === 0) {
        throw new MalformedQuery(`Query has ${spelled(next)} in the list of values of ${field}`);
      }
    }
    expectClosing();
    if (values.length === 0) throw new MalformedQuery(`Query has an empty list of values after ${field}:`);
    return values;
  };

  const expectClosing = () => {
    if (tokens[at++]?.type !== ')') throw new MalformedQuery('Query has an unclosed parenthesis');
  };

  if (tokens.length === 0) return undefined;
  const query = any();
  if (at < tokens.length) throw new MalformedQuery(`Query has ${spelled(tokens[at])} after its end`);
  return query;
}

function wordOrPhrase(token: { readonly type: string; readonly text: string }): Value {
  return { text: token.text, quoted: token.type === 'phrase' };
}

function spelled(token: Token | undefined): string {
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
    else if (word !== undefined) {
      if (colon) yield { type: 'field', text: word };
      else if (OPERATORS.has(word)) yield { type: word as 'AND' | 'OR' | 'NOT' };
      else yield { type: 'word', text: unescaped(word) };
    } else if (wrong !== undefined) {
      throw new MalformedQuery(
        wrong === '"' ? 'Query has an unclosed quote' : `Query has an unexpected ${wrong}`,
      );
    }
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}
