import { describe, expect, it } from 'vitest';
import { asWritten, foldedWords, likelyValues } from '../../../src/service/search/spelling.js';

describe('asWritten', () => {
  it.each([
    ['kakahu', 'Kākahu (cloak) of flax', 'Kākahu'],
    ['Shoji', 'Hamada Sho\u0304ji', 'Shōji'],
    ['“The Ghost of a Flea”', 'c. 1819: The Ghost of a Flea', 'The Ghost of a Flea'],
    ['Blake’s', "after Blake's drawing", "Blake's"],
    ['1869-1-21', '1869.1.21', '1869.1.21'],
    ['kaka', 'Kākahu', undefined],
    ['ahu', 'Kākahu', undefined],
    ['William Blake', 'Blake, William', undefined],
    ['…', 'anything', undefined],
  ])('%s in %s is %s', (wanted, value, written) => {
    expect(asWritten(wanted, value)).toBe(written);
  });
});

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
    expect(likelyValues(wanted, makers)).toEqual(meant);
  });

  it('gives what has the very words before what almost has them', () => {
    expect(likelyValues('stone', ['stones', 'a stone of jade', 'Stone'])).toEqual([
      'Stone',
      'a stone of jade',
      'stones',
    ]);
  });
});

it('foldedWords leaves letters and digits', () => {
  expect(foldedWords('Kākahu (cloak), No. 7½')).toEqual(['kakahu', 'cloak', 'no', '7½']);
});
