/** Where an export gets its pages from. */
import type { Client } from '../../client/client.js';
import type { Answer, Request } from '../../client/exchange.js';
import type { PagingOptions } from '../../client/paging/options.js';
import type { Identified } from '../../client/paging/page.js';
import { pagesOf } from '../../client/paging/pages.js';
import type { Paging } from '../../client/paging/paginate.js';
import type { PagingReport } from '../../client/paging/report.js';
import type { Kind } from '../../service/kinds.js';
import { driftOf } from './drift.js';
import { concatenatePasses, type FurtherPass } from './passes.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages, TryRead } from './record-source.js';
import { SECOND_PASS, sortedQuery } from './second-pass.js';
import { shiftedNotice, shiftedStretches } from './shifted-records.js';

export interface SearchOptions
  extends Pick<PagingOptions, 'pageSize' | 'offset' | 'limit' | 'concurrency' | 'prefetch'> {
  readonly client: Client;
  readonly kind: Kind;
  /** Query parameters without those of paging. */
  readonly query: NonNullable<Request['query']>;
}

/**
 * The records of a search, page after page; a page that cannot be had leaves a gap. When the total fell, records that moved up
 * past a page are asked for where they are now: see moved-up.ts. When records repeat and others are missing in their place, a
 * second pass brings those: see second-pass.ts.
 */
export function searchSource({ client, kind, query, ...paging }: SearchOptions): RecordSource {
  const { offset: begin = 0, limit } = paging;
  return {
    pages<R extends Identified>(tryRead: TryRead<R>, start: ResumePoint): SourcePages<R> {
      const { offset: from = begin, delivered, seen, signal } = start;
      const isSecond = from >= SECOND_PASS;
      const first = isSecond
        ? undefined
        : walk(query, {
            ...paging,
            seen,
            offset: from,
            limit: limit === undefined ? undefined : limit - delivered,
          });
      return concatenatePasses(first, further);

      function walk(asked: typeof query, options: PagingOptions): SourcePages<R> {
        const pages = pagesOf<R>(
          client,
          `${kind}.search`,
          { query: asked },
          {
            ...options,
            signal,
            onPageError: 'gap',
            read: ({ bytes }: Answer, at: number) => tryRead(bytes, at),
          },
        );
        return { report: pages.report, [Symbol.asyncIterator]: () => withNext(pages) };
      }

      async function* further(): AsyncGenerator<FurtherPass<R>> {
        if (limit !== undefined) return;
        if (first) yield* again(first.report);
        if (first && !isUnstable(first.report)) return;
        const sorted = await sortedQuery(client, kind, query, signal);
        if (!sorted) return;
        const pages = walk(sorted, { ...paging, seen, offset: isSecond ? from - SECOND_PASS : begin });
        yield {
          pages,
          next: (page) => page.next + SECOND_PASS,
          isWhole: true,
          brought: () => pages.report.distinct,
          notice: () => ({
            kind: 'second-pass',
            message: `the order of the result is not stable: a second pass, sorted, brought ${pages.report.distinct} records that the first had passed over`,
          }),
        };
      }

      /** The places of records that moved up, asked for again. */
      function* again(report: PagingReport): Generator<FurtherPass<R>> {
        const last = report.pages.at(-1);
        const stretches = shiftedStretches(driftOf(start.drift, report), begin);
        const counts = stretches.map(() => 0);
        for (const [n, stretch] of stretches.entries()) {
          // Those that it meets again are no reason to go on past the stretch, so it knows of none.
          const pages = walk(query, { ...paging, ...stretch });
          const fresh = async function* () {
            for await (const page of pages) {
              const records = page.records.filter(({ id }) => id !== undefined && seen.add(id));
              counts[n] = (counts[n] ?? 0) + records.length;
              yield { ...page, records };
            }
          };
          yield {
            pages: { report: pages.report, [Symbol.asyncIterator]: fresh },
            // Whoever resumes asks for all of them once more.
            next: () => (last ? last.offset + last.received : from),
            isWhole: false,
            brought: () => counts[n] ?? 0,
            notice: () => shiftedNotice(counts.reduce((sum, count) => sum + count, 0)),
          };
        }
      }

      /** Whether records were missed, by the service's own count, while others came twice. */
      function isUnstable({
        stopReason,
        lastTotal = 0,
        gaps,
        distinct,
        withoutId,
        duplicates,
      }: PagingReport) {
        const got = delivered + distinct + withoutId;
        return (
          (stopReason === 'missing' || stopReason === 'complete') &&
          gaps.length === 0 &&
          start.duplicates + duplicates > 0 &&
          got < lastTotal - begin
        );
      }
    },
  };
}

async function* withNext<R>(paging: Paging<R>): AsyncGenerator<SourcePage<R>> {
  let first = true;
  for await (const page of paging) {
    // A page that is short for good is followed by the one after it; only of the first is the size not yet known.
    const step = first ? page.received : Math.max(page.received, paging.report.pageSize);
    first = false;
    yield { ...page, next: page.offset + step };
  }
}
