/** Numbers, shares, durations and sizes for people. */
import { formatNumber } from '../../../service/format-numbers.js';

export const count = formatNumber;

/** `value` is in percent: returns `3.6%` for 3.614. Returns `0.0%` only for 0. */
export function formatPercent(value: number): string {
  if (!Number.isFinite(value)) return '?';
  return value > 0 && value < 0.1 ? '<0.1%' : `${value.toFixed(1)}%`;
}

/** Seconds per unit. A duration has the largest unit that fits, and the next smaller unit unless its number is 0. */
const TIME_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Returns `3 min 20 s` for 200 seconds, and `2 h 5 min` for 7500. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '?';
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, length] of TIME_UNITS) {
    const amount = Math.floor(left / length);
    if (parts.length === 1) return amount > 0 ? `${parts[0]} ${amount} ${unit}` : `${parts[0]}`;
    if (amount > 0) parts.push(`${count(amount)} ${unit}`);
    left -= amount * length;
  }
  return parts[0] ?? '0 s';
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Returns `12.4 MB` for 12400000 bytes: decimal units and at most three digits. */
export function formatBytes(size: number): string {
  if (!Number.isFinite(size) || size < 0) return '?';
  // A figure of 999.5 or more would be rounded to 1000.
  const step = BYTE_UNITS.findIndex((_, power) => size / 1000 ** power < 999.5);
  const power = step === -1 ? BYTE_UNITS.length - 1 : step;
  const figure = size / 1000 ** power;
  const decimals = power > 0 && figure < 99.95 ? 1 : 0;
  return `${count(Number(figure.toFixed(decimals)))} ${BYTE_UNITS[power]}`;
}
