/** The records of a search, for an export: its pages, and where the service gives only so many of a result, slices of it. */
import { isDeepOffsetError } from '../../../../client/paging/page-interpreter.js';
import { fetchTotal } from '../../../../client/paging/pages.js';
import type { PagingReport } from '../../../../client/paging/paging-report.js';
import { OpacError } from '../../../../service/errors.js';
import { readRecordKey } from '../../../../service/records/record-key.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages } from '../record-source.js';
import { createSearchSource, type SearchOptions } from '../search-source.js';
import { findWindow, MAX_UNPROBED_TOTAL } from './find-window.js';
import { planSlices } from './plan-slices.js';
import { fetchRecords } from './search-requests.js';
import {
  createSlicePlan,
  createUnfilteredSlice,
  type Part,
  type SlicePlan,
  selectPart,
} from './slice-plan.js';
import { SliceReader } from './slice-reader.js';

export interface SlicedOptions extends SearchOptions {
  /** The most that offset + limit may be; looked for unless told. */
  readonly window?: number | undefined;
  /** One of several parts that together are everything. */
  readonly part?: Part | undefined;
  /** Called when the plan is made or, in a resumed run, taken up. */
  readonly onPlan?: ((plan: SlicePlan) => void) | undefined;
}

/** As `searchSource`, but through the window of a service that has one. With a limit of its own a search is not sliced. */
export function createSlicedSource(options: SlicedOptions): RecordSource {
  return { search: options, pages: (from) => new AutoSlicedPages(options, from) };
}

/** The plan of a search as it is now; undefined where it needs none. Sends counts, and requests of a record or two. */
export async function createPlanFor(
  { client, kind, query, part, ...options }: SlicedOptions,
  signal: AbortSignal | undefined,
  known?: number,
): Promise<SlicePlan | undefined> {
  const search = { client, kind, query, signal };
  const total = known ?? (await fetchTotal(client, `${kind}.search`, { query, signal }));
  if (total === undefined) {
    if (!part) return undefined;
    throw new OpacError('deployment', 'the service gives no total, so there are no parts of it');
  }
  const window = options.window ?? (total > 1 ? await findWindow(search, total) : undefined);
  if (window !== undefined && window < total) return planSlices(search, total, window);
  return (
    part && createSlicePlan({ total, window: null, slices: [createUnfilteredSlice(total)], unreachable: [] })
  );
}

/** Thrown through the pages of a search when it turns out that it is to be sliced. */
class SlicingRequired extends Error {}

class AutoSlicedPages implements SourcePages {
  readonly #options: SlicedOptions;
  readonly #from: ResumePoint;
  #pages: SourcePages;
  #plan: SlicePlan | undefined;

  constructor(options: SlicedOptions, from: ResumePoint) {
    this.#options = options;
    this.#from = from;
    this.#plan = from.plan;
    const { limit, offset = 0, window } = options;
    const isAtOnce = !from.plan && from.offset === undefined && limit === undefined && offset === 0;
    const onTotal = async (total: number | undefined) => {
      if (total === undefined || total <= (window ?? MAX_UNPROBED_TOTAL)) return;
      this.#plan = await createPlanFor(options, from.signal, total);
      if (this.#plan) throw new SlicingRequired();
    };
    this.#pages = createSearchSource(isAtOnce ? { ...options, onTotal } : options).pages(from);
  }

  get report() {
    return this.#pages.report;
  }

  readonly plan = () => this.#plan;

  async *[Symbol.asyncIterator](): AsyncGenerator<SourcePage> {
    const { part, onPlan } = this.#options;
    if (part) this.#plan ??= await createPlanFor(this.#options, this.#from.signal);
    if (!this.#plan) {
      try {
        yield* this.#pages;
        await this.#planAfterEnd(undefined);
      } catch (error) {
        if (!(error instanceof SlicingRequired)) await this.#planAfterEnd(error);
      }
    }
    const plan = this.#plan;
    if (!plan) return;
    onPlan?.(plan);
    // What came before the service refused stays, ahead of the slices.
    const before = this.report;
    this.#pages = new SliceReader({
      search: this.#options,
      plan,
      part,
      from: this.#from,
      before,
    });
    yield* this.#pages;
    if (part) this.#plan = { ...plan, next: await this.#identityAfter(plan, part) };
  }

  /** What the next part that has records begins with. */
  async #identityAfter(plan: SlicePlan, part: Part): Promise<string | undefined> {
    const { client, kind, query } = this.#options;
    const search = { client, kind, query, signal: this.#from.signal };
    for (let number = part.number + 1; number <= part.of; number++) {
      const [slice] = selectPart(plan, { ...part, number });
      if (!slice) continue;
      const [record] = await fetchRecords(search, slice, { offset: slice.offset, limit: 1 });
      return record && readRecordKey(record, kind);
    }
    return undefined;
  }

  /** Plans slices where the pages ended before the total, or with a refusal, for want of depth. Throws what is no refusal. */
  async #planAfterEnd(error: unknown): Promise<void> {
    const { limit, offset = 0 } = this.#options;
    const { pages, stopReason, lastTotal } = this.report;
    const isRefused = isDeepOffsetError(error) || (error === undefined && stopReason === 'early');
    const isCut = isRefused || (error === undefined && isShort(this.report));
    const hasBegun = pages.length > 0 || this.#from.offset !== undefined;
    if (isCut && hasBegun && limit === undefined && offset === 0) {
      this.#plan = await createPlanFor(this.#options, this.#from.signal);
      // The last page of a result that just fits the window asked for more.
      if (isRefused && lastTotal !== undefined) this.#plan ??= planOfFit(lastTotal);
    }
    if (error !== undefined && !this.#plan) throw error;
  }
}

function planOfFit(total: number): SlicePlan {
  return createSlicePlan({ total, window: total, slices: [createUnfilteredSlice(total)], unreachable: [] });
}

/** Whether the pages ended as they do behind a window that is silent: no error kept them from coming. */
function isShort({ stopReason, gaps }: PagingReport): boolean {
  return (stopReason === 'early' || stopReason === 'missing') && gaps.every(({ error }) => !error);
}
