/** The options of paging, and the pages that it returns. */
import type { SeenIds } from './seen-ids.js';

/** The range of a list to read, and how to request it. */
export interface PagingOptions {
  /** Default DEFAULT_PAGE_SIZE. */
  readonly pageSize?: number | undefined;
  readonly offset?: number | undefined;
  /** Default: all records. With a limit, opac does not request a page after the total to confirm the end. */
  readonly limit?: number | undefined;
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Maximum of offset + limit in a request. */
  readonly window?: number | undefined;
  /**
   * The total, if the caller knows it. opac then does not request a page after the total. With `pageSize`, opac also does not
   * wait for the first page before it requests the others.
   */
  readonly knownTotal?: { readonly total: number; readonly pageSize: number | undefined } | undefined;
  /** Called with the total of the first page before this page is returned. An error of this function ends paging. */
  readonly onTotal?: ((total: number | undefined) => Promise<void>) | undefined;
  /** Ids that were received earlier. Paging omits their records, and adds the new ids. */
  readonly seen?: SeenIds | undefined;
  /**
   * What happens if a page fails after all retries. `fail` (default): throws the error. `gap`: reports a gap and continues, but
   * throws the error if no page was received before, if three pages in a row failed, or if the error is not a `deployment` error.
   */
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
