/**
 * Everything, exactly once: walks a list by limit and offset, several pages at once and delivered in order, and reports what
 * it could not establish.
 */

import type { Page, PagingOptions } from './options.js';
import type { FetchPage, Identified, ReadList } from './page.js';
import { Paginator } from './paginator.js';
import type { PagingReport } from './report.js';

export interface Paging<R> extends AsyncIterable<Page<R>> {
  /** Grows with the walk; final when that has ended. */
  readonly report: PagingReport;
}

/**
 * Walks a list. The walk is made once, as its pages are taken: nothing is fetched beyond the look-ahead while nobody takes
 * any. The iteration throws what a page threw, the signal's reason when aborted, and an error of kind `incomplete` when the
 * service refuses to go deeper. All other trouble is in the report.
 */
export function paginate<R extends Identified>(
  fetchPage: FetchPage,
  read: ReadList<R>,
  options: PagingOptions = {},
): Paging<R> {
  const walk = new Paginator(fetchPage, read, options);
  const pages = walk.pages();
  return { report: walk.report, [Symbol.asyncIterator]: () => pages };
}
