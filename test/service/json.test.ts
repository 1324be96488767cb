import { describe, expect, it } from 'vitest';
import { asList, asNumber, asObject, asText, isObject } from '../../src/service/json.js';

describe('JSON that somebody else wrote, read', () => {
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
  ])('as text: %j is %j', (value, text) => {
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
  ])('as a number: %j is %s', (value, number) => {
    expect(asNumber(value)).toBe(number);
  });

  it.each([
    [{ a: 1 }, true],
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false],
  ])('as an object: %j', (value, is) => {
    expect(isObject(value)).toBe(is);
    expect(asObject(value)).toEqual(is ? value : {});
  });

  it.each([
    [[1], [1]],
    [{ length: 1 }, []],
    ['ab', []],
    [null, []],
  ])('as a list: %j', (value, list) => {
    expect(asList(value)).toEqual(list);
  });
});
