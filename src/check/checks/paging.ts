/** Paging: `limit` and `offset` as FIELD-NOTES.md "Requests" has seen them. */
import type { Kind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  getRecordKey,
  largestKind,
  requestFacets,
  requestFirstPage,
  requestPage,
  requestTotal,
} from '../samples/samples.js';

const SOURCE = 'FIELD-NOTES.md "Requests": paging';
/** A page that begins and ends inside the first one, so that both can be compared. */
const INNER_PAGE = { limit: 5, offset: 3 };
/** The cap that was seen on more than one deployment. */
const OBSERVED_PAGE_CAP = 100;
/** Records that a deployment of any size may have; further away there can be none. */
const OFFSET_BEYOND_END = 1000;
/** Where a window limit on deep offsets is plausible. */
const OBSERVED_WINDOW = 10_000;

export const PAGING_CHECKS: readonly Check[] = [
  {
    id: 'paging.limit',
    promise: 'a page has as many records as limit says',
    source: SOURCE,
    deviation: 'warn',
    async *run(probe) {
      const { limit: checkLimit } = INNER_PAGE;
      const { moved } = await fetchInnerPage(probe, await largestKind(probe));
      const { length } = moved.items;
      if (length !== checkLimit)
        yield deviation(`${checkLimit} records with limit=${checkLimit}`, length, moved.exchange);
    },
  },
  {
    id: 'paging.zero',
    promise: 'limit=0 gives the total alone',
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    async *run(probe) {
      const { items, total, exchange } = await requestFacets(probe, await largestKind(probe));
      const received = `${items.length} records, total ${total ?? 'missing'}`;
      if (items.length > 0 || total === undefined)
        yield deviation('the total and no records with limit=0', received, exchange);
    },
  },
  {
    id: 'paging.cap',
    promise: `a higher limit than ${OBSERVED_PAGE_CAP} is lowered to ${OBSERVED_PAGE_CAP}`,
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    async *run(probe) {
      const { kind } = await moreThan(probe, OBSERVED_PAGE_CAP);
      const { items, exchange } = await requestPage(probe, kind, { limit: 1000, query: [] });
      if (items.length !== OBSERVED_PAGE_CAP)
        yield deviation(`${OBSERVED_PAGE_CAP} records with limit=1000`, items.length, exchange);
    },
  },
  {
    id: 'paging.offset',
    promise: 'offset moves the page, counted in records',
    source: SOURCE,
    async *run(probe) {
      const { offset: checkOffset } = INNER_PAGE;
      for (const kind of new Set([await largestKind(probe), 'records'] as const)) {
        const { first, moved } = await fetchInnerPage(probe, kind);
        const ids = first.items.map((item) => getRecordKey(item, kind));
        const got = getRecordKey(moved.items[0] ?? null, kind);
        if (got === ids[checkOffset]) continue;
        yield deviation(
          `offset=${checkOffset} of ${kind} begins with ${ids[checkOffset]}, number ${checkOffset} of the page from offset 0`,
          got === ids[0] ? `${got}, as without offset: offset is ignored` : got || 'no record',
          moved.exchange,
        );
      }
    },
  },
  {
    id: 'paging.repeats',
    promise: 'no id comes twice on the first pages',
    source: SOURCE,
    needs: ['paging.offset', 'paging.limit'],
    async *run(probe) {
      const { kind } = await moreThan(probe, FIRST_PAGE_SIZE);
      const first = await requestFirstPage(probe, kind);
      const second = await requestPage(probe, kind, {
        limit: FIRST_PAGE_SIZE,
        offset: FIRST_PAGE_SIZE,
        query: [],
      });
      const ids = [...first.items, ...second.items].map((item) => getRecordKey(item, kind));
      const again = ids.find((id, index) => ids.indexOf(id) < index);
      if (again !== undefined)
        yield deviation(
          `${ids.length} different records on the first two pages`,
          `${again} twice`,
          second.exchange,
        );
    },
  },
  {
    id: 'paging.deep',
    promise: 'the last record can be reached by its offset',
    source: `FIELD-NOTES.md "Requests": cost, window limit on deep offsets`,
    deviation: 'warn',
    needs: ['paging.offset'],
    async *run(probe) {
      const { kind, total } = await moreThan(probe, FIRST_PAGE_SIZE);
      try {
        await requestPage(probe, kind, { limit: 2, offset: total - 1, query: [] });
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.isSilence) throw error;
        yield deviation(`the ${kind} from offset ${total - 1} on`, error.message, error.exchange);
      }
    },
  },
  {
    id: 'paging.end',
    promise: 'past the end there are no records',
    source: 'FIELD-NOTES.md "Requests": end of a result',
    deviation: 'warn',
    needs: ['paging.offset', 'paging.deep'],
    async *run(probe) {
      const { kind, total } = await moreThan(probe, 0);
      const checkOffset = total + OFFSET_BEYOND_END;
      if (checkOffset + INNER_PAGE.limit > OBSERVED_WINDOW && total <= OBSERVED_WINDOW)
        throw new CheckNotApplicable(`offset ${checkOffset} may be outside the window of the service`);
      const { items, exchange } = await requestPage(probe, kind, {
        limit: INNER_PAGE.limit,
        offset: checkOffset,
        query: [],
      });
      const expected = `no ${kind} from offset ${checkOffset} on, as the total is ${total}`;
      if (items.length > 0) yield deviation(expected, `${items.length} records`, exchange);
    },
  },
];

/** The page inside the first one. Throws NothingToTry when there are too few records. */
async function fetchInnerPage(probe: Probe, kind: Kind) {
  const first = await requestFirstPage(probe, kind);
  if (first.items.length < INNER_PAGE.offset + INNER_PAGE.limit)
    throw new CheckNotApplicable(`there are only ${first.items.length} ${kind}`);
  return { first, moved: await requestPage(probe, kind, INNER_PAGE) };
}

/** The largest kind and its total. Throws NothingToTry when there are not more records than that. */
async function moreThan(probe: Probe, least: number) {
  const kind = await largestKind(probe);
  const { total } = await requestTotal(probe, kind);
  if (total <= least) throw new CheckNotApplicable(`there are only ${total} ${kind}`);
  return { kind, total };
}
