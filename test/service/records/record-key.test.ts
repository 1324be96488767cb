/** The keys that identify records, and ids as single lines. */
import { expect, it } from 'vitest';
import { escapeIdLine, formatRecordKey, readRecordKey } from '../../../src/service/records/record-key.js';

it.each([
  ['objects', '7', 'object', '7'],
  ['records', '7', 'object', 'object:7'],
  ['records', '', 'object', undefined],
  ['objects', '', '', undefined],
] as const)('formats the key of %s with the id %j and the type %s as %s', (kind, id, type, expected) => {
  expect(formatRecordKey(kind, id, type)).toBe(expected);
});

it.each([
  [{ recordType: 'person', opacPersonId: 7 }, 'person:7'],
  [{ opacPersonId: '7' }, 'persons:7'],
  [{ opacObjectId: '', opacPersonId: '7', recordType: 'person' }, 'person:7'],
  [{ opacObjectId: '7', recordType: '' }, 'objects:7'],
])('reads the key of %j in a list of all kinds as %s', (raw, expected) => {
  expect(readRecordKey(raw, 'records')).toBe(expected);
});

it.each([
  ['1\n2', '1\\n2'],
  ['1\r\n2', '1\\r\\n2'],
  ['\v\f', '\\u000b\\u000c'],
  ['\u0085\u2028\u2029', '\\u0085\\u2028\\u2029'],
  ['a\tb\\n é', 'a\tb\\n é'],
])('escapes the id %j as the line %s', (id, line) => {
  expect(escapeIdLine(id)).toBe(line);
});
