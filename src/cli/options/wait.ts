/** The option of commands that can wait for a deployment. */
import type { OptionDescription } from '../description/option.js';
import { duration } from './parse.js';

export const WAIT_OPTION = {
  flags: '--wait <duration>',
  summary: 'wait up to this long for a deployment that is starting, such as 60s or 2m',
  parse: duration,
} as const satisfies OptionDescription;
