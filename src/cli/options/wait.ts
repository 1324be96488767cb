/** The option of commands that can wait for a deployment. */
import type { OptionDescription } from '../command/option.js';
import { duration } from './parse.js';

export const WAIT_OPTION = {
  flags: '--wait <duration>',
  summary: 'how long to wait for a deployment that is starting: 60s, 2m',
  parse: duration,
} as const satisfies OptionDescription;
