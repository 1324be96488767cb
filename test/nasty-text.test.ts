/** Checks that the arbitrary `nastyText` often creates the texts that property tests need. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyText, SORTS } from './nasty-text.js';

/** More than this number of 1,000 draws must be of the sort. */
const MIN_DRAWS: Readonly<Record<string, number>> = { empty: 40, formula: 30, 'letter or digit': 300 };
const DEFAULT_MIN_DRAWS = 100;

describe.each([1, 2, 3])('nastyText with seed %i', (seed) => {
  const draws = fc.sample(nastyText, { numRuns: 1000, seed });

  it.each(Object.entries(SORTS))('often creates texts of this sort: %s', (sort, pattern) => {
    expect(draws.filter((text) => pattern.test(text)).length).toBeGreaterThan(
      MIN_DRAWS[sort] ?? DEFAULT_MIN_DRAWS,
    );
  });

  it('often creates quotes next to separators or after backslashes', () => {
    expect(draws.filter((text) => /["'][,;|\t:]|[,;|\t:]["']|\\["']/.test(text)).length).toBeGreaterThan(20);
  });
});
