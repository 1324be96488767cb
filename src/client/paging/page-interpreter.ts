/** Decides what a response means: records, a gap or the end of the list. Servers differ (FIELD-NOTES.md "Requests"). */
import { OpacError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { HttpError } from '../errors/http-error.js';
import type { FetchedPage, HasId, PagePlan } from './fetch-page.js';
import type { PagePlanner } from './page-planner.js';
import type { Page, PagingOptions } from './paging-options.js';
import type { ReportWriter, StopReason } from './paging-report.js';
import { createSeenIds, type SeenIds } from './seen-ids.js';

export type PageOutcome<R> = Page<R> | StopReason | undefined;

interface InterpreterOptions extends Pick<PagingOptions, 'seen' | 'onPageError'> {
  readonly offset: number;
  readonly limit: number;
}

/** Paging may stop after this number of pages in a row that failed, are empty, or contain no new records. */
const MAX_FUTILE_PAGES = 3;
/** Without this limit, a service that always returns more records would fill the disk. */
const MAX_RECORDS_AFTER_TOTAL = 2_000_000;
const DEEP_OFFSET_REFUSALS = new Set([400, 413, 416, 422]);

export class PageInterpreter<R extends HasId> {
  readonly #report: ReportWriter;
  readonly #planner: PagePlanner;
  readonly #options: InterpreterOptions;
  readonly #seen: SeenIds;
  #delivered = 0;
  #firstPage: FetchedPage<R> | undefined;
  #repeatedFirstPages = 0;
  #failedInARow = 0;
  #pagesWithoutNewRecords = 0;
  #emptyPages: PagePlan[] = [];
  /** The reason why the end of the list is not certain. */
  unconfirmedEnd: string | undefined;
  /** True if the total may be a limit. Some search engines count only up to a limit, which is usually a round number. */
  isTotalDoubtful = false;

  constructor(report: ReportWriter, planner: PagePlanner, options: InterpreterOptions) {
    this.#report = report;
    this.#planner = planner;
    this.#options = options;
    this.#seen = options.seen ?? createSeenIds();
  }

  get firstEmptyOffset(): number {
    return this.#emptyPages[0]?.offset ?? 0;
  }

  interpretPage(fetched: FetchedPage<R>): PageOutcome<R> {
    this.#failedInARow = 0;
    if (fetched.records.length === 0) return this.#interpretEmptyPage(fetched);
    const end = Math.max(this.#options.offset, this.#report.lastTotal ?? 0);
    if (fetched.offset - end > MAX_RECORDS_AFTER_TOTAL) return this.#endExcess();
    return this.#checkRepeatedFirstPage(fetched) ?? this.#deliver(fetched);
  }

  interpretFailure(error: unknown, { offset, limit }: PagePlan): PageOutcome<R> {
    if (!(error instanceof HttpError)) throw error;
    if (this.#firstPage && isDeepOffsetRefusal(error)) return this.#interpretRefusal(error, offset);
    if (!this.#firstPage || error.kind !== 'deployment') throw error;
    const left = this.#report.expectedEnd() - offset;
    if (left <= 0)
      return this.#endUnconfirmed(
        `the page at offset ${formatNumber(offset)}, at the end of the result, failed`,
      );
    if (this.#options.onPageError !== 'gap' || ++this.#failedInARow >= MAX_FUTILE_PAGES) throw error;
    this.#report.gaps.push({ offset, limit: Math.min(limit, left), error });
    return undefined;
  }

  interpretEnd(): StopReason {
    if (this.#isFull()) return 'limit';
    return this.#emptyPages.length > 0 && this.#report.lastTotal !== undefined ? 'early' : 'complete';
  }

  #isFull(): boolean {
    return this.#delivered >= this.#options.limit;
  }

  #deliver(fetched: FetchedPage<R>): Page<R> | StopReason {
    const { offset, total, retries, elapsed } = fetched;
    const received = fetched.records.length;
    this.#reportGaps(fetched);
    if (total !== undefined) this.#report.addTotal(offset, total);
    const records = this.#selectNewRecords(fetched.records);
    this.#pagesWithoutNewRecords = records.length === 0 ? this.#pagesWithoutNewRecords + 1 : 0;
    if (records.length > 0) this.#report.addRecordsAt(offset);
    this.#planner.learnPageSize(fetched);
    this.#firstPage ??= fetched;
    this.#report.pages.push({ offset, received });
    this.#delivered += records.length;
    const page = { offset, records, received, total, retries, elapsed };
    return this.#checkNothingNew(page) ?? page;
  }

  #reportGaps({ offset, isUnderfilled }: FetchedPage<R>): void {
    const report = this.#report;
    for (const gap of this.#emptyPages) {
      report.gaps.push({ offset: gap.offset, limit: gap.limit, error: undefined });
      report.addNotice(
        'empty-page',
        `the page at offset ${formatNumber(gap.offset)} is empty, but records follow it`,
      );
    }
    this.#emptyPages = [];
    if (!isUnderfilled) return;
    report.addNotice(
      'thin-page',
      `the service returns fewer records than its total; the first short page is at offset ${formatNumber(offset)}`,
    );
  }

  #selectNewRecords(records: readonly R[]): R[] {
    const report = this.#report;
    const wanted = this.#options.limit - this.#delivered;
    const newRecords: R[] = [];
    for (const record of records) {
      if (newRecords.length >= wanted) break;
      report.received++;
      if (record.id === undefined) report.withoutId++;
      else if (this.#seen.add(record.id)) report.distinct++;
      else {
        report.duplicates++;
        continue;
      }
      newRecords.push(record);
    }
    return newRecords;
  }

  #checkRepeatedFirstPage(fetched: FetchedPage<R>): StopReason | undefined {
    const report = this.#report;
    const first = this.#firstPage;
    if (!first || !isSamePage(fetched, first)) return undefined;
    const { lastTotal } = report;
    const hasAll =
      lastTotal !== undefined && report.distinct + report.withoutId >= lastTotal - this.#options.offset;
    // The service does not support paging: it returns the complete list at any offset.
    if (hasAll || (lastTotal === undefined && first.records.length > first.limit))
      return this.#endRepeating();
    // A service that returned other pages does not ignore the offset: this page is wrong, perhaps because of a cache.
    const hasOtherPages = report.distinct > first.records.length;
    if (hasOtherPages && this.#pagesWithoutNewRecords < MAX_FUTILE_PAGES) return undefined;
    this.#repeatedFirstPages++;
    return fetched.records.length > 1 || this.#repeatedFirstPages > 1 ? 'offset-ignored' : undefined;
  }

  #checkNothingNew({ offset, records, received }: Page<R>): StopReason | undefined {
    const report = this.#report;
    if (records.length > 0 || this.#isFull()) return undefined;
    const isFutile = this.#pagesWithoutNewRecords >= MAX_FUTILE_PAGES;
    if (offset >= report.expectedEnd() || (report.isTotalTooLow && isFutile)) {
      report.received -= received;
      report.duplicates -= received;
      return this.#endRepeating();
    }
    return report.lastTotal === undefined && isFutile ? 'offset-ignored' : undefined;
  }

  #endRepeating(): StopReason {
    this.#report.addNotice('repeats-past-end', 'the service repeats records after the end of the list');
    return 'complete';
  }

  #endExcess(): StopReason {
    const excess = formatNumber(MAX_RECORDS_AFTER_TOTAL);
    const total = this.#report.lastTotal === undefined ? '' : ' after its total';
    this.#report.addNotice(
      'end-refused',
      `the service returned more than ${excess} records${total}; opac stopped`,
    );
    return 'failed';
  }

  #interpretEmptyPage(page: FetchedPage<R>): StopReason | undefined {
    const { offset, total } = page;
    const isFirst = !this.#firstPage && this.#emptyPages.length === 0;
    // The totals of pages after the end are not reliable (FIELD-NOTES.md "Requests"), but an empty result has no other total.
    if (isFirst && total !== undefined) this.#report.addTotal(offset, total);
    const expectedEnd = this.#report.expectedEnd();
    // Without a total, one empty page may be a failure of the service, so the list ends only after two in a row.
    if (expectedEnd === Number.POSITIVE_INFINITY) {
      const isEnd = isFirst || this.#report.lastTotal !== undefined || this.#emptyPages.length > 0;
      this.#emptyPages.push(page);
      return isEnd ? 'complete' : undefined;
    }
    if (offset >= expectedEnd) {
      if (this.#emptyPages.length > 0) return 'early';
      this.isTotalDoubtful = expectedEnd > 0 && expectedEnd % 100 === 0;
      if (this.isTotalDoubtful)
        this.unconfirmedEnd = `the page at offset ${formatNumber(offset)}, at the end of the result, is empty`;
      return 'complete';
    }
    this.#planner.markPageSizeKnown();
    this.#emptyPages.push(page);
    return this.#emptyPages.length >= MAX_FUTILE_PAGES ? 'early' : undefined;
  }

  #interpretRefusal(error: HttpError, offset: number): StopReason {
    const { lastTotal } = this.#report;
    // Services without a total may refuse the page after an empty page.
    if (lastTotal === undefined && this.#emptyPages.length > 0) return 'complete';
    this.isTotalDoubtful = error.code === 'window-refused' || (lastTotal ?? 0) % 100 === 0;
    if (offset >= this.#report.expectedEnd())
      return this.#endUnconfirmed(
        `the service refused the page at offset ${formatNumber(offset)}, at the end of the result`,
      );
    const ofTotal = lastTotal === undefined ? '' : ` of ${formatNumber(lastTotal)}`;
    throw new OpacError(
      'incomplete',
      `the service refuses pages after record ${formatNumber(offset)}${ofTotal}: ${error.message}`,
      {
        hint: 'split the search into smaller searches, for example by collection or facet, and run them one by one',
        cause: error,
      },
    );
  }

  /** `records` begins with the last record of the list. Returns true if a further record is new. */
  hasNewRecord(records: readonly R[]): boolean {
    return records.slice(1).some(({ id }) => id === undefined || this.#seen.add(id));
  }

  #endUnconfirmed(reason: string): StopReason {
    this.unconfirmedEnd = reason;
    // If opac received more records than the total, the total does not show the end of the list.
    const { distinct, withoutId, lastTotal = 0 } = this.#report;
    if (distinct + withoutId <= lastTotal - this.#options.offset) return 'complete';
    this.#report.addNotice('end-refused', `${reason}; opac cannot confirm that all records were received`);
    return 'failed';
  }
}

export function isDeepOffsetRefusal(error: unknown): error is HttpError {
  if (!(error instanceof HttpError)) return false;
  return DEEP_OFFSET_REFUSALS.has(error.status ?? 0) || error.code === 'window-refused';
}

/** Returns true if the error, or its direct cause, is a refusal of a large offset. */
export function isDeepOffsetError(error: unknown): error is OpacError {
  return isDeepOffsetRefusal(error) || (error instanceof OpacError && isDeepOffsetRefusal(error.cause));
}

function isSamePage<R extends HasId>(one: FetchedPage<R>, other: FetchedPage<R>): boolean {
  if (one.records.length !== other.records.length) return false;
  if (one.records.some(({ id }) => id === undefined)) return one.bytes.equals(other.bytes);
  return one.records.every(({ id }, index) => id === other.records[index]?.id);
}
