import { describe, expect, it } from 'vitest';
import { findSimilarValues, splitFoldedWords } from '../../../src/service/search/spelling.js';

describe('likelyValues', () => {
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
  ])('%s: %j', (wanted, meant) => {
    expect(findSimilarValues(wanted, makers)).toEqual(meant);
  });

  it('gives at most three, or as many as are wanted, and each once', () => {
    const many = ['Ann Blake', 'Bob Blake', 'Bob Blake', 'Cy Blake', 'Di Blake'];
    expect(findSimilarValues('blake', many)).toEqual(['Ann Blake', 'Bob Blake', 'Cy Blake']);
    expect(findSimilarValues('blake', many, 1)).toEqual(['Ann Blake']);
  });

  it('counts words that are not wanted only where there are more words', () => {
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
    // A letter in words of four to six, two in longer ones, none in shorter ones.
    ['hill', 'hall', true],
    ['hill', 'hull x', true],
    ['hill', 'hulk', false],
    ['hil', 'hal', false],
    ['potter', 'patten', false],
    ['potters', 'pattern', true],
    ['potters', 'patties', false],
    // Neighbours in each other's place are one letter.
    ['post', 'pots', true],
    ['cart', 'tarc', false],
    ['carts', 'catsr', false],
    ['cart', 'acrts', false],
    ['pottery', 'pattery', true],
    ['potteries', 'patterias', true],
    ['potteries', 'pattarias', false],
    ['whistler', 'wisler', true],
    // A letter stands for a word.
    ['w blake', 'William Blake', true],
    ['x blake', 'William Blake', true],
    ['w', 'William', true],
    ['x', 'William', false],
    // Half of the words may be absent beside one of four letters or more.
    ['joe blake', 'Blake', true],
    ['joe ann blake', 'Blake', false],
    ['joe kent', 'Joe', false],
    ['a hil', 'a Hall', false],
  ])('%s may mean %s: %s', (wanted, value, means) => {
    expect(findSimilarValues(wanted, [value])).toEqual(means ? [value] : []);
  });

  it('gives what has the very words before what almost has them', () => {
    expect(findSimilarValues('stone', ['stones', 'a stone of jade', 'Stone'])).toEqual([
      'Stone',
      'a stone of jade',
      'stones',
    ]);
  });
});

it('foldedWords leaves letters and digits', () => {
  expect(splitFoldedWords('Kākahu (cloak), No. 7½')).toEqual(['kakahu', 'cloak', 'no', '7½']);
});
