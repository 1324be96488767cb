/** One row of the table of checks. */
import type { Deviation } from './probe/deviation.js';
import type { Probe } from './probe/probe.js';

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip';

export interface Check {
  /** Group and name: `paging.offset`. */
  readonly id: string;
  /** What the deployment must do, in one sentence without a full stop. */
  readonly promise: string;
  readonly source: string;
  /** Default `fail`: the document says otherwise, or the service contradicts itself. `warn` is for what was only observed. */
  readonly deviation?: 'fail' | 'warn';
  /** Checks that must pass first: this one is skipped when one of them found a deviation. */
  readonly needs?: readonly string[];
  /** Gives each deviation. Throws NothingToTry, and whatever asking throws. */
  readonly run: (probe: Probe) => AsyncIterable<Deviation>;
}
