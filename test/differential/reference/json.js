/**
 * Reads JSON. Unlike JSON.parse, it keeps the digits of numbers and the order of keys. An object becomes a Map, and a number
 * becomes a Digits.
 */

export class Digits {
  constructor(text) {
    this.text = text;
  }
}

const WHITE_SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERALS = { true: true, false: false, null: null };

/** Throws a SyntaxError for text that is not one JSON value. */
export function readJson(text) {
  let at = 0;
  const skip = () => take(WHITE_SPACE);
  function take(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }
  function expect(character) {
    skip();
    if (text[at] !== character)
      throw new SyntaxError(`expected ${character} at ${at}: ${text.slice(at, at + 60)}`);
    at++;
  }
  function readItems(close, readItem) {
    at++;
    skip();
    if (text[at] === close) {
      at++;
      return;
    }
    for (;;) {
      readItem();
      skip();
      if (text[at] !== ',') break;
      at++;
    }
    expect(close);
  }
  function readValue() {
    skip();
    const first = text[at];
    if (first === '{') {
      const object = new Map();
      readItems('}', () => {
        skip();
        const key = readString();
        expect(':');
        object.set(key, readValue());
      });
      return object;
    }
    if (first === '[') {
      const list = [];
      readItems(']', () => list.push(readValue()));
      return list;
    }
    if (first === '"') return readString();
    for (const [name, value] of Object.entries(LITERALS)) {
      if (!text.startsWith(name, at)) continue;
      at += name.length;
      return value;
    }
    const digits = take(NUMBER);
    if (!digits) throw new SyntaxError(`expected a value at ${at}: ${text.slice(at, at + 60)}`);
    return new Digits(digits);
  }
  function readString() {
    const quoted = take(STRING);
    if (quoted === undefined) throw new SyntaxError(`expected a string at ${at}: ${text.slice(at, at + 60)}`);
    // JSON.parse does not change strings.
    return JSON.parse(quoted);
  }
  const value = readValue();
  skip();
  if (at < text.length) throw new SyntaxError(`more text after the value: ${text.slice(at, at + 60)}`);
  return value;
}

/** Returns compact JSON. */
export function printJson(value) {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`).join(',')}}`;
  return JSON.stringify(value);
}

/** Returns the same JSON without white space between tokens. */
export function minify(text) {
  return text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/gs, (_, string) => string ?? '');
}

/** Returns the text of a scalar in a table; `''` for a missing value. */
export function formatScalar(value) {
  if (value === undefined || value === null) return '';
  if (value instanceof Digits) return value.text;
  return typeof value === 'string' ? value : printJson(value);
}

/** Converts JavaScript values to Maps, lists and Digits. */
export function toTree(value) {
  if (value instanceof Digits || value === null || typeof value !== 'object')
    return typeof value === 'number' ? new Digits(String(value)) : value;
  if (Array.isArray(value)) return value.map(toTree);
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(
    members.filter(([, member]) => member !== undefined).map(([key, member]) => [key, toTree(member)]),
  );
}
