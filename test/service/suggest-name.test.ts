/** Suggestions for mistyped names. */
import { describe, expect, it } from 'vitest';
import { didYouMean, findClosestName, findClosestSpelling } from '../../src/service/suggest-name.js';

const FIELDS = ['maker_name', 'title', 'maker_role', 'name'];

describe('the closest name', () => {
  it.each([
    ['titel', 'title'],
    ['TITLE', 'title'],
    ['maker_nam', 'maker_name'],
    // One word of a longer name, and of several the shortest.
    ['role', 'maker_role'],
    ['maker', 'maker_name'],
    ['rol', 'maker_role'],
    ['name', 'name'],
    ['makr', 'maker_name'],
    ['colour', undefined],
  ])('of %s is %s', (name, closest) => {
    expect(findClosestName(name, FIELDS)).toBe(closest);
  });

  it('is the shortest of those of which the name is a word', () => {
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
  ])('may differ in a third of the letters, rounded up: %s and %s', (name, known, closest) => {
    expect(findClosestSpelling(name, [known])).toBe(closest);
  });

  it('is the nearest, and the first of equals', () => {
    expect(findClosestSpelling('slug', ['slag', 'slugs', 'slug'])).toBe('slug');
    expect(findClosestSpelling('slug', ['slag', 'slog'])).toBe('slag');
  });
});

describe('the hint', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}-${'x'.repeat(9)}`);

  it('names what is close, or else up to twenty names', () => {
    expect(didYouMean('titel', FIELDS)).toBe('did you mean "title"?');
    expect(didYouMean('colour', FIELDS)).toBe('choose from maker_name, title, maker_role, name');
    expect(didYouMean('?', names(20))).toBe(`choose from ${names(20).join(', ')}`);
    expect(didYouMean('?', names(21))).toBe(`choose from ${names(20).join(', ')}, …`);
    expect(didYouMean('?', [])).toBeUndefined();
  });
});
