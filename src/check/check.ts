/** One row of the table of checks. */
import type { Deviation } from './probe/deviation.js';
import type { Probe } from './probe/probe.js';

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip';

export interface Check {
  /** Group and name: `paging.offset`. */
  readonly id: string;
  /** What the deployment must do, as a sentence without a full stop. */
  readonly promise: string;
  readonly source: string;
  /** Why a deviation is only a warning. Default: a deviation is a failure. */
  readonly warning?: string;
  /** Checks that must pass first. If one of them finds a deviation, this check is skipped. */
  readonly needs?: readonly string[];
  /** Yields each deviation. Throws CheckNotApplicable, and the errors of the probe. */
  readonly run: (probe: Probe) => AsyncIterable<Deviation>;
}
