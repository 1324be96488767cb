/** The scanner skips the same text that JSON.parse accepts. */
import { expect, it } from 'vitest';
import { compactJson } from '../../../src/records/json/compact-json.js';
import { skipSpace, skipString, skipValue } from '../../../src/records/json/skip-json.js';

const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);

it.each([
  ...['0', '-0', '7', '-7', '10', '0.5', '-1.50', '1e5', '1E5', '1e+5', '1E-05', '0e0', '1.5e3'],
  ...['true', 'false', 'null', '""', '"a"', '"ā🦑"', '"\u007f"', '" "'],
  ...['"\\""', '"\\\\"', '"\\/"', '"\\b\\f\\n\\r\\t"', '"\\u00e9\\uABCD"', '"\\\\\\""', '"\\ud800"'],
  ...['[]', '[ ]', '[1]', '[1,2]', '[ 1 , 2 ]', '[[],{}]', '[\t[\n]\r,\n{ } ]'],
  ...[
    '{}',
    '{ }',
    '{"":1}',
    '{"a":1,"b":[2]}',
    '{ "a" : 1 , "b" : { } }',
    '{"a\\"":{"b":[{}]}}',
    '{"a\\u0062":1}',
  ],
  nested(20, '1'),
])('skips %s to its end', (text) => {
  JSON.parse(text);
  const bytes = Buffer.from(text);
  expect(skipValue(bytes, 0)).toBe(bytes.length);
  expect(skipValue(Buffer.from(`xx${text} ,`), 2)).toBe(bytes.length + 2);
});

it.each([
  ...[
    '',
    '-',
    '--1',
    '+1',
    '.5',
    '1.',
    '1.e5',
    '-.5',
    '00',
    '01',
    '-01',
    '1e',
    '1e+',
    '1e5.5',
    '1e+-5',
    '0x1',
    '1_0',
  ],
  ...['tru', 'truE', 'True', 'trues', 'nul', 'nulL', 'fals', 'NaN', 'Infinity', 'undefined', "'a'", 'a'],
  ...[
    '"',
    '"a',
    '"\\"',
    '"\\x"',
    '"\\u00g0"',
    '"\\u00e"',
    '"\\U00e9"',
    '"\\u 123"',
    '"a\tb"',
    '"a\nb"',
    '"\u0000"',
    '"\\',
  ],
  ...['[', '[,]', '[1,]', '[,1]', '[1 2]', '[1,,2]', '[1}', '[}', '[1:2]', '["a":1]', '[1', '[1,', ']'],
  ...[
    '{',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1]',
    '{]',
    '{a:1}',
    '{1:2}',
  ],
  ...[
    '{"a":1,b:2}',
    '{"a"::1}',
    '{"a\n":1}',
    '{"a\\x":1}',
    '{"a":1,,}',
    '{"a',
    '{"a":1',
    '{"a":1,',
    '{"a":1,1}',
    '{"a":[1}}',
  ],
  ...['\u000b1', '\u00a01', '\u00001', '1\u0000', '/**/1'],
])('does not skip invalid JSON to its end: %s', (text) => {
  expect(() => JSON.parse(`[${text}${text === '' ? ',' : ''}]`)).toThrow();
  const bytes = Buffer.from(`[${text}${text === '' ? ',' : ''}]`);
  expect(skipValue(bytes, 0)).not.toBe(bytes.length);
  const member = Buffer.from(`{"a":${text}}`);
  expect(skipValue(member, 0)).not.toBe(member.length);
});

it('returns -1 for values with more than 256 levels of nesting', () => {
  expect(skipValue(Buffer.from(nested(256, '1')), 0)).toBe(513);
  expect(skipValue(Buffer.from(nested(257, '1')), 0)).toBe(-1);
  expect(skipValue(Buffer.from(`[${nested(256, '[1]')}]`), 0)).toBe(-1);
});

it('skips spaces and strings, and returns -1 for invalid strings', () => {
  const bytes = Buffer.from(' \t\n\r"a\\"b" x');
  expect([skipSpace(bytes, 0), skipSpace(bytes, 4), skipSpace(bytes, bytes.length)]).toEqual([4, 4, 12]);
  expect([skipString(bytes, 4), skipString(bytes, 0), skipString(bytes, 9)]).toEqual([10, -1, -1]);
  for (const wrong of ['"', '"a', '"\\', '"\\u123"', '"a\n"'])
    expect(skipString(Buffer.from(wrong), 0), wrong).toBe(-1);
});

it('keeps the spaces in strings when it compacts a record', () => {
  const record = ' {\r\n\t"a b" : "c \\" d\\\\" , "e" : [ 1 , " " ]\n}\n';
  expect(compactJson(Buffer.from(record)).toString()).toBe('{"a b":"c \\" d\\\\","e":[1," "]}');
});
