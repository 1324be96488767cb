/** What the caller expects of a deployment beside what the interface promises. */
import type { Kind } from '../../service/kinds.js';
import type { Census } from './census.js';

export interface Expectations {
  /** Records that there are at least, by kind. */
  readonly minimums: ReadonlyMap<Kind, number>;
  /** Milliseconds that 95 of 100 responses of an endpoint may take. */
  readonly maxLatency: number | undefined;
  readonly fields: ReadonlyMap<Kind, readonly string[]>;
  readonly baseline: Census | undefined;
  /** Percent by which fill rates and totals may move. */
  readonly tolerance: number;
}

export const DEFAULT_TOLERANCE_PERCENT = 5;
