/** Reads the records of a search for an export. If the service returns only the first records, splits the search into slices. */
import { isDeepOffsetError } from '../../../../client/paging/page-interpreter.js';
import { fetchTotal } from '../../../../client/paging/pages.js';
import type { PagingReport } from '../../../../client/paging/paging-report.js';
import { OpacError } from '../../../../service/errors.js';
import { readRecordKey } from '../../../../service/records/record-key.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages } from '../record-source.js';
import { createSearchSource, type SearchOptions } from '../search-source.js';
import { findWindow, MAX_UNPROBED_TOTAL } from './find-window.js';
import { planSlices } from './plan-slices.js';
import { fallBackOnRefusal, fetchRecords } from './search-requests.js';
import { createUnslicedPlan, type Part, type SlicePlan, selectPart } from './slice-plan.js';
import { SliceReader } from './slice-reader.js';

export interface SlicedOptions extends SearchOptions {
  /** Maximum of offset + limit. Default: detected. */
  readonly window?: number | undefined;
  readonly part?: Part | undefined;
  readonly onPlan?: ((plan: SlicePlan) => void) | undefined;
}

/** Like `createSearchSource`, but with slices if necessary. A search with a limit or an offset is not sliced. */
export function createSlicedSource(options: SlicedOptions): RecordSource {
  return { search: options, pages: (from) => new AutoSlicedPages(options, from) };
}

/** Returns undefined if the search needs no slices or has no total. For a part, returns a plan or throws an OpacError. */
export async function createPlanFor(
  { client, kind, query, part, ...options }: SlicedOptions,
  signal: AbortSignal | undefined,
  knownTotal?: number,
): Promise<SlicePlan | undefined> {
  const search = { client, kind, query, signal };
  const total = knownTotal ?? (await fetchTotal(client, `${kind}.search`, { query, signal }));
  if (total === undefined) {
    if (!part) return undefined;
    throw new OpacError('deployment', 'the service returns no total, so opac cannot export parts');
  }
  const window = options.window ?? (total > 1 ? await findWindow(search, total) : undefined);
  if (window !== undefined && window < total) return planSlices(search, total, window);
  return part && createUnslicedPlan(total, null);
}

/** Thrown if the first page shows that the search needs slices. */
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
    const isNewRun = !from.plan && from.offset === undefined && limit === undefined && offset === 0;
    const onTotal = async (total: number | undefined) => {
      if (total === undefined || total <= (window ?? MAX_UNPROBED_TOTAL)) return;
      this.#plan = await createPlanFor(options, from.signal, total);
      if (this.#plan) throw new SlicingRequired();
    };
    this.#pages = createSearchSource(isNewRun ? { ...options, onTotal } : options).pages(from);
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
    // The records that arrived before the plan stay at the beginning of the partial file.
    const before = this.report;
    this.#pages = new SliceReader({
      search: this.#options,
      plan,
      part,
      from: this.#from,
      before,
    });
    yield* this.#pages;
    if (part) this.#plan = { ...plan, next: await this.#findNextRecordKey(plan, part) };
  }

  async #findNextRecordKey(plan: SlicePlan, part: Part): Promise<string | undefined> {
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

  /** Plans slices if the pages ended before the total or at a refused offset. Without a plan, throws `error` if given. */
  async #planAfterEnd(error: unknown): Promise<void> {
    const { limit, offset = 0 } = this.#options;
    const { pages, stopReason, lastTotal } = this.report;
    const isRefused = isDeepOffsetError(error) || (error === undefined && stopReason === 'early');
    const isCut = isRefused || (error === undefined && isShort(this.report));
    const hasBegun = pages.length > 0 || this.#from.offset !== undefined;
    const createPlan = async () => {
      const plan = await createPlanFor(this.#options, this.#from.signal);
      // Without a plan, all records are in the window, and the service refused only a page that ends beyond the window.
      return (
        plan ?? (isRefused && lastTotal !== undefined ? createUnslicedPlan(lastTotal, lastTotal) : undefined)
      );
    };
    // If the service also refuses the requests for the plan, the cause is not a window.
    if (isCut && hasBegun && limit === undefined && offset === 0)
      this.#plan = await fallBackOnRefusal(createPlan, undefined);
    if (error !== undefined && !this.#plan) throw error;
  }
}

/** A service may return empty pages instead of refusing an offset. */
function isShort({ stopReason, gaps }: PagingReport): boolean {
  return (stopReason === 'early' || stopReason === 'missing') && gaps.every(({ error }) => !error);
}
