/**
 * One walk over the pages of a list: what to ask for next, and what each answer means. What servers do to paging is in
 * FIELD-NOTES.md "Requests"; each case has a test.
 */
import { OpacError } from '../../service/errors.js';
import { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, PREFETCH_PER_REQUEST } from '../defaults.js';
import { HttpError } from '../errors/http-error.js';
import type { Page, PagingOptions } from './options.js';
import { type FetchedPage, type FetchPage, fetchWholePage, type Identified, type ReadList } from './page.js';
import { PrefetchQueue } from './prefetch.js';
import { ReportWriter, type StopReason } from './report.js';
import { createSeenIds, type SeenIds } from './seen-ids.js';

/** Pages in a row that must be empty, fail, or bring nothing new before the rest is given up. */
const ENOUGH = 3;
/** Statuses by which services refuse an offset that is too deep. */
const REFUSALS = new Set([400, 413, 416, 422]);

/** Made for one run of `pages`. */
export class Paginator<R extends Identified> {
  readonly report: ReportWriter;
  readonly #fetchPage: FetchPage;
  readonly #read: ReadList<R>;
  readonly #options: PagingOptions;
  readonly #start: number;
  readonly #limit: number;
  readonly #seen: SeenIds;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #window: PrefetchQueue<FetchedPage<R>>;
  readonly #plans: { readonly offset: number; readonly limit: number }[] = [];

  /** Offset of the next page to ask for, and whether the page size is known so that several can be. */
  #next: number;
  #settled = false;
  /** Whether records went on past the total, so that it means nothing. */
  #believed = true;
  /** Offset of the last page asked for to see whether records go on past the total. */
  #probed = -1;
  #delivered = 0;
  #first: FetchedPage<R> | undefined;
  #likeFirst = 0;
  #nothingNew = 0;
  #failed = 0;
  readonly #empty: { readonly offset: number; readonly limit: number }[] = [];

