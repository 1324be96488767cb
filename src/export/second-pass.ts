/**
 * A second pass over a result whose order was not stable: results sorted by relevance may repeat and drop records between
 * pages. Under an explicit sort that the deployment accepts, it brings what the first pass missed, behind what that brought.
 */
import type { Client } from '../client/client.js';
import { HttpError } from '../client/http-error.js';
import type { Identified } from '../client/page.js';
import { type PagingReport, ReportWriter } from '../client/paging-report.js';
import { KIND_WORDS, type Kind } from '../service/kinds.js';
import type { QueryParameters } from '../service/search.js';
import type { SourcePage, SourcePages } from './source.js';

/** Offsets of the second pass are kept apart from those of the first by this much. */
export const SECOND_PASS = 2 ** 40;

/** Fields to sort by: the unique ones first, for records that are alike in the field may change places again. */
const CANDIDATES = ['accession_no', 'name', 'title'];

/** The query with a sort that the deployment accepts; undefined when it accepts none. */
export async function sortedQuery(
  client: Client,
  kind: Kind,
  query: QueryParameters,
  signal: AbortSignal | undefined,
): Promise<QueryParameters | undefined> {
  const unsorted = query.filter(([name]) => name !== 'sort' && name !== 'direction');
  for (const field of [KIND_WORDS[kind].idKey, ...CANDIDATES]) {
    const sorted = [...unsorted, ['sort', field], ['direction', 'asc']] as const;
    try {
      await client.fetch(`${kind}.search`, { query: [...sorted, ['limit', '1']], signal });
      return sorted;
    } catch (error) {
      if (!(error instanceof HttpError) || error.kind === 'auth') throw error;
    }
  }
  return undefined;
}

export interface Passes<R extends Identified> {
  /** Undefined when it has been made by a run that is now resumed. */
  readonly first: SourcePages<R> | undefined;
  /** Begins the second, when it is needed and there is a way; undefined otherwise. */
  readonly second: () => Promise<SourcePages<R> | undefined>;
}

/** The pages of both passes, and one report of them. */
export function bothPasses<R extends Identified>({ first, second }: Passes<R>): SourcePages<R> {
  let filling: SourcePages<R> | undefined;
  async function* pages(): AsyncGenerator<SourcePage<R>> {
    if (first) yield* first;
    filling = await second();
    if (!filling) return;
    for await (const page of filling) {
      // Whether one without an id is new, nobody can tell.
      const records = page.records.filter(({ id }) => id !== undefined);
      yield { ...page, records, next: page.next + SECOND_PASS };
    }
  }
  return {
    get report() {
      return combined(first?.report ?? new ReportWriter(1), filling?.report);
    },
    [Symbol.asyncIterator]: pages,
  };
}

/** Of the second pass only what it brought counts: that it meets the records of the first again is its nature. */
function combined(first: PagingReport, second: PagingReport | undefined): PagingReport {
  if (!second) return first;
  const brought = second.distinct;
  const missing = Math.max(0, (first.ending === 'running' ? second : first).missing - brought);
  const isWhole = second.ending === 'complete' || (second.ending === 'missing' && missing === 0);
  return {
    ...first,
    firstTotal: first.firstTotal ?? second.firstTotal,
    lastTotal: second.lastTotal ?? first.lastTotal,
    totals: moves([...first.totals, ...second.totals]),
    received: first.received + brought,
    distinct: first.distinct + brought,
    duplicates: first.duplicates,
    withoutId: first.withoutId,
    missing,
    pageSize: second.pageSize,
    pages: [...first.pages, ...second.pages],
    gaps: [...first.gaps, ...second.gaps],
    ending:
      isWhole && second.gaps.length === 0
        ? 'complete'
        : second.ending === 'complete'
          ? 'missing'
          : second.ending,
    notices: [
      ...first.notices,
      {
        kind: 'second-pass',
        message: `the order of the result is not stable: a second pass, sorted, brought ${brought} records that the first had passed over`,
      },
    ],
  };
}

function moves(totals: PagingReport['totals']): PagingReport['totals'] {
  return totals.filter(({ total }, n) => total !== totals[n - 1]?.total);
}
