/** The options of paging, and the pages that it returns. */
import type { SeenIds } from './seen-ids.js';

/** The range of a list to read, and how to request it. */
export interface PagingOptions {
  /** Default DEFAULT_PAGE_SIZE. */
  readonly pageSize?: number | undefined;
  readonly offset?: number | undefined;
  /** Default: all records. With a limit, opac does not request an empty page to confirm the end. */
  readonly limit?: number | undefined;
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Maximum of offset + limit in a request. */
  readonly window?: number | undefined;
  /** If the caller knows the total, opac requests all pages immediately, but no page after the total. */
  readonly knownTotal?: { readonly total: number; readonly pageSize: number | undefined } | undefined;
  /** Called before the first page is returned. An error that it throws ends paging. */
  readonly onTotal?: ((total: number | undefined) => Promise<void>) | undefined;
  readonly seen?: SeenIds | undefined;
  /** After all retries: `fail` (default), or `gap`, at most two in a row and only for errors of kind `deployment`. */
  readonly onPageError?: 'fail' | 'gap' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One page. `received` also counts repeated records, `total` comes from the service, `elapsed` is in milliseconds. */
export interface Page<R> {
  readonly offset: number;
  readonly records: readonly R[];
  readonly received: number;
  readonly total: number | undefined;
  readonly retries: number;
  readonly elapsed: number;
}