  constructor(fetchPage: FetchPage, read: ReadList<R>, options: PagingOptions) {
    const { pageSize = DEFAULT_PAGE_SIZE, offset = 0, concurrency = DEFAULT_CONCURRENCY } = options;
    this.#fetchPage = fetchPage;
    this.#read = read;
    this.#options = options;
    this.#start = offset;
    this.#next = offset;
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
    this.#seen = options.seen ?? createSeenIds();
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
    this.report = new ReportWriter(Math.max(1, Math.min(pageSize, this.#limit)));
    this.#window = new PrefetchQueue({
      concurrency,
      depth: options.prefetch ?? concurrency * PREFETCH_PER_REQUEST,
      next: () => this.#begin(),
    });
  }

  async *pages(): AsyncGenerator<Page<R>, void> {
    let ending: StopReason = 'stopped';
    try {
      let end: StopReason | undefined;
      while (!end) {
        const outcome = await this.#window.take();
        this.#signal.throwIfAborted();
        const plan = this.#plans.shift();
        if (!outcome || !plan) {
          end = this.#withoutMore();
        } else if ('value' in outcome) {
          this.#failed = 0;
          const fetched = outcome.value;
          if (fetched.records.length === 0) {
            end = this.#emptyPage(fetched);
          } else {
            end = this.#repeatsFirst(fetched);
            if (end) continue;
            const page = this.#deliver(fetched);
            end = this.#bringsNothing(page);
            if (!end) yield page;
          }
        } else {
          end = this.#failure(outcome.error, plan);
        }
      }
      ending = end === 'early' && (await this.#hasShrunk()) ? 'complete' : end;
    } catch (error) {
      ending = error instanceof OpacError && error.kind === 'incomplete' ? 'refused' : 'failed';
      throw error;
    } finally {
      this.#stop.abort(new Error('the walk is over'));
      await this.#window.stop();
      this.report.end(ending, this.#start, this.#believed);
    }
  }

  /** Begins the next page, when there is one to ask for now. */
  #begin(): Promise<FetchedPage<R>> | undefined {
    const wanted = this.#start + this.#limit + this.report.duplicates;
    if (this.#next >= wanted || (!this.#settled && this.#plans.length > 0)) return undefined;
    const horizon = this.#horizon();
    const probes = this.#next >= horizon;
    if (probes) {
      if (this.#probed >= horizon || this.#limit !== Number.POSITIVE_INFINITY) return undefined;
      this.#probed = this.#next;
    }
    const plan = {
      offset: this.#next,
      limit: Math.min(this.report.pageSize, wanted - this.#next),
      fill: this.#settled,
    };
    this.#plans.push(plan);
    this.#next += plan.limit;
    return fetchWholePage(
      plan,
      // Where no records are promised, those that come all the same have no end that is known.
      (total) => (probes || !this.#believed ? Number.POSITIVE_INFINITY : (total ?? this.#horizon())),
      (offset, limit) => this.#fetchPage(offset, limit, this.#signal),
      this.#read,
    );
  }

  /** The offset up to which the service promises records; Infinity when it says nothing, or nothing to be believed. */
  #horizon(): number {
    return this.#believed ? (this.report.lastTotal ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  }

  /** Takes in a page with records, and learns from it. */
  #deliver(fetched: FetchedPage<R>): Page<R> {
    const { offset, total, retries, elapsed } = fetched;
    const received = fetched.records.length;
    const { report } = this;
    for (const gap of this.#empty.splice(0)) {
      report.gaps.push({ ...gap, error: undefined });
      report.notice('empty-page', `the page at ${gap.offset} is empty, though records come after it`);
    }
    if (fetched.thin) {
      report.notice(
        'thin-page',
        `the service keeps back some of the records it counts, first on the page at ${offset}`,
      );
    }
    if (total !== undefined) report.total(offset, total);
    const records = this.#fresh(fetched.records);
    this.#nothingNew = records.length === 0 ? this.#nothingNew + 1 : 0;
    if (offset >= this.#horizon() && records.length > 0) {
      this.#believed = false;
      report.notice('total-too-low', `records go on past the total of ${report.lastTotal}`);
    }
    if (!this.#settled) this.#settle(fetched);
    this.#first ??= fetched;
    report.pages.push({ offset, received, retries, elapsed });
    this.#delivered += records.length;
    this.#window.fill();
    return { offset, records, received, total, retries, elapsed };
  }

  /** The records not seen before, no more than are wanted; counts all. */
  #fresh(records: readonly R[]): R[] {
    const { report } = this;
    const room = this.#limit - this.#delivered;
    const fresh: R[] = [];
    for (const record of records) {
      if (fresh.length >= room) break;
      report.received++;
      if (record.id === undefined) report.withoutId++;
      else if (this.#seen.add(record.id)) report.distinct++;
      else {
        report.duplicates++;
        continue;
      }
      fresh.push(record);
    }
    return fresh;
  }

  /**
   * Finds out the page size in force from the first pages. A first page that is short while more is promised may show a cap
   * or be short by chance: the second, asked for whole, tells which.
   */
  #settle({ offset, limit, records }: FetchedPage<R>): void {
    const { report } = this;
    const received = records.length;
    this.#next = offset + received;
    if (received >= limit || this.#next >= this.#horizon()) {
      if (received > limit) report.pageSize = received;
      this.#settled = true;
    } else if (this.#first) {
      report.pageSize = Math.max(received, this.#first.records.length);
      report.notice(
        'page-size-capped',
        `asked for ${limit} records at a time, the service gives ${report.pageSize}`,
      );
      this.#settled = true;
    }
  }

  /** The ending when a page is the first one over again. */
  #repeatsFirst(fetched: FetchedPage<R>): StopReason | undefined {
    const { report } = this;
    const first = this.#first;
    if (!first || !isSame(fetched, first)) return undefined;
    const promised = report.lastTotal ?? Number.POSITIVE_INFINITY;
    const everything = report.distinct + report.withoutId >= promised - this.#start;
    // More than was asked for, whatever the offset: the service does not page, it gives the whole list.
    if (everything || (report.lastTotal === undefined && first.records.length > first.limit)) {
      report.notice('repeats-past-end', 'past the end the service gives the same records again');
      return 'complete';
    }
    // One record may come twice in a row by chance, a whole page not.
    this.#likeFirst++;
    return fetched.records.length > 1 || this.#likeFirst > 1 ? 'offset-ignored' : undefined;
  }

  /** The ending when a page holds only records that came before. */
  #bringsNothing({ offset, records, received }: Page<R>): StopReason | undefined {
    const { report } = this;
    if (records.length > 0 || this.#delivered >= this.#limit) return undefined;
    if (offset >= this.#horizon() || (!this.#believed && this.#nothingNew >= ENOUGH)) {
      report.received -= received;
      report.duplicates -= received;
      report.notice('repeats-past-end', 'past the end the service gives the same records again');
      return 'complete';
    }
    return report.lastTotal === undefined && this.#nothingNew >= ENOUGH ? 'offset-ignored' : undefined;
  }

  #emptyPage({ offset, limit, total }: FetchedPage<R>): StopReason | undefined {
    // Past the end a total is not reliable; that of a result without records is all there is.
    if (!this.#first && this.#empty.length === 0 && total !== undefined) this.report.total(offset, total);
    const horizon = this.#horizon();
    const promised = horizon !== Number.POSITIVE_INFINITY;
    if (!promised || (offset >= horizon && this.#empty.length === 0)) return 'complete';
    if (offset >= horizon) return 'early';
    this.#settled = true;
    this.#empty.push({ offset, limit });
    return this.#empty.length >= ENOUGH ? 'early' : undefined;
  }

  #failure(
    error: unknown,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): StopReason | undefined {
    if (!(error instanceof HttpError)) throw error;
    const { report } = this;
    if (this.#first && REFUSALS.has(error.status ?? 0)) {
      if (offset >= this.#horizon()) {
        report.notice(
          'end-refused',
          `the service refuses to say what comes at ${offset}, at or past its total`,
        );
        return 'complete';
      }
      throw new OpacError(
        'incomplete',
        `the service refuses to go on past record ${offset}${of(report.lastTotal)}: ${error.message}`,
        {
          hint: 'ask for parts that are smaller, by collection, facet or another --where, one after the other',
          cause: error,
        },
      );
    }
    const skips = this.#options.onPageError === 'gap' && error.kind === 'deployment' && this.#first;
    if (!skips || ++this.#failed >= ENOUGH) throw error;
    report.gaps.push({ offset, limit, error });
    return undefined;
  }

  /** The ending when nothing is left to ask for. */
  #withoutMore(): StopReason {
    if (this.#delivered >= this.#limit) return 'limit';
    return this.#empty.length > 0 ? 'early' : 'complete';
  }

  /** Whether the records that are missing at an early end have gone meanwhile: the total is asked for once more. */
  async #hasShrunk(): Promise<boolean> {
    try {
      const answer = await this.#fetchPage(this.#start, 0, this.#signal);
      const { total } = this.#read(answer, this.#start);
      const reached = this.#empty[0]?.offset ?? 0;
      if (total === undefined || total > reached) return false;
      this.report.total(reached, total);
      return true;
    } catch {
      this.#signal.throwIfAborted();
      return false;
    }
  }
}

function of(total: number | undefined): string {
  return total === undefined ? '' : ` of ${total}`;
}

/** Whether two pages hold the same records in the same order; those without ids are compared by their bytes. */
function isSame<R extends Identified>(one: FetchedPage<R>, other: FetchedPage<R>): boolean {
  if (one.records.length !== other.records.length) return false;
  if (one.records.some(({ id }) => id === undefined)) return one.bytes.equals(other.bytes);
  return one.records.every(({ id }, index) => id === other.records[index]?.id);
}
