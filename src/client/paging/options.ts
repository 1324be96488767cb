/** What can be asked of a walk over pages, and what it gives. */
import type { SeenIds } from './seen-ids.js';

export interface PagingOptions {
  /** Records to ask for at a time. Default 100, which no deployment seen gives more than. */
  readonly pageSize?: number | undefined;
  /** Records to pass over. Default 0. */
  readonly offset?: number | undefined;
  /** Most records to deliver. Default all; only then is the end confirmed by an empty page. */
  readonly limit?: number | undefined;
  /** Most pages under way at once. Default 6. */
  readonly concurrency?: number | undefined;
  /** Most pages fetched before they are wanted. Default twice the concurrency. */
  readonly prefetch?: number | undefined;
  /** Ids that count as repeats when they come. Default none yet. */
  readonly seen?: SeenIds | undefined;
  /**
   * What a page that fails for good does: end the walk (`fail`, the default), or leave a gap and go on, until three in a row
   * fail. Only failures of the deployment leave gaps.
   */
  readonly onPageError?: 'fail' | 'gap' | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Page<R> {
  readonly offset: number;
  /** Without those that came before. */
  readonly records: readonly R[];
  /** Records that came, repeats included. */
  readonly received: number;
  /** As this page reports it. */
  readonly total: number | undefined;
  readonly retries: number;
  /** Milliseconds of all requests that this page took. */
  readonly elapsed: number;
}
