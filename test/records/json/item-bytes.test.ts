import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine, keepBytes } from '../../../src/records/json/item-bytes.js';

/** JSON of an object with a number that JSON.stringify would write in another form. */
const ITEM = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('1.0', '9007199254740993', '1E2'))
  .map(([value, number]) => {
    const members = JSON.stringify(value).slice(1, -1);
    return `{${members}${members === '' ? '' : ','} "n" :${number}}`;
  });
const ANY = fc.oneof(
  ITEM,
  fc.jsonValue().map((value) => JSON.stringify(value)),
);

interface Response {
  readonly text: (items: string, other: string) => string;
  readonly list: (value: never) => unknown[];
}
const getB = ({ b }: { b: unknown[] }) => b;
const RESPONSES: readonly Response[] = [
  { text: (items) => `[${items}]`, list: (value: unknown[]) => value },
  { text: (items, other) => `{"a":${other},"b":[${items}]}`, list: getB },
  { text: (items, other) => `{"b":${other},"b":[${items}]}`, list: getB },
  { text: (items, other) => `{"b":[${other},${other}],"b":[${items}]}`, list: getB },
  { text: (items) => String.raw`{"\u0062":[${items}]}`, list: getB },
  {
    text: (items, other) => `\uFEFF {"a":{"c":${other},"d":[${items}]}}`,
    list: ({ a }: { a: { d: unknown[] } }) => a.d,
  },
];

describe('jsonLine', () => {
  it('returns the original JSON of each object in a response', () => {
    fc.assert(
      fc.property(fc.array(ANY), ANY, fc.constantFrom(...RESPONSES), (items, other, response) => {
        const text = response.text(items.join(' , '), other);
        const value = JSON.parse(text.replace(/^\uFEFF/, '')) as never;
        keepBytes(value, Buffer.from(text));
        const sent = items.map((item) => (item.startsWith('{') ? item : JSON.stringify(JSON.parse(item))));
        expect(response.list(value).map(jsonLine)).toEqual(sent);
      }),
      { numRuns: 2000 },
    );
  });

  it('removes spaces and line breaks between tokens', () => {
    const value = JSON.parse('[{"a":1}]') as unknown[];
    keepBytes(value, Buffer.from('[\n  {\n    "a" : 1.0,\r\n "b c": "d e" }\n]'));
    expect(jsonLine(value[0])).toBe('{"a":1.0,"b c":"d e"}');
  });

  it('creates JSON for a value without original JSON', () => {
    expect(jsonLine({ a: 1 })).toBe('{"a":1}');
    expect(jsonLine('a')).toBe('"a"');
  });
});
