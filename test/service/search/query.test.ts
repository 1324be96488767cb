import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bracketOr,
  buildQuery,
  parseRawQuery,
  parseWhere,
  quoteValue,
} from '../../../src/service/search/query.js';
import { nastyText } from '../../nasty-text.js';

describe('buildQuery', () => {
  it.each([
    [{}, undefined],
    [{ text: [' '] }, undefined],
    [{ text: ['blake'] }, '"blake"'],
    [{ raw: ' a OR b ' }, 'a OR b'],
    [{ raw: ' ', text: ['x', 'y'] }, '"x" AND "y"'],
    [{ text: ['x OR y', 'z'] }, '"x OR y" AND "z"'],
    [{ text: ['blue glass', 'jar'] }, '"blue glass" AND "jar"'],
    [{ where: [{ field: 'maker_name', value: 'William Blake' }] }, 'maker_name:"William Blake"'],
    [{ where: [{ field: 'name', value: 'say "hi" \\ now' }] }, 'name:"say \\"hi\\" \\\\ now"'],
    [{ where: [{ field: 'name', value: 'a:b\nc (d)' }] }, 'name:"a:b\nc (d)"'],
    [{ collection: '7' }, 'collections:"7"'],
    [{ highlight: '3' }, 'highlight:"3"'],
    [{ externalIds: ['1', '2'] }, 'external_object_id:("1", "2")'],
    [{ raw: 'a:"1"', collection: '7' }, 'a:"1" AND collections:"7"'],
    [{ raw: 'a:"1" OR b:"2"', collection: '7' }, '(a:"1" OR b:"2") AND collections:"7"'],
    [{ raw: 'a:1 || b:2', collection: '7' }, '(a:1 || b:2) AND collections:"7"'],
    [{ raw: 'a:1||b:2', collection: '7' }, '(a:1||b:2) AND collections:"7"'],
    [{ raw: ' a:"1" ' }, 'a:"1"'],
  ])('converts %j to %j', (search, query) => {
    expect(buildQuery(search)).toBe(query);
  });

  it.each(['a b', 'a:b', 'a"b', '', 'a(b'])('refuses %j as a field', (field) => {
    expect(() => buildQuery({ where: [{ field, value: 'x' }] })).toThrow('invalid field name');
  });
});

describe('bracketOr', () => {
  it.each([
    ['a OR b', '(a OR b)'],
    ['a || b', '(a || b)'],
    ['a||b', '(a||b)'],
    ['a\nOR b', '(a\nOR b)'],
    ['(a) OR (b)', '((a) OR (b))'],
    ['a:"x" OR b', '(a:"x" OR b)'],
    // An escaped quote does not begin a phrase, and an escaped parenthesis does not begin a group.
    ['a\\" OR "b', '(a\\" OR "b)'],
    ['a\\( OR b\\)', '(a\\( OR b\\))'],
  ])('adds parentheses to %j', (query, bracketed) => {
    expect(bracketOr(query)).toBe(bracketed);
  });

  it.each(['a AND b', 'a:"x OR y"', 'a:"x || \\" || y"', 'a:(x OR y)', '(a || b)', 'a:ORANGE', 'a|b'])(
    'does not change %j',
    (query) => {
      expect(bracketOr(query)).toBe(query);
    },
  );
});

describe('quoteValue', () => {
  it('quotes any text so that it can be restored and the query can be parsed', () => {
    fc.assert(
      fc.property(nastyText, (value) => {
        const quoted = quoteValue(value);
        expect(quoted.slice(1, -1).replace(/\\([\\"])/g, '$1')).toBe(value);
        expect(() => parseRawQuery(`field:${quoted}`)).not.toThrow();
      }),
    );
  });
});

describe('parseRawQuery', () => {
  it.each([
    ['name:"blake', 'a quote is not closed (character 6)'],
    ['name:"blake\\"', 'a quote is not closed (character 6)'],
    ['(a:"1" AND b:"2"', 'a parenthesis is not closed (character 1)'],
    ['a:"1")', 'a closing parenthesis has no opening parenthesis (character 6)'],
    ['AND a:"1"', 'AND needs a term on both sides'],
    ['a:"1" AND', 'AND needs a term on both sides'],
    ['a:"1" AND OR b:"2"', 'AND needs a term on both sides'],
    ['(a OR )', 'OR needs a term on both sides'],
    ['(AND a)', 'AND needs a term on both sides'],
    ['a OR AND b', 'OR needs a term on both sides'],
  ])('refuses %j', (query, message) => {
    expect(() => parseRawQuery(query)).toThrow(message);
  });

  it.each([
    'name:"a ( b"',
    'a:("1", "2") AND (b:"x" OR c)',
    'name:"AND"',
    'a\\"b',
    'sandy AND land',
    '"x" AND "y"',
    '\\( OR \\)',
    '(a)AND(b)',
  ])('accepts %j', (query) => {
    expect(() => parseRawQuery(query)).not.toThrow();
  });
});

describe('parseWhere', () => {
  it('splits at the first equals sign, and does not change the value', () => {
    expect(parseWhere('name= a=b "c"')).toEqual({ field: 'name', value: ' a=b "c"' });
  });
  it('accepts a field of one letter, and removes spaces around a field', () => {
    expect(parseWhere(' a =1')).toEqual({ field: 'a', value: '1' });
    expect(parseWhere('a=1')).toEqual({ field: 'a', value: '1' });
  });
  it.each(['name', '=x', ''])('refuses %j', (argument) => {
    expect(() => parseWhere(argument)).toThrow('is not <field>=<value>');
  });
});
