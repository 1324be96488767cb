/** Paging: `limit` and `offset` as FIELD-NOTES.md "Requests" has seen them. */
import type { Kind } from '../../service/kinds.js';
import type { Check } from '../check.js';
import {
  FIRST_PAGE,
  facets,
  firstPage,
  identity,
  largestKind,
  page,
  type RecordPage,
  totalOf,
} from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
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
    run: limit,
  },
  {
    id: 'paging.zero',
    promise: 'limit=0 gives the total alone',
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    run: zero,
  },
  {
    id: 'paging.cap',
    promise: `a higher limit than ${USUAL_CAP} is lowered to ${USUAL_CAP}`,
    source: SOURCE,
    deviation: 'warn',
    needs: ['paging.limit'],
    run: cap,
  },
  {
    id: 'paging.offset',
    promise: 'offset moves the page, counted in records',
    source: SOURCE,
    run: offset,
  },
  {
    id: 'paging.repeats',
    promise: 'no id comes twice on the first pages',
    source: SOURCE,
    needs: ['paging.offset', 'paging.limit'],
    run: repeats,
  },
  {
    id: 'paging.deep',
    promise: 'the last record can be reached by its offset',
    source: `FIELD-NOTES.md "Requests": cost, window limit on deep offsets`,
    deviation: 'warn',
    needs: ['paging.offset'],
    run: deep,
  },
  {
    id: 'paging.end',
    promise: 'past the end there are no records',
    source: 'FIELD-NOTES.md "Requests": end of a result',
    deviation: 'warn',
    needs: ['paging.offset', 'paging.deep'],
    run: end,
  },
];

/** The page inside the first one, of a kind that has so many records. */
async function inside(probe: Probe, kind: Kind): Promise<{ first: RecordPage; moved: RecordPage }> {
  const first = await firstPage(probe, kind);
  if (first.items.length < INSIDE.offset + INSIDE.limit)
    throw new NothingToTry(`there are only ${first.items.length} ${kind}`);
  return { first, moved: await page(probe, kind, INSIDE) };
}

async function* limit(probe: Probe): AsyncGenerator<Deviation> {
  const { moved } = await inside(probe, await largestKind(probe));
  if (moved.items.length !== INSIDE.limit)
    yield {
      expected: `${INSIDE.limit} records with limit=${INSIDE.limit}`,
      received: `${moved.items.length}`,
      at: moved.at,
    };
}

async function* zero(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { items, total, at } = await facets(probe, kind);
  if (items.length > 0 || total === undefined)
    yield {
      expected: 'the total and no records with limit=0',
      received: `${items.length} records, total ${total ?? 'missing'}`,
      at,
    };
}

async function* cap(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { total } = await totalOf(probe, kind);
  if (total <= USUAL_CAP) throw new NothingToTry(`there are only ${total} ${kind}`);
  const { items, at } = await page(probe, kind, { limit: 1000, query: [] });
  if (items.length !== USUAL_CAP)
    yield { expected: `${USUAL_CAP} records with limit=1000`, received: `${items.length}`, at };
}

async function* offset(probe: Probe): AsyncGenerator<Deviation> {
  for (const kind of new Set([await largestKind(probe), 'records'] as const)) {
    const { first, moved } = await inside(probe, kind);
    const [expected, got] = [first.items[INSIDE.offset], moved.items[0]].map((item) =>
      identity(item ?? null, kind),
    );
    if (expected === got) continue;
    const isFirst = got === identity(first.items[0] ?? null, kind);
    yield {
      expected: `offset=${INSIDE.offset} of ${kind} begins with ${expected}, number ${INSIDE.offset} of the page from offset 0`,
      received: isFirst ? `${got}, as without offset: offset is ignored` : `${got || 'no record'}`,
      at: moved.at,
    };
  }
}

async function* repeats(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const first = await firstPage(probe, kind);
  const { total } = await totalOf(probe, kind);
  if (total <= FIRST_PAGE) throw new NothingToTry(`there is only one page of ${kind}`);
  const second = await page(probe, kind, { limit: FIRST_PAGE, offset: FIRST_PAGE, query: [] });
  const ids = [...first.items, ...second.items].map((item) => identity(item, kind));
  const again = ids.find((id, index) => ids.indexOf(id) < index);
  if (again !== undefined)
    yield {
      expected: `${ids.length} different records on the first two pages`,
      received: `${again} twice`,
      at: second.at,
    };
}

async function* deep(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { total } = await totalOf(probe, kind);
  if (total <= FIRST_PAGE) throw new NothingToTry(`there are only ${total} ${kind}`);
  try {
    await page(probe, kind, { limit: 2, offset: total - 1, query: [] });
  } catch (error) {
    if (!(error instanceof Unanswered) || error.isSilence) throw error;
    yield { expected: `the ${kind} from offset ${total - 1} on`, received: error.message, at: error.at };
  }
}

async function* end(probe: Probe): AsyncGenerator<Deviation> {
  const kind = await largestKind(probe);
  const { total } = await totalOf(probe, kind);
  const offset = total + BEYOND;
  if (offset + INSIDE.limit > USUAL_WINDOW && total <= USUAL_WINDOW)
    throw new NothingToTry(`offset ${offset} may be outside the window of the service`);
  const { items, at } = await page(probe, kind, { limit: INSIDE.limit, offset, query: [] });
  if (items.length > 0)
    yield {
      expected: `no ${kind} from offset ${offset} on, as the total is ${total}`,
      received: `${items.length} records`,
      at,
    };
}
