/** Reads a list by limit and offset. Omits records with a repeated id. Reports records that are missing or may be missing. */
import { OpacError } from '../../service/errors.js';
import { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE } from '../defaults.js';
import {
  type FetchedPage,
  type FetchPage,
  fetchCompletePage,
  type HasId,
  type ListResult,
} from './fetch-page.js';
import { PageInterpreter, type PageOutcome } from './page-interpreter.js';
import { PagePlanner } from './page-planner.js';
import type { Page, PagingOptions } from './paging-options.js';
import { type PagingReport, ReportWriter, type StopReason } from './paging-report.js';
import { PrefetchQueue } from './prefetch.js';

/** Pages in the order of their offsets. Paging requests pages before the caller reads them. */
export interface Paging<R> extends AsyncIterable<Page<R>> {
  /** Grows while the caller reads pages, and is final after the last page. */
  readonly report: PagingReport;
}

/** The pages can be read once. Reading can throw an OpacError; its kind is `incomplete` if the service refuses large offsets. */
export function paginate<R extends HasId>(fetchPage: FetchPage<R>, options: PagingOptions = {}): Paging<R> {
  const paginator = new Paginator(fetchPage, options);
  const pages = paginator.pages();
  return { report: paginator.report, [Symbol.asyncIterator]: () => pages };
}

/** The planner plans requests, the interpreter reads responses, the report collects the results. */
class Paginator<R extends HasId> {
  readonly report: ReportWriter;
  readonly #fetchPage: FetchPage<R>;
  readonly #start: number;
  readonly #limit: number;
  /** Whether to request the total if the first page is empty. */
  readonly #mayConfirm: boolean;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #planner: PagePlanner;
  readonly #interpreter: PageInterpreter<R>;
  #onTotal: PagingOptions['onTotal'];
  readonly #queue: PrefetchQueue<FetchedPage<R>>;

  constructor(fetchPage: FetchPage<R>, options: PagingOptions) {
    const { pageSize = DEFAULT_PAGE_SIZE, concurrency = DEFAULT_CONCURRENCY } = options;
    const { offset = 0, limit = Number.POSITIVE_INFINITY } = options;
    this.#fetchPage = fetchPage;
    this.#start = offset;
    this.#limit = limit;
    const isEmptyRange = limit === 0 || options.window === 0;
    this.#mayConfirm = offset === 0 && !isEmptyRange && options.knownTotal === undefined;
    this.#onTotal = options.onTotal;
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
    this.report = new ReportWriter(Math.max(1, Math.min(pageSize, limit)));
    this.#planner = new PagePlanner(this.report, offset, limit, options);
    this.#interpreter = new PageInterpreter(this.report, this.#planner, { ...options, offset, limit });
    this.#queue = new PrefetchQueue({ concurrency, next: () => this.#fetchNext() });
  }

  async *pages(): AsyncGenerator<Page<R>, void> {
    let stopReason: StopReason = 'stopped';
    try {
      let found: StopReason | undefined;
      while (!found) {
        const outcome = await this.#takePage();
        if (typeof outcome === 'string') found = outcome;
        else if (outcome) yield outcome;
      }
      stopReason = found;
      if (found === 'early' && (await this.#hasShrunk())) stopReason = 'complete';
      if (found === 'complete') await this.#confirmEmpty();
      if (found === 'complete' && (await this.#isEndWrong())) stopReason = 'failed';
    } catch (error) {
      stopReason = error instanceof OpacError && error.kind === 'incomplete' ? 'refused' : 'failed';
      throw error;
    } finally {
      this.#stop.abort(new Error('paging has ended'));
      await this.#queue.stop();
      this.report.finish(stopReason, this.#start, this.#limit);
    }
  }

  #fetchNext(): Promise<FetchedPage<R>> | undefined {
    const plan = this.#planner.next();
    if (!plan) return undefined;
    return fetchCompletePage(
      plan,
      // A page after the expected end may have any length.
      (total) => (plan.isProbe ? Number.POSITIVE_INFINITY : this.report.expectedEnd(total)),
      (offset, limit) => this.#fetchPage(offset, limit, this.#signal),
    );
  }

  async #takePage(): Promise<PageOutcome<R>> {
    const task = await this.#queue.take();
    this.#signal.throwIfAborted();
    const plan = this.#planner.take();
    if (!task || !plan) return this.#interpreter.interpretEnd();
    if (!('value' in task)) return this.#interpreter.interpretFailure(task.error, plan);
    await this.#onTotal?.(task.value.total);
    this.#onTotal = undefined;
    const outcome = this.#interpreter.interpretPage(task.value);
    if (typeof outcome !== 'string') this.#queue.fill();
    return outcome;
  }

  /** Returns true if records were removed, so that the list now ends before the first empty page. */
  async #hasShrunk(): Promise<boolean> {
    const total = await this.#fetchTotal();
    const reached = this.#interpreter.firstEmptyOffset;
    if (total === undefined || total > reached) return false;
    this.report.addTotal(reached, total);
    return true;
  }

  /** A service that is starting may return an empty first page. If it then reports a total above 0, records are missing. */
  async #confirmEmpty(): Promise<void> {
    if (this.report.received > 0 || !this.#mayConfirm) return;
    const total = (await this.#fetchTotal()) ?? 0;
    if (total > 0) this.report.addTotal(0, total);
  }

  /** Requests the last record and the record after it. If the second record exists, the total is too low. */
  async #isEndWrong(): Promise<boolean> {
    const { unconfirmedEnd: reason } = this.#interpreter;
    if (reason === undefined) return false;
    const { records, total } = await this.#fetchLastRecords();
    // If the total differs, the list has changed in the meantime, so its last records prove nothing.
    if (total !== undefined && total !== this.report.lastTotal) return false;
    const isTotalWrong = this.#interpreter.hasNewRecord(records);
    const isCapped = records.length === 0 && this.#interpreter.isTotalDoubtful;
    const doubt = isTotalWrong
      ? 'there are more records than the total'
      : isCapped
        ? 'the total may be a limit of the service, and records may be missing; split the search into smaller searches'
        : 'opac cannot confirm that all records were received';
    if (isTotalWrong || records.length === 0) this.report.addNotice('end-refused', `${reason}; ${doubt}`);
    return isTotalWrong || isCapped;
  }

  async #fetchLastRecords(): Promise<ListResult<R>> {
    const { lastTotal = 0 } = this.report;
    try {
      return (await this.#fetchPage(Math.max(0, lastTotal - 1), 2, this.#signal)).value;
    } catch {
      this.#signal.throwIfAborted();
      return { records: [], total: undefined };
    }
  }

  async #fetchTotal(): Promise<number | undefined> {
    try {
      return (await this.#fetchPage(this.#start, 0, this.#signal)).value.total;
    } catch {
      this.#signal.throwIfAborted();
      return undefined;
    }
  }
}
