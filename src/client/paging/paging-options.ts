/** The options of paging, and the pages that it returns. */
import type { SeenIds } from './seen-ids.js';

/** Which part of a list to read, and how. */
export interface PagingOptions {
  /** Default DEFAULT_PAGE_SIZE. */
  readonly pageSize?: number | undefined;
  readonly offset?: number | undefined;
  /** Default: all records. With a limit, opac does not check whether records follow after the total. */
  readonly limit?: number | undefined;
  /** Default DEFAULT_CONCURRENCY. */
  readonly concurrency?: number | undefined;
  /** Maximum of offset + limit in a request. */
  readonly window?: number | undefined;
  /** If set, opac requests no page after the total. With `pageSize`, opac requests further pages before it has the first. */
  readonly knownTotal?: { readonly total: number; readonly pageSize: number | undefined } | undefined;
  /** Called with the total of the first page, before this page is returned. An error ends paging. */
  readonly onTotal?: ((total: number | undefined) => Promise<void>) | undefined;
  /** Ids that were received earlier. Paging omits their records, and adds the new ids. */
  readonly seen?: SeenIds | undefined;
  /** If all retries of a page fail: `fail` (default) throws the error; `gap` reports a gap, and usually continues. */
  readonly onPageError?: 'fail' | 'gap' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `received` also counts repeated records, `total` comes from the service, `elapsed` is in milliseconds. */
export interface Page<R> {
  readonly offset: number;
  readonly records: readonly R[];
  readonly received: number;
  readonly total: number | undefined;
  readonly retries: number;
  readonly elapsed: number;
}
