/** One row of the table of checks. */
import type { Deviation } from './probe/deviation.js';
import type { Probe } from './probe/probe.js';

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip';

export interface Check {
  /** `paging.offset`: what it is about, and what of it. */
  readonly id: string;
  /** What the deployment is held to, in one sentence without a full stop. */
  readonly promise: string;
  readonly source: string;
  /** What a deviation amounts to: `fail` where the document says otherwise or the service contradicts itself, `warn` for what was only observed. */
  readonly deviation: 'fail' | 'warn';
  /** Checks without which this one says nothing: it is skipped when one of them found a deviation. */
  readonly needs?: readonly string[];
  /** It looks at what the others asked, and so is made when they are done. */
  readonly last?: true;
  /** Gives each deviation. Throws NothingToTry, and whatever asking throws. */
  readonly run: (probe: Probe) => AsyncIterable<Deviation>;
}
