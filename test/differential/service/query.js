/**
 * The query language: `field:value` terms combined with AND (INTERFACE.md "Object records"), words and phrases anywhere in the
 * record, OR in parentheses. A phrase matches adjacent words.
 */
import { Digits, formatScalar } from '../reference/json.js';
import { readFields } from '../reference/record.js';

const TOKENS = /\s*(AND\b|OR\b|[(),]|(?:[^\s:"(),]+):|"(?:[^"\\]|\\.)*"|[^\s:"(),]+)/gy;

/** Returns a function that returns true for matching records. Throws an Error for an invalid query. */
export function createMatcher(query) {
  const tokens = [...query.matchAll(TOKENS)].map(([, token]) => token);
  if (tokens.join('').replace(/\s/g, '') !== query.replace(/\s/g, ''))
    throw new Error(`cannot read the query ${query}`);
  let at = 0;
  const matcher = readAny();
  if (at < tokens.length) throw new Error(`cannot read the query ${query}`);
  return matcher;

  function readAny() {
    const matchers = [readAll()];
    while (tokens[at] === 'OR') {
      at++;
      matchers.push(readAll());
    }
    return (record) => matchers.some((matches) => matches(record));
  }
  function readAll() {
    const matchers = [readTerm()];
    while (at < tokens.length && tokens[at] !== 'OR' && tokens[at] !== ')') {
      if (tokens[at] === 'AND') at++;
      matchers.push(readTerm());
    }
    return (record) => matchers.every((matches) => matches(record));
  }
  function readTerm() {
    const token = tokens[at++];
    if (token === '(') {
      const matches = readAny();
      at++;
      return matches;
    }
    if (token === undefined) throw new Error(`a term is missing in ${query}`);
    if (!token.endsWith(':') || token.startsWith('"'))
      return (record) => containsAnywhere(record, unquote(token));
    const field = token.slice(0, -1);
    if (tokens[at] !== '(') return createValueMatcher(field, unquote(tokens[at++]));
    at++;
    const matchers = [];
    while (tokens[at] !== ')' && at < tokens.length) {
      if (tokens[at] !== ',' && tokens[at] !== 'OR')
        matchers.push(createValueMatcher(field, unquote(tokens[at])));
      at++;
    }
    at++;
    return (record) => matchers.some((matches) => matches(record));
  }
}

function unquote(token) {
  return token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/gs, '$1') : token;
}

function createValueMatcher(field, value) {
  if (field === 'external_object_id') return (record) => record.id === value;
  if (field === 'collections')
    return ({ tree }) => formatScalar(tree.get('opacCollection')?.get?.('opacCollectionId')) === value;
  return (record) => {
    const values = readFields(record.tree).get(field) ?? [];
    const texts = values.map((each) => each.text).filter((text) => text !== '');
    return value === '' ? texts.length === 0 : texts.some((text) => containsPhrase(text, value));
  };
}

function containsAnywhere({ tree }, phrase) {
  const search = (value) => {
    if (value instanceof Map) return [...value.values()].some(search);
    if (Array.isArray(value)) return value.some(search);
    return (
      (typeof value === 'string' || value instanceof Digits) && containsPhrase(formatScalar(value), phrase)
    );
  };
  return search(tree);
}

/** Words consist of letters, digits, `@` and `-`, so that `@home` and `home` are different words. */
function containsPhrase(text, phrase) {
  const words = (each) => each.toLowerCase().match(/[\p{L}\p{N}\p{M}@-]+/gu) ?? [];
  const [all, wanted] = [words(text), words(phrase)];
  if (wanted.length === 0) return text.includes(phrase);
  return all.some((_, start) => wanted.every((word, n) => all[start + n] === word));
}
