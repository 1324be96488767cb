/** Every record of a list exactly once, by limit and offset, and a report of what could not be established. */
import type { Page, PagingOptions } from './options.js';
import type { FetchPage, Identified } from './page.js';
import { Paginator } from './paginator.js';
import type { PagingReport } from './report.js';

/** Pages in the order of their offsets, fetched as they are taken. */
export interface Paging<R> extends AsyncIterable<Page<R>> {
  /** Grows while pages are taken; final after the last. */
  readonly report: PagingReport;
}

/**
 * Pages through a list once, as pages are taken. Throws the error of a page, the signal's reason, or an OpacError of kind
 * `incomplete` when the service refuses deeper offsets; all else is in the report.
 */
export function paginate<R extends Identified>(
  fetchPage: FetchPage<R>,
  options: PagingOptions = {},
): Paging<R> {
  const paginator = new Paginator(fetchPage, options);
  const pages = paginator.pages();
  return { report: paginator.report, [Symbol.asyncIterator]: () => pages };
}
