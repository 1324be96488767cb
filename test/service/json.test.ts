import { describe, expect, it } from 'vitest';
import { asList, asNumber, asObject, asText, isObject } from '../../src/service/json.js';

describe('conversion of JSON values', () => {
  it.each([
    ['as it is', 'as it is'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [1.5, '1.5'],
    [false, 'false'],
    [['a', 1], '["a",1]'],
    [{ a: 1 }, '{"a":1}'],
  ])('converts %j to the text %j', (value, text) => {
    expect(asText(value)).toBe(text);
  });

  it.each([
    [7, 7],
    [0, 0],
    ['7.5', 7.5],
    [' 7 ', 7],
    ['', undefined],
    [' ', undefined],
    ['seven', undefined],
    ['Infinity', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [true, undefined],
    [['7'], undefined],
  ])('converts %j to the number %s (case %#)', (value, number) => {
    expect(asNumber(value)).toBe(number);
  });

  it.each([
    [{ a: 1 }, true],
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false],
  ])('recognizes whether %j is an object', (value, isExpected) => {
    expect(isObject(value)).toBe(isExpected);
    expect(asObject(value)).toEqual(isExpected ? value : {});
  });

  it.each([
    [[1], [1]],
    [{ length: 1 }, []],
    ['ab', []],
    [null, []],
  ])('converts %j to a list', (value, list) => {
    expect(asList(value)).toEqual(list);
  });
});
