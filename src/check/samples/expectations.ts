/** The expectations of the user, in addition to the API documentation. */
import type { Kind } from '../../service/kinds.js';
import type { Census } from './census.js';

export interface Expectations {
  readonly minimums: ReadonlyMap<Kind, number>;
  /** Maximum 95th percentile of the response times of an endpoint, in milliseconds. */
  readonly maxLatency: number | undefined;
  /** By kind: the fields that must occur on the first page of its records. */
  readonly fields: ReadonlyMap<Kind, readonly string[]>;
  readonly baseline: Census | undefined;
  /** The maximum change since the baseline: in percent for totals, in percentage points for fill rates. */
  readonly tolerance: number;
}

export const DEFAULT_TOLERANCE_PERCENT = 5;
