import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/client/errors/retry-after.js';

const NOW = Date.UTC(2024, 4, 1, 12, 0, 0);

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 1.5 ', 1_500],
    ['Wed, 01 May 2024 12:00:30 GMT', 30_000],
    ['Wed, 01 May 2024 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('reads %j as %j', (value, wait) => {
    expect(parseRetryAfter({ 'retry-after': value }, NOW)).toEqual(wait);
  });

  it('returns undefined without the header', () => {
    expect(parseRetryAfter({}, NOW)).toBeUndefined();
  });
});
