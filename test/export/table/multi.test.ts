import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../src/cli/help/topics.js';
import { cellPrinter, cellValues, parseMulti, withoutEmpty } from '../../../src/export/table/multi.js';

describe('joined cells', () => {
  it.each([
    ['join', ['a', 'b|c'], String.raw`a|b\|c`],
    ['join', ['a\\', 'b'], String.raw`a\\|b`],
    ['join', [String.raw`a\|b`, 'c'], String.raw`a\\\|b|c`],
    ['join', [String.raw`a\b`, 'c'], String.raw`a\b|c`],
    ['join=; ', ['a;b', 'c; d'], String.raw`a;b; c\; d`],
    ['join', 'a|b', 'a|b'],
  ])('%s: %j', (rule, values, cell) => {
    expect(cellPrinter(parseMulti(rule))(values)).toBe(cell);
    if (typeof values === 'object') expect(cellValues(parseMulti(rule), cell)).toEqual(values);
  });

  it('keep the place of an empty value where a list beside them is as long, and nowhere else', () => {
    const cell = ['a', '', 'b'];
    expect(withoutEmpty(cell, [1, 2, 4])).toEqual(['a', 'b']);
    expect(withoutEmpty(cell, [1, 3])).toEqual(cell);
    expect(withoutEmpty(['', 'a'], [])).toBe('a');
    expect(withoutEmpty(['', ''], [])).toBe('');
  });

  it('are explained by opac help formats', () => {
    const text = TOPICS.get('formats') ?? '';
    for (const said of [
      '\\ precedes a separator',
      'A backslash that stands right before a separator is doubled',
      'An empty value among several is left out, unless another field of the record has as many values',
    ])
      expect(text).toContain(said);
  });
});
