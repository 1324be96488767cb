/** The options of paging, and the pages it gives. */
import type { SeenIds } from './seen-ids.js';

export interface PagingOptions {
  /** Records to request in a page. Default DEFAULT_PAGE_SIZE. */
  readonly pageSize?: number | undefined;
  /** Records to skip. Default 0. */
  readonly offset?: number | undefined;
  /** Most records to deliver. Default all: only then does an empty page confirm the end. */
  readonly limit?: number | undefined;
  /** Most pages requested at once. Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Most pages fetched ahead. Default PREFETCH_PER_REQUEST times the concurrency. */
  readonly prefetch?: number | undefined;
  /** Ids of records that count as duplicates. Default none. */
  readonly seen?: SeenIds | undefined;
  /**
   * When a page fails after all retries: stop (`fail`, the default), or leave a gap and go on until three in a row fail. Only
   * errors of the kind `deployment` leave gaps.
   */
  readonly onPageError?: 'fail' | 'gap' | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Page<R> {
  readonly offset: number;
  /** Without duplicates. */
  readonly records: readonly R[];
  /** Records in the response, duplicates included. */
  readonly received: number;
  readonly total: number | undefined;
  readonly retries: number;
  /** Milliseconds of all requests for this page. */
  readonly elapsed: number;
}
