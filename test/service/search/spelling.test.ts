import { describe, expect, it } from 'vitest';
import { findSimilarValues, splitFoldedWords } from '../../../src/service/search/spelling.js';

describe('findSimilarValues', () => {
  const makers = ['William Blake', 'Robert Blake', 'Peter Blake', 'Blackadder, Elizabeth', 'Kākahu', 'Hill'];

  it.each([
    ['Blake, William', ['William Blake']],
    ['Blacke', ['William Blake', 'Robert Blake', 'Peter Blake']],
    ['Willam Balke', ['William Blake']],
    ['Blake, W.', ['William Blake']],
    ['Blake, Joe', ['William Blake', 'Robert Blake', 'Peter Blake']],
    ['Blake, E. V. T.', []],
    ['kakahu', ['Kākahu']],
    ['hil', []],
    ['Nobody', []],
    ['“”', []],
  ])('returns for %s the values %j', (wanted, similar) => {
    expect(findSimilarValues(wanted, makers)).toEqual(similar);
  });

  it('returns at most three values, or the requested number, without duplicates', () => {
    const many = ['Ann Blake', 'Bob Blake', 'Bob Blake', 'Cy Blake', 'Di Blake'];
    expect(findSimilarValues('blake', many)).toEqual(['Ann Blake', 'Bob Blake', 'Cy Blake']);
    expect(findSimilarValues('blake', many, 1)).toEqual(['Ann Blake']);
  });

  it('sorts equally similar values by the number of additional words', () => {
    expect(findSimilarValues('blake joe', ['Peter Blake', 'Blake', 'A Blake of Kent'])).toEqual([
      'Peter Blake',
      'Blake',
      'A Blake of Kent',
    ]);
    expect(findSimilarValues('blake', ['The old Blake', 'Peter Blake', 'Blake'])).toEqual([
      'Blake',
      'Peter Blake',
      'The old Blake',
    ]);
  });

  it.each([
    // One letter may differ in words of four to six letters, two in longer words, none in shorter words.
    ['hill', 'hall', true],
    ['hill', 'hull x', true],
    ['hill', 'hulk', false],
    ['hil', 'hal', false],
    ['potter', 'patten', false],
    ['potters', 'pattern', true],
    ['potters', 'patties', false],
    // Two swapped neighbouring letters count as one difference.
    ['post', 'pots', true],
    ['cart', 'tarc', false],
    ['carts', 'catsr', false],
    ['cart', 'acrts', false],
    ['pottery', 'pattery', true],
    ['potteries', 'patterias', true],
    ['potteries', 'pattarias', false],
    ['whistler', 'wisler', true],
    // A single letter is an initial.
    ['w blake', 'William Blake', true],
    ['x blake', 'William Blake', true],
    ['w', 'William', true],
    ['x', 'William', false],
    // Half of the words may be missing if a word of four or more letters matches.
    ['joe blake', 'Blake', true],
    ['joe ann blake', 'Blake', false],
    ['joe kent', 'Joe', false],
    ['a hil', 'a Hall', false],
  ])('compares %s with %s: %s', (wanted, value, isSimilar) => {
    expect(findSimilarValues(wanted, [value])).toEqual(isSimilar ? [value] : []);
  });

  it('returns values with the same words before values with similar words', () => {
    expect(findSimilarValues('stone', ['stones', 'a stone of jade', 'Stone'])).toEqual([
      'Stone',
      'a stone of jade',
      'stones',
    ]);
  });
});

it('splits text into words of letters and numbers without accents', () => {
  expect(splitFoldedWords('Kākahu (cloak), No. 7½')).toEqual(['kakahu', 'cloak', 'no', '7½']);
});
