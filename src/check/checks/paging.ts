/** Checks paging: `limit` and `offset` as described in FIELD-NOTES.md "Requests". */
import type { Kind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import {
  FIRST_PAGE_SIZE,
  findLargestKind,
  getRecordKey,
  requestFacets,
  requestFirstPage,
  requestPage,
  requestTotal,
} from '../samples/samples.js';

const SOURCE = 'opac help field-notes, "Requests": paging';
/** A page inside the first page, so that the checks can compare the two pages. */
const INNER_PAGE = { limit: 5, offset: 3 };
/** The maximum page size of several deployments. */
const OBSERVED_PAGE_CAP = 100;
const OFFSET_BEYOND_END = 1000;
/** Some deployments reject a request if offset + limit is higher than this number. */
const OBSERVED_WINDOW = 10_000;

export const PAGING_CHECKS: readonly Check[] = [
  {
    id: 'paging.limit',
    promise: 'a page contains the number of records that limit sets',
    source: SOURCE,
    async *run(probe) {
      const { inner } = await fetchInnerPage(probe, await findLargestKind(probe));
      const { limit } = INNER_PAGE;
      const { length } = inner.items;
      if (length !== limit) yield deviation(`${limit} records with limit=${limit}`, length, inner.exchange);
    },
  },
  {
    id: 'paging.zero',
    promise: 'limit=0 returns the total without records',
    source: SOURCE,
    warning: 'only the total is affected, and other requests return it too',
    needs: ['paging.limit'],
    async *run(probe) {
      const { items, total, exchange } = await requestFacets(probe, await findLargestKind(probe));
      const received = `${items.length} records, total ${total ?? 'missing'}`;
      if (items.length > 0 || total === undefined)
        yield deviation('the total and no records with limit=0', received, exchange);
    },
  },
  {
    id: 'paging.cap',
    promise: `a limit above ${OBSERVED_PAGE_CAP} is reduced to ${OBSERVED_PAGE_CAP}`,
    source: SOURCE,
    warning: 'clients that count the received records still get all of them',
    needs: ['paging.limit'],
    async *run(probe) {
      const { kind } = await requireMoreThan(probe, OBSERVED_PAGE_CAP);
      const { items, exchange } = await requestPage(probe, kind, { limit: 1000, query: [] });
      if (items.length !== OBSERVED_PAGE_CAP)
        yield deviation(`${OBSERVED_PAGE_CAP} records with limit=1000`, items.length, exchange);
    },
  },
  {
    id: 'paging.offset',
    promise: 'offset counts records',
    source: SOURCE,
    async *run(probe) {
      const { offset } = INNER_PAGE;
      for (const kind of new Set([await findLargestKind(probe), 'records'] as const)) {
        const { first, inner } = await fetchInnerPage(probe, kind);
        const ids = first.items.map((item) => getRecordKey(item, kind));
        const got = getRecordKey(inner.items[0] ?? null, kind);
        if (got === ids[offset]) continue;
        const expected = `offset=${offset} of ${kind} begins with ${ids[offset]}, record ${offset + 1} of the first page`;
        const received = got === ids[0] ? `${got}, as with offset=0: offset is ignored` : got || 'no record';
        yield deviation(expected, received, inner.exchange);
      }
    },
  },
  {
    id: 'paging.repeats',
    promise: 'the first pages, and a page of 100 records, contain no duplicate ids',
    source: SOURCE,
    needs: ['paging.offset', 'paging.limit'],
    async *run(probe) {
      const { kind } = await requireMoreThan(probe, FIRST_PAGE_SIZE);
      const first = await requestFirstPage(probe, kind);
      const second = await requestPage(probe, kind, {
        limit: FIRST_PAGE_SIZE,
        offset: FIRST_PAGE_SIZE,
        query: [],
      });
      const ids = [...first.items, ...second.items].map((item) => getRecordKey(item, kind));
      const duplicate = ids.find((id, index) => ids.indexOf(id) < index);
      const expected = `${ids.length} different records on the first two pages`;
      if (duplicate !== undefined) yield deviation(expected, `${duplicate} twice`, second.exchange);
      // Most clients read pages of 100 records.
      const large = await requestPage(probe, kind, { limit: OBSERVED_PAGE_CAP, query: [] });
      const keys = large.items.map((item) => getRecordKey(item, kind));
      const repeated = keys.find((key, index) => keys.indexOf(key) < index);
      if (repeated !== undefined && duplicate === undefined)
        yield deviation(`${keys.length} different records in a page`, `${repeated} twice`, large.exchange);
    },
  },
  {
    id: 'paging.deep',
    promise: 'the last record can be requested by its offset',
    source: `opac help field-notes, "Requests": cost, window limit on deep offsets`,
    warning: 'searches with fewer results still return these records',
    needs: ['paging.offset'],
    async *run(probe) {
      const { kind, total } = await requireMoreThan(probe, FIRST_PAGE_SIZE);
      try {
        await requestPage(probe, kind, { limit: 2, offset: total - 1, query: [] });
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.lacksStatus) throw error;
        yield deviation(`the last of the ${kind} at offset ${total - 1}`, error.message, error.exchange);
        const last = await requestPage(probe, kind, { limit: 1, offset: total - 1, query: [] }).catch(
          () => undefined,
        );
        if (last?.items.length === 1)
          yield deviation(
            `a total of all ${kind}`,
            `a total of ${total}, which is the maximum of offset + limit; there may be more records`,
            last.exchange,
            'fail',
          );
      }
    },
  },
  {
    id: 'paging.end',
    promise: 'pages beyond the end contain no records',
    source: 'opac help field-notes, "Requests": end of a result',
    needs: ['paging.offset', 'paging.deep'],
    async *run(probe) {
      const { kind, total } = await requireMoreThan(probe, 0);
      const { limit } = INNER_PAGE;
      const offset = total + OFFSET_BEYOND_END;
      if (offset + limit > OBSERVED_WINDOW && total <= OBSERVED_WINDOW)
        throw new CheckNotApplicable(`offset ${offset} may be outside the window of the service`);
      const { items, exchange } = await requestPage(probe, kind, { limit, offset, query: [] });
      const expected = `no ${kind} from offset ${offset}, because the total is ${total}`;
      if (items.length > 0) yield deviation(expected, `${items.length} records`, exchange);
    },
  },
];

async function fetchInnerPage(probe: Probe, kind: Kind) {
  const first = await requestFirstPage(probe, kind);
  if (first.items.length < INNER_PAGE.offset + INNER_PAGE.limit)
    throw new CheckNotApplicable(`there are only ${first.items.length} ${kind}`);
  return { first, inner: await requestPage(probe, kind, INNER_PAGE) };
}

/** Returns the kind with the most records. Throws CheckNotApplicable if its total is not above `minimum`. */
async function requireMoreThan(probe: Probe, minimum: number) {
  const kind = await findLargestKind(probe);
  const { total } = await requestTotal(probe, kind);
  if (total <= minimum) throw new CheckNotApplicable(`there are only ${total} ${kind}`);
  return { kind, total };
}
