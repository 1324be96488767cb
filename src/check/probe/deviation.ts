/** What a check may come back with: that a promise is not kept. */
import type { Exchange } from './recorder.js';

export interface Deviation {
  readonly expected: string;
  readonly received: string;
  readonly at?: Exchange | undefined;
  /** What this deviation amounts to, where that is not what the check says. */
  readonly verdict?: 'fail' | 'warn' | undefined;
}
