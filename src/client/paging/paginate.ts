/** Every record of a list exactly once, by limit and offset, and a report of what could not be established. */
import { OpacError } from '../../service/errors.js';
import { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, DEFAULT_PREFETCH_PER_REQUEST } from '../defaults.js';
import { type FetchedPage, type FetchPage, fetchWholePage, type HasId } from './fetch-page.js';
import { PageInterpreter, type PageOutcome } from './page-interpreter.js';
import { PagePlanner } from './page-planner.js';
import type { Page, PagingOptions } from './paging-options.js';
import { type PagingReport, ReportWriter, type StopReason } from './paging-report.js';
import { PrefetchQueue } from './prefetch.js';

/** Pages in the order of their offsets, fetched as they are taken. */
export interface Paging<R> extends AsyncIterable<Page<R>> {
  /** Grows while pages are taken; final after the last. */
  readonly report: PagingReport;
}

/**
 * Pages through a list once, as pages are taken. Throws the error of a page, the signal's reason, or an OpacError of kind
 * `incomplete` when the service refuses deeper offsets; all else is in the report.
 */
export function paginate<R extends HasId>(fetchPage: FetchPage<R>, options: PagingOptions = {}): Paging<R> {
  const paginator = new Paginator(fetchPage, options);
  const pages = paginator.pages();
  return { report: paginator.report, [Symbol.asyncIterator]: () => pages };
}

/** The loop over pages: the planner says what to request, the interpreter what each response means, the report what came. */
class Paginator<R extends HasId> {
  readonly report: ReportWriter;
  readonly #fetchPage: FetchPage<R>;
  readonly #start: number;
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
    this.#onTotal = options.onTotal;
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
    this.report = new ReportWriter(Math.max(1, Math.min(pageSize, limit)));
    this.#planner = new PagePlanner(this.report, offset, limit, options);
    this.#interpreter = new PageInterpreter(this.report, this.#planner, { ...options, offset, limit });
    this.#queue = new PrefetchQueue({
      concurrency,
      depth: options.prefetch ?? concurrency * DEFAULT_PREFETCH_PER_REQUEST,
      next: () => this.#fetchNext(),
    });
  }

  async *pages(): AsyncGenerator<Page<R>, void> {
    let stopReason: StopReason = 'stopped';
    try {
      let found: StopReason | undefined;
      while (!found) {
        const meaning = await this.#takePage();
        if (typeof meaning === 'string') found = meaning;
        else if (meaning) yield meaning;
      }
      stopReason = found === 'early' && (await this.#hasShrunk()) ? 'complete' : found;
    } catch (error) {
      stopReason = error instanceof OpacError && error.kind === 'incomplete' ? 'refused' : 'failed';
      throw error;
    } finally {
      this.#stop.abort(new Error('paging has ended'));
      await this.#queue.stop();
      this.report.finish(stopReason, this.#start);
    }
  }

  #fetchNext(): Promise<FetchedPage<R>> | undefined {
    const plan = this.#planner.next();
    if (!plan) return undefined;
    return fetchWholePage(
      plan,
      // A page past the expected end has no known end of its own.
      (total) => (plan.isProbe ? Number.POSITIVE_INFINITY : this.report.expectedEnd(total)),
      (offset, limit) => this.#fetchPage(offset, limit, this.#signal),
    );
  }

  async #takePage(): Promise<PageOutcome<R>> {
    const outcome = await this.#queue.take();
    this.#signal.throwIfAborted();
    const plan = this.#planner.take();
    if (!outcome || !plan) return this.#interpreter.interpretEnd();
    if (!('value' in outcome)) return this.#interpreter.interpretFailure(outcome.error, plan);
    await this.#onTotal?.(outcome.value.total);
    this.#onTotal = undefined;
    const meaning = this.#interpreter.interpretPage(outcome.value);
    if (typeof meaning !== 'string') this.#queue.fill();
    return meaning;
  }

  /** Asks for the total once more: the records missing at an early end may have been removed since. */
  async #hasShrunk(): Promise<boolean> {
    try {
      const { total } = (await this.#fetchPage(this.#start, 0, this.#signal)).value;
      const reached = this.#interpreter.firstEmptyOffset;
      if (total === undefined || total > reached) return false;
      this.report.addTotal(reached, total);
      return true;
    } catch {
      this.#signal.throwIfAborted();
      return false;
    }
  }
}
