/**
 * The query language: `field:value` terms combined with AND (INTERFACE.md "Object records"), words and phrases anywhere in the
 * record, OR in parentheses. A phrase matches words side by side.
 */
import { Digits, textOf } from '../reference/json.js';
import { fieldsOf } from '../reference/record.js';

const TOKENS = /\s*(AND\b|OR\b|[(),]|(?:[^\s:"(),]+):|"(?:[^"\\]|\\.)*"|[^\s:"(),]+)/gy;

/** Whether a record matches. Throws an Error for a query that is not understood. */
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
    if (!token.endsWith(':') || token.startsWith('"')) return (record) => occurs(record, unquoted(token));
    const field = token.slice(0, -1);
    if (tokens[at] !== '(') return valueMatcher(field, unquoted(tokens[at++]));
    at++;
    const matchers = [];
    while (tokens[at] !== ')' && at < tokens.length) {
      if (tokens[at] !== ',' && tokens[at] !== 'OR') matchers.push(valueMatcher(field, unquoted(tokens[at])));
      at++;
    }
    at++;
    return (record) => matchers.some((matches) => matches(record));
  }
}

function unquoted(token) {
  return token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/gs, '$1') : token;
}

function valueMatcher(field, value) {
  if (field === 'external_object_id') return (record) => record.id === value;
  if (field === 'collections')
    return ({ tree }) => textOf(tree.get('opacCollection')?.get?.('opacCollectionId')) === value;
  return (record) => {
    const values = fieldsOf(record.tree).get(field) ?? [];
    const texts = values.map((each) => each.text).filter((text) => text !== '');
    return value === '' ? texts.length === 0 : texts.some((text) => holdsPhrase(text, value));
  };
}

function occurs({ tree }, phrase) {
  const search = (value) => {
    if (value instanceof Map) return [...value.values()].some(search);
    if (Array.isArray(value)) return value.some(search);
    return (typeof value === 'string' || value instanceof Digits) && holdsPhrase(textOf(value), phrase);
  };
  return search(tree);
}

/** Letters, digits and `@` and `-` make words, so that a query can tell `@home` from `home`. */
function holdsPhrase(text, phrase) {
  const words = (each) => each.toLowerCase().match(/[\p{L}\p{N}\p{M}@-]+/gu) ?? [];
  const [all, wanted] = [words(text), words(phrase)];
  if (wanted.length === 0) return text.includes(phrase);
  return all.some((_, start) => wanted.every((word, n) => all[start + n] === word));
}
