/** The expectations of the user, in addition to the API documentation. */
import type { Kind } from '../../service/kinds.js';
import type { Census } from './census.js';

export interface Expectations {
  /** Minimum number of records of each kind. */
  readonly minimums: ReadonlyMap<Kind, number>;
  /** Maximum of the 95th percentile of the response times of an endpoint, in milliseconds. */
  readonly maxLatency: number | undefined;
  readonly fields: ReadonlyMap<Kind, readonly string[]>;
  readonly baseline: Census | undefined;
  /** Maximum change of fill rates and totals, in percent. */
  readonly tolerance: number;
}

export const DEFAULT_TOLERANCE_PERCENT = 5;
