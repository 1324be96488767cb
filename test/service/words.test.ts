/** Numbers in messages, names of kinds and service items, and text in HTML. */
import { describe, expect, it } from 'vitest';
import { isServiceItem } from '../../src/service/endpoints/items.js';
import { formatCount, formatNumber } from '../../src/service/format-numbers.js';
import { KIND_KEYS, kindOfRecordType } from '../../src/service/kinds.js';
import { escapeHtml } from '../../src/system/html.js';

describe('number format', () => {
  it.each([
    [0, '0'],
    [1873, '1,873'],
    [1_234_567.891, '1,234,567.89'],
    [-5109, '-5,109'],
    [Number.NaN, '?'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('converts %d to %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it.each([
    [0, undefined, '0 records'],
    [1, undefined, '1 record'],
    [5109, undefined, '5,109 records'],
    [1, 'people', '1 record'],
    [2, 'people', '2 people'],
  ])('converts a count of %d with the plural %s to %s', (value, many, text) => {
    expect(formatCount(value, 'record', many)).toBe(text);
  });
});

describe('table of kinds', () => {
  it('contains the keys of the service for persons', () => {
    expect(KIND_KEYS.persons).toEqual({
      segment: 'opacpersons',
      recordType: 'person',
      listKey: 'opacPersons',
      totalKey: 'totalPersons',
      idKey: 'opacPersonId',
      fieldSetsKey: 'opacPersonFieldSets',
      fieldsKey: 'opacPersonFields',
      fieldAttributesKey: 'opacPersonFieldAttributes',
      scoreKey: 'personSearchScore',
    });
  });

  it.each([
    ['object', 'objects'],
    ['Person', 'persons'],
    ['VENUE', 'venues'],
    ['record', undefined],
    ['archive', undefined],
    ['', undefined],
  ])('returns for the record type %j the kind %s', (recordType, kind) => {
    expect(kindOfRecordType(recordType)).toBe(kind);
  });
});

it.each([
  ['facet', true],
  ['object', false],
  ['toString', false],
])('recognizes whether %s is an item other than a record: %s', (name, isExpected) => {
  expect(isServiceItem(name)).toBe(isExpected);
});

describe('escapeHtml', () => {
  it.each([
    [`<a href="x" title='y'>&amp;</a>`, '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;'],
    ['tab\tline\r\n kept', 'tab\tline&#13;&#10; kept'],
    ['\0\x08\x0b\x0c\x0e\x1f', '\ufffd'.repeat(6)],
    ['\ufffe\uffff\ud800', '\ufffd\ufffd\ufffd'],
    ['🏺\x7f\u0085', '🏺'],
    ['a\u202eb\u202a\u2066c\u2069', 'abc'],
    ['a\u200eb\u2065\u206a', 'a\u200eb\u2065\u206a'],
  ])('converts %j to %j', (text, html) => {
    expect(escapeHtml(text)).toBe(html);
  });
});
