/** The arbitrary of nasty text draws what it is for: a property that never meets a quote proves nothing of quotes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nastyText, SORTS } from './nasty-text.js';

/** Of a thousand draws of each seed, so many at least. */
const LEAST: Readonly<Record<string, number>> = { empty: 40, formula: 30, 'letter or digit': 300 };
const USUAL = 100;

describe.each([1, 2, 3])('a thousand draws by the seed %i', (seed) => {
  const draws = fc.sample(nastyText, { numRuns: 1000, seed });

  it.each(Object.entries(SORTS))('have %s often', (sort, pattern) => {
    expect(draws.filter((text) => pattern.test(text)).length).toBeGreaterThan(LEAST[sort] ?? USUAL);
  });

  it('have quotes and separators beside each other', () => {
    expect(draws.filter((text) => /["'][,;|\t:]|[,;|\t:]["']|\\["']/.test(text)).length).toBeGreaterThan(20);
  });
});
