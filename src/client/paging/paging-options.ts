/** The options of paging, and the pages it gives. */
import type { SeenIds } from './seen-ids.js';

/** Which part of a list is paged through, and how many requests at once. */
export interface PagingOptions {
  /** Default DEFAULT_PAGE_SIZE. */
  readonly pageSize?: number | undefined;
  readonly offset?: number | undefined;
  /** Default all: only then does an empty page confirm the end. */
  readonly limit?: number | undefined;
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Most pages fetched ahead. Default PREFETCH_PER_REQUEST times the concurrency. */
  readonly prefetch?: number | undefined;
  /** Nothing is requested where offset + limit would be above it. */
  readonly window?: number | undefined;
  /** Known from elsewhere: pages are requested at once, and none past the total. */
  readonly knownTotal?: { readonly total: number; readonly pageSize: number | undefined } | undefined;
  /** Told the total of the first page, before it is given and others are requested; what it throws ends paging. */
  readonly onTotal?: ((total: number | undefined) => Promise<void>) | undefined;
  readonly seen?: SeenIds | undefined;
  /** After all retries: stop (default), or leave a gap for errors of kind `deployment`, at most two in a row. */
  readonly onPageError?: 'fail' | 'gap' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One page: `received` counts also what the page before had already, `total` is what the service claims, `elapsed` in
 * milliseconds.
 */
export interface Page<R> {
  readonly offset: number;
  readonly records: readonly R[];
  readonly received: number;
  readonly total: number | undefined;
  readonly retries: number;
  readonly elapsed: number;
}
