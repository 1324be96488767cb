/** Compares the result of findCovered with a search at every position. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTextPattern, findCovered } from '../../src/service/text-pattern.js';

it('finds each character that belongs to an occurrence of the text', () => {
  const letters = (minLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'ä'), { minLength, maxLength: 30 }).map((each) => each.join(''));
  fc.assert(
    fc.property(letters(1), letters(0), (text, searched) => {
      const expected = new Set<number>();
      for (let at = searched.indexOf(text); at >= 0; at = searched.indexOf(text, at + 1))
        for (let n = at; n < at + text.length; n++) expected.add(n);
      const found = findCovered(searched, createTextPattern(text));
      expect(found.flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n))).toEqual(
        [...expected].sort((one, other) => one - other),
      );
    }),
    { numRuns: 2000 },
  );
});
