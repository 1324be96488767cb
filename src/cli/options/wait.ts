/** The options of commands that can wait for a deployment or for another run. */
import type { OptionDescription } from '../description/option.js';
import { duration } from './parse.js';

export const WAIT_OPTION = {
  flags: '--wait <duration>',
  summary: 'wait up to this long for a deployment that is starting, such as 60s or 2m',
  parse: duration,
} as const satisfies OptionDescription;

export const WAIT_LOCK_OPTION = {
  flags: '--wait-lock <duration>',
  summary: 'wait up to this long if another run is writing the same files, such as 30s or 10m',
  defaultText: 'exit 8 immediately',
  parse: duration,
} as const satisfies OptionDescription;
