/** The interface of a check. `createChecks` (checks.ts) lists all checks. */
import type { Deviation } from './probe/deviation.js';
import type { Probe } from './probe/probe.js';

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip';

export interface Check {
  /** Group and name: `paging.offset`. */
  readonly id: string;
  /** What the deployment must do, as a sentence without a full stop. */
  readonly promise: string;
  /** Where the promise is documented, or the option that requires it. */
  readonly source: string;
  /** Why a deviation is only a warning. Without this text, a deviation is a failure. `Deviation.verdict` takes precedence. */
  readonly warning?: string;
  /** Ids of checks that run first, if they are selected. This check is skipped if one of them fails, warns or is blocked. */
  readonly needs?: readonly string[];
  /** Yields each deviation. Throws CheckNotApplicable (probe/deviation.ts) and RequestFailed (probe/probe.ts). */
  readonly run: (probe: Probe) => AsyncIterable<Deviation>;
}
