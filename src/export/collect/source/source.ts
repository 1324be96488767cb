/** The pages of a search for an export, and further passes for what they missed. */
import type { Client } from '../../../client/client.js';
import type { Request } from '../../../client/exchange.js';
import type { PagingOptions } from '../../../client/paging/options.js';
import { pagesOf } from '../../../client/paging/pages.js';
import type { Paging } from '../../../client/paging/paginate.js';
import type { PagingReport } from '../../../client/paging/report.js';
import { type PageRecord, readLines } from '../../../records/json/page-records.js';
import type { Kind } from '../../../service/kinds.js';
import { driftOf } from './drift.js';
import { concatenatePasses, type ExtraPass } from './passes.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages } from './record-source.js';
import { SECOND_PASS, sortedQuery } from './second-pass.js';
import { shiftedNotice, shiftedStretches } from './shifted-records.js';

/** The search whose records are exported, and how it is paged through. */
export interface SearchOptions
  extends Pick<PagingOptions, 'pageSize' | 'offset' | 'limit' | 'concurrency' | 'prefetch' | 'onTotal'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: NonNullable<Request['query']>;
}

/**
 * A page that fails leaves a gap. When the total fell, records that shifted past a page are requested at their new places
 * (shifted-records.ts). When records repeat and others are missing, a second pass fetches those (second-pass.ts).
 */
export function searchSource(options: SearchOptions): RecordSource {
  return { search: options, pages: (from) => new SearchPasses(options, from).pages() };
}

class SearchPasses {
  readonly #search: SearchOptions;
  readonly #from: ResumePoint;
  readonly #begin: number;
  readonly #offset: number;

  constructor(search: SearchOptions, from: ResumePoint) {
    this.#search = search;
    this.#from = from;
    this.#begin = search.offset ?? 0;
    this.#offset = from.offset ?? this.#begin;
  }

  pages(): SourcePages {
    const first = this.#offset < SECOND_PASS ? this.#firstPass() : undefined;
    return concatenatePasses(first, () => this.#further(first));
  }

  #firstPass(): SourcePages {
    const { limit, query } = this.#search;
    const { seen, delivered } = this.#from;
    return this.#pass(query, {
      seen,
      offset: this.#offset,
      limit: limit === undefined ? undefined : limit - delivered,
      onTotal: this.#search.onTotal,
    });
  }

  async *#further(first: SourcePages | undefined): AsyncGenerator<ExtraPass> {
    if (this.#search.limit !== undefined) return;
    if (first) yield* this.#shifted(first.report);
    if (!first || this.#isUnstable(first.report)) yield* this.#secondPass();
  }

  *#shifted(report: PagingReport): Generator<ExtraPass> {
    const { seen } = this.#from;
    const last = report.pages.at(-1);
    const next = last ? last.offset + last.received : this.#offset;
    let total = 0;
    for (const stretch of shiftedStretches(driftOf(this.#from.drift, report), this.#begin)) {
      // Without the known ids, as repeats must not extend the pass.
      const pages = this.#pass(this.#search.query, stretch);
      let brought = 0;
      const unseen = async function* () {
        for await (const page of pages) {
          const records = page.records.filter(({ id }) => id !== undefined && seen.add(id));
          brought += records.length;
          total += records.length;
          yield { ...page, records };
        }
      };
      yield {
        pages: { report: pages.report, [Symbol.asyncIterator]: unseen },
        // A resumed run requests all stretches again.
        next: () => next,
        isWhole: false,
        brought: () => brought,
        notice: () => shiftedNotice(total),
      };
    }
  }

  async *#secondPass(): AsyncGenerator<ExtraPass> {
    const { client, kind, query } = this.#search;
    const sorted = await sortedQuery(client, kind, query, this.#from.signal);
    if (!sorted) return;
    const offset = this.#offset < SECOND_PASS ? this.#begin : this.#offset - SECOND_PASS;
    const pages = this.#pass(sorted, { seen: this.#from.seen, offset });
    yield {
      pages,
      next: (page) => page.next + SECOND_PASS,
      isWhole: true,
      brought: () => pages.report.distinct,
      notice: () => ({
        kind: 'second-pass',
        message: `the order of the result is not stable; a second, sorted pass found ${pages.report.distinct} records that the first had missed`,
      }),
    };
  }

  #pass(query: SearchOptions['query'], options: PagingOptions): SourcePages {
    const { client, kind, query: _, onTotal: _told, ...paging } = this.#search;
    const pages = pagesOf<PageRecord>(
      client,
      `${kind}.search`,
      { query },
      {
        ...paging,
        ...options,
        signal: this.#from.signal,
        onPageError: 'gap',
        read: ({ bytes }, at) => readLines(bytes, kind, at),
        watch: this.#from.watch,
      },
    );
    return { report: pages.report, [Symbol.asyncIterator]: () => withNext(pages) };
  }

  /** Whether, by the service's count, records were missed while others repeated. */
  #isUnstable(report: PagingReport): boolean {
    const { stopReason, lastTotal = 0, gaps, distinct, withoutId, duplicates } = report;
    return (
      (stopReason === 'missing' || stopReason === 'complete') &&
      gaps.length === 0 &&
      this.#from.duplicates + duplicates > 0 &&
      this.#from.delivered + distinct + withoutId < lastTotal - this.#begin
    );
  }
}

async function* withNext(paging: Paging<PageRecord>): AsyncGenerator<SourcePage> {
  let first = true;
  for await (const page of paging) {
    // A short page is followed by the next full step; the page size is unknown only at the first.
    const step = first ? page.received : Math.max(page.received, paging.report.pageSize);
    first = false;
    yield { ...page, next: page.offset + step };
  }
}
