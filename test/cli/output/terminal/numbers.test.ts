import { describe, expect, it } from 'vitest';
import {
  count,
  formatBytes,
  formatDuration,
  formatPercent,
} from '../../../../src/cli/output/terminal/numbers.js';

describe('formatted numbers', () => {
  it.each([
    [0, '0'],
    [1873, '1,873'],
    [10_000_000, '10,000,000'],
    [12.284488, '12.28'],
    [Number.NaN, '?'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('show the count %d as %s', (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [0, '0.0%'],
    [0.02, '<0.1%'],
    [3.614, '3.6%'],
    [100, '100.0%'],
    [Number.NaN, '?'],
  ])('show %d percent as %s', (value, text) => {
    expect(formatPercent(value)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [0.4, '0 s'],
    [59.6, '1 min'],
    [200, '3 min 20 s'],
    [3600, '1 h'],
    [3605, '1 h'],
    [7500, '2 h 5 min'],
    [90_000, '1 d 1 h'],
    [-1, '?'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('show %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1500, '1.5 kB'],
    [999_999, '1 MB'],
    [12_400_000, '12.4 MB'],
    [123_456_789, '123 MB'],
    [5e15, '5,000 TB'],
    [-1, '?'],
  ])('show %d bytes as %s', (size, text) => {
    expect(formatBytes(size)).toBe(text);
  });
});
