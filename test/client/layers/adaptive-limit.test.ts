import { describe, expect, it } from 'vitest';
import { AdaptiveLimit } from '../../../src/client/layers/adaptive-limit.js';

/** Answers to so many requests of the present generation. */
function answer(limit: AdaptiveLimit, count: number, latency: number | (() => number) = 200): void {
  for (let n = 0; n < count; n++) {
    limit.answered(typeof latency === 'number' ? latency : latency(), limit.generation);
  }
}

describe('the limit', () => {
  it('starts at two and doubles with every round until it reaches the ceiling', () => {
    const limit = new AdaptiveLimit(16);
    const rounds = [limit.value];
    for (let round = 0; round < 4; round++) {
      answer(limit, limit.value);
      rounds.push(limit.value);
    }
    expect(rounds).toEqual([2, 4, 8, 16, 16]);
  });

  it('never passes its ceiling, and is never less than one', () => {
    const low = new AdaptiveLimit(1);
    answer(low, 100);
    expect(low.value).toBe(1);
    low.refused(low.generation);
    expect(low.value).toBe(1);
  });

  it('halves once for a burst of refusals and then grows by one a round', () => {
    const limit = new AdaptiveLimit(8);
    answer(limit, 20);
    const { generation } = limit;
    for (let n = 0; n < 8; n++) limit.refused(generation);
    expect(limit.value).toBe(4);
    answer(limit, 5);
    expect(limit.value).toBe(5);
    limit.refused(limit.generation);
    limit.refused(limit.generation);
    expect(limit.value).toBe(1);
  });

  it('is one at least', () => {
    expect(new AdaptiveLimit(0).value).toBe(1);
  });

  it.each([
    ['at three times the lowest latency and 100 ms more, as smoothed', 8, 1300, 0],
    ['above that', 8, 1304, 1],
    ['above that with the eighth response', 7, 1304, 1],
    ['with fewer than eight responses', 6, 99_999, 0],
  ])('is halved by latency %s: after %i of 100 ms by one of %i', (_, before, latency, cuts) => {
    const limit = new AdaptiveLimit(20);
    answer(limit, before, 100);
    const { value } = limit;
    answer(limit, 1, latency);
    expect([limit.generation, limit.value]).toEqual([cuts, cuts ? Math.floor(value / 2) : value + 1]);
  });

  it('is not moved by responses to requests from before a cut', () => {
    const limit = new AdaptiveLimit(20);
    answer(limit, 10);
    limit.refused(limit.generation);
    const { value } = limit;
    for (let n = 0; n < 50; n++) limit.answered(9_999, 0);
    expect([limit.value, limit.generation]).toEqual([value, 1]);
    // Growth by one a round begins anew.
    answer(limit, 7);
    expect(limit.value).toBe(value + 1);
  });

  it('is cut once more for latency only when the last cut has helped', () => {
    const limit = new AdaptiveLimit(16);
    answer(limit, 14, 100);
    answer(limit, 8, 1_000);
    expect(limit.generation).toBe(1);
    answer(limit, 100, 900);
    expect(limit.generation).toBe(1);
    const other = new AdaptiveLimit(16);
    answer(other, 14, 100);
    answer(other, 2, 1_000);
    answer(other, 8, 300);
    expect(other.generation).toBe(1);
    answer(other, 20, 450);
    expect(other.generation).toBe(2);
  });

  it('keeps to a latency that wavers', () => {
    const limit = new AdaptiveLimit(6);
    let n = 0;
    answer(limit, 500, () => 150 + (n++ % 5) * 40);
    expect([limit.value, limit.generation]).toEqual([6, 0]);
  });

  it('settles lower at a service that answers one request after the other', () => {
    const limit = new AdaptiveLimit(12);
    const seen: number[] = [];
    for (let n = 0; n < 2_000; n++) {
      limit.answered(400 * limit.value, limit.generation);
      if (n > 500) seen.push(limit.value);
    }
    expect(Math.max(...seen)).toBeLessThan(10);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(2);
  });

  it('comes back when slow answers turn out to be slow by themselves', () => {
    const limit = new AdaptiveLimit(6);
    answer(limit, 20, 10);
    answer(limit, 300, 4_000);
    expect(limit.value).toBe(6);
  });
});
