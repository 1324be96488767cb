/** Spans of time as people write them: `500ms`, `60s`, `2m`, `1h`; a bare number means seconds. */
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { optionFlag, stringOption } from './read.js';

export const WAIT_OPTION: OptionDescription = {
  flags: '--wait <duration>',
  summary: 'how long to wait for a deployment that is starting: 60s, 2m',
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** The milliseconds that an option asks for. Throws a UsageError for anything but a span above 0. */
export function durationOption(options: Input['options'], name: string): number | undefined {
  const value = stringOption(options, name);
  if (value === undefined) return undefined;
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/.exec(value.trim()) ?? [];
  const milliseconds = Number(number) * (Object.hasOwn(UNITS, unit) ? (UNITS[unit] ?? 0) : 0);
  if (milliseconds > 0) return milliseconds;
  throw new UsageError(
    `invalid value "${value}" for ${optionFlag(name)}`,
    'write it as in 60s, 500ms, 2m or 1h',
  );
}
