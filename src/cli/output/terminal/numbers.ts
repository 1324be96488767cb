/** Numbers, shares, durations and sizes for people. */
import { formatNumber } from '../../../service/format-numbers.js';

export const count = formatNumber;

/** `3.614` as `3.6%`. Only 0 is shown as `0.0%`. Takes percent. */
export function formatPercent(value: number): string {
  if (!Number.isFinite(value)) return '?';
  return value > 0 && value < 0.1 ? '<0.1%' : `${value.toFixed(1)}%`;
}

/** Units with their length in seconds. A duration is shown in the largest unit that fits and the next smaller one. */
const TIME_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `200` as `3 min 20 s`, `7500` as `2 h 5 min`. Takes seconds. */
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

/** `12400000` as `12.4 MB`: decimal units, at most three digits. */
export function formatBytes(size: number): string {
  if (!Number.isFinite(size) || size < 0) return '?';
  // Larger figures would be rounded to "1000 kB".
  const step = BYTE_UNITS.findIndex((_, power) => size / 1000 ** power < 999.5);
  const power = step === -1 ? BYTE_UNITS.length - 1 : step;
  const figure = size / 1000 ** power;
  const decimals = power > 0 && figure < 99.95 ? 1 : 0;
  return `${count(Number(figure.toFixed(decimals)))} ${BYTE_UNITS[power]}`;
}
