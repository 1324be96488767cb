import { describe, expect, it } from 'vitest';
import {
  cellValues,
  createCellFormatter,
  dropEmptyValues,
  parseMultiValueRule,
} from '../../../src/records/cells/multi-value-rule.js';
import { readPageText } from '../../docs/documents.js';

describe('multi-value rule', () => {
  it.each([
    [undefined, { rule: 'join', separator: '|' }],
    ['join', { rule: 'join', separator: '|' }],
    ['join==', { rule: 'join', separator: '=' }],
    ['json', { rule: 'json' }],
    ['first', { rule: 'first' }],
    ['rows=a', { rule: 'rows', fields: ['a'], separator: '|' }],
    ['rows=a,b, a,b', { rule: 'rows', fields: ['a', 'b'], separator: '|' }],
  ])('parses %s as %j', (text, rule) => {
    expect(parseMultiValueRule(text)).toEqual(rule);
  });

  const RULES_HINT = 'use join, join=<separator>, json, first or rows=<fields>';
  const SEPARATOR_HINT = 'use a separator without a backslash, such as --multi "join=; "';
  it.each([
    ['rows', '"rows" is not a rule for several values', RULES_HINT],
    ['rows=', '"rows=" is not a rule for several values', RULES_HINT],
    ['json=x', '"json=x" is not a rule for several values', RULES_HINT],
    ['last', '"last" is not a rule for several values', RULES_HINT],
    ['join=', '"" cannot separate values', SEPARATOR_HINT],
    ['join=a\\', '"a\\" cannot separate values', SEPARATOR_HINT],
  ])('refuses the rule %s', (text, message, hint) => {
    expect(() => parseMultiValueRule(text)).toThrow(
      expect.objectContaining({ kind: 'usage', message, hint }),
    );
  });

  it.each([
    ['first', ['', 'b', 'c'], 'b', ['b']],
    ['first', ['', ''], '', []],
    ['first', 'a', 'a', ['a']],
    ['json', ['a'], '["a"]', ['a']],
    ['json', [], '[]', []],
    ['json', 'a', 'a', ['a']],
  ])('applies the rule %s to %j, and returns %j', (rule, cell, text, values) => {
    expect(createCellFormatter(parseMultiValueRule(rule))(cell)).toBe(text);
    expect(cellValues(parseMultiValueRule(rule), text)).toEqual(values);
  });

  it('formats one value as a JSON list only in columns with lists, and no value as empty text', () => {
    const print = createCellFormatter(parseMultiValueRule('json'));
    expect([print('a', true), print('', true), print('a', false)]).toEqual(['["a"]', '', 'a']);
  });
});

describe('joined cell', () => {
  it.each([
    ['join', ['a', 'b|c'], String.raw`a|b\|c`],
    ['join', ['a\\', 'b'], String.raw`a\\|b`],
    ['join', [String.raw`a\|b`, 'c'], String.raw`a\\\|b|c`],
    ['join', [String.raw`a\b`, 'c'], String.raw`a\b|c`],
    ['join=; ', ['a;b', 'c; d'], String.raw`a;b; c\; d`],
    ['join', 'a|b', 'a|b'],
  ])('separates values with %s so that they can be read again: %j', (rule, values, cell) => {
    expect(createCellFormatter(parseMultiValueRule(rule))(values)).toBe(cell);
    if (typeof values === 'object') expect(cellValues(parseMultiValueRule(rule), cell)).toEqual(values);
  });

  it('keeps an empty value only if another list of the record has the same length', () => {
    const cell = ['a', '', 'b'];
    expect(dropEmptyValues(cell, [1, 2, 4])).toEqual(['a', 'b']);
    expect(dropEmptyValues(cell, [1, 3])).toEqual(cell);
    expect(dropEmptyValues(['', 'a'], [])).toBe('a');
    expect(dropEmptyValues(['', ''], [])).toBe('');
  });

  it('has an explanation in opac help formats', () => {
    const text = readPageText('formats').replaceAll(/\s+/g, ' ');
    for (const sentence of [
      'each `|`: `a|b\\|c` contains "a" and "b|c"',
      'all `\\` at the end of a value, except in the last value of the cell: `a\\\\|b` contains "a\\" and "b"',
      'opac omits empty values from joined cells. It keeps them only if another column of the export has the same number of values in the record',
    ])
      expect(text).toContain(sentence);
  });
});
