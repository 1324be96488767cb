/** The options of commands that can wait for a deployment or for another run. */
import type { OptionDescription } from '../description/option.js';
import { duration } from './parse.js';

export const WAIT_OPTION = {
  flags: '--wait <duration>',
  summary: 'wait up to this long, such as 60s or 2m, for a deployment that is starting',
  parse: duration,
} as const satisfies OptionDescription;

export const WAIT_LOCK_OPTION = {
  flags: '--wait-lock <duration>',
  summary: 'wait up to this long, such as 30s or 10m, if another run is writing the same files',
  defaultText: 'exit 8 immediately',
  parse: duration,
} as const satisfies OptionDescription;
