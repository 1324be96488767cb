/** Paging: `limit` and `offset` as FIELD-NOTES.md "Requests" has seen them. */
import type { Kind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import { FIRST_PAGE, facets, firstPage, identity, largestKind, page, totalOf } from '../material/samples.js';
import { deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, Unanswered } from '../probe/probe.js';

const SOURCE = 'FIELD-NOTES.md "Requests": paging';
/** A page that begins and ends inside the first one, so that both can be compared. */
const INSIDE = { limit: 5, offset: 3 };
/** The cap that was seen on more than one deployment. */
const USUAL_CAP = 100;
/** Records that a deployment of any size may have; further away there can be none. */
const BEYOND = 1000;
/** Where a window limit on deep offsets is plausible. */
const USUAL_WINDOW = 10_000;

export const PAGING: readonly Check[] = [
  {
    id: 'paging.limit',
    promise: 'a page has as many records as limit says',
    source: SOURCE,
    deviation: 'warn',
    async *run(probe) {
      const { limit } = INSIDE;
      const { moved } = await inside(probe, await largestKind(probe));
      const { length } = moved.items;
      if (length !== limit) yield deviation(`${limit} records with limit=${limit}`, length, moved.at);
    },
  },
  {
    id: 'paging.zero',
    promise: 'limit=0 gives the total alone',
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    async *run(probe) {
      const { items, total, at } = await facets(probe, await largestKind(probe));
      const received = `${items.length} records, total ${total ?? 'missing'}`;
      if (items.length > 0 || total === undefined)
        yield deviation('the total and no records with limit=0', received, at);
    },
  },
  {
    id: 'paging.cap',
    promise: `a higher limit than ${USUAL_CAP} is lowered to ${USUAL_CAP}`,
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    async *run(probe) {
      const { kind } = await moreThan(probe, USUAL_CAP);
      const { items, at } = await page(probe, kind, { limit: 1000, query: [] });
      if (items.length !== USUAL_CAP)
        yield deviation(`${USUAL_CAP} records with limit=1000`, items.length, at);
    },
  },
  {
    id: 'paging.offset',
    promise: 'offset moves the page, counted in records',
    source: SOURCE,
    async *run(probe) {
      const { offset } = INSIDE;
      for (const kind of new Set([await largestKind(probe), 'records'] as const)) {
        const { first, moved } = await inside(probe, kind);
        const ids = first.items.map((item) => identity(item, kind));
        const got = identity(moved.items[0] ?? null, kind);
        if (got === ids[offset]) continue;
        yield deviation(
          `offset=${offset} of ${kind} begins with ${ids[offset]}, number ${offset} of the page from offset 0`,
          got === ids[0] ? `${got}, as without offset: offset is ignored` : got || 'no record',
          moved.at,
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
      const { kind } = await moreThan(probe, FIRST_PAGE);
      const first = await firstPage(probe, kind);
      const second = await page(probe, kind, { limit: FIRST_PAGE, offset: FIRST_PAGE, query: [] });
      const ids = [...first.items, ...second.items].map((item) => identity(item, kind));
      const again = ids.find((id, index) => ids.indexOf(id) < index);
      if (again !== undefined)
        yield deviation(
          `${ids.length} different records on the first two pages`,
          `${again} twice`,
          second.at,
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
      const { kind, total } = await moreThan(probe, FIRST_PAGE);
      try {
        await page(probe, kind, { limit: 2, offset: total - 1, query: [] });
      } catch (error) {
        if (!(error instanceof Unanswered) || error.isSilence) throw error;
        yield deviation(`the ${kind} from offset ${total - 1} on`, error.message, error.at);
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
      const offset = total + BEYOND;
      if (offset + INSIDE.limit > USUAL_WINDOW && total <= USUAL_WINDOW)
        throw new NothingToTry(`offset ${offset} may be outside the window of the service`);
      const { items, at } = await page(probe, kind, { limit: INSIDE.limit, offset, query: [] });
      const expected = `no ${kind} from offset ${offset} on, as the total is ${total}`;
      if (items.length > 0) yield deviation(expected, `${items.length} records`, at);
    },
  },
];

/** The page inside the first one. Throws NothingToTry when there are too few records. */
async function inside(probe: Probe, kind: Kind) {
  const first = await firstPage(probe, kind);
  if (first.items.length < INSIDE.offset + INSIDE.limit)
    throw new NothingToTry(`there are only ${first.items.length} ${kind}`);
  return { first, moved: await page(probe, kind, INSIDE) };
}

/** The largest kind and its total. Throws NothingToTry when there are not more records than that. */
async function moreThan(probe: Probe, least: number) {
  const kind = await largestKind(probe);
  const { total } = await totalOf(probe, kind);
  if (total <= least) throw new NothingToTry(`there are only ${total} ${kind}`);
  return { kind, total };
}
