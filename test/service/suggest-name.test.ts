/** Suggestions for mistyped names. */
import { describe, expect, it } from 'vitest';
import { didYouMean, findClosestName, findClosestSpelling } from '../../src/service/suggest-name.js';

const FIELDS = ['maker_name', 'title', 'maker_role', 'name'];

describe('search for the closest name', () => {
  it.each([
    ['titel', 'title'],
    ['TITLE', 'title'],
    ['maker_nam', 'maker_name'],
    // A word of a longer name. If several names contain the word, the shortest name.
    ['role', 'maker_role'],
    ['maker', 'maker_name'],
    ['rol', 'maker_role'],
    ['name', 'name'],
    ['makr', 'maker_name'],
    ['colour', undefined],
  ])('returns for %s the name %s', (name, closest) => {
    expect(findClosestName(name, FIELDS)).toBe(closest);
  });

  it('returns the shortest name that contains the word', () => {
    const known = ['first_inscription_text', 'last_inscription'];
    expect(findClosestName('inscription', known)).toBe('last_inscription');
  });

  it.each([
    ['a', 'b', 'b'],
    ['a', 'bc', undefined],
    ['abc', 'abx', 'abx'],
    ['abc', 'axy', undefined],
    ['abcd', 'abxy', 'abxy'],
    ['abcd', 'axyz', undefined],
  ])('allows differences in a third of the letters, rounded up: %s and %s', (name, known, closest) => {
    expect(findClosestSpelling(name, [known])).toBe(closest);
  });

  it('returns the nearest name, or the first of equally near names', () => {
    expect(findClosestSpelling('slug', ['slag', 'slugs', 'slug'])).toBe('slug');
    expect(findClosestSpelling('slug', ['slag', 'slog'])).toBe('slag');
  });
});

describe('didYouMean', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}-${'x'.repeat(9)}`);

  it('suggests a similar name, or otherwise lists up to twenty names', () => {
    expect(didYouMean('titel', FIELDS)).toBe('did you mean "title"?');
    expect(didYouMean('colour', FIELDS)).toBe('choose from maker_name, title, maker_role, name');
    expect(didYouMean('?', names(20))).toBe(`choose from ${names(20).join(', ')}`);
    expect(didYouMean('?', names(21))).toBe(`choose from ${names(20).join(', ')}, …`);
    expect(didYouMean('?', [])).toBeUndefined();
  });
});
