/** The expectations of the user, in addition to the API documentation. */
import type { Kind } from '../../service/kinds.js';
import type { Census } from './census.js';

export interface Expectations {
  readonly minimums: ReadonlyMap<Kind, number>;
  /** Maximum 95th percentile of the response times of an endpoint, in milliseconds. */
  readonly maxLatency: number | undefined;
  /** By kind: the fields that its first records must contain. */
  readonly fields: ReadonlyMap<Kind, readonly string[]>;
  readonly baseline: Census | undefined;
  /** Maximum change from the baseline: of totals in percent, of fill rates in percentage points. */
  readonly tolerance: number;
}

export const DEFAULT_TOLERANCE_PERCENT = 5;
