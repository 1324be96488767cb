/** OffsetPager returns every item once and in order, or reports a failure, for all kinds of limits, offsets and totals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OffsetPager, type OffsetPages } from '../../../../src/cli/commands/items/offset-pager.js';
import { collectItems } from '../../../../src/cli/description/result.js';
import { OpacError } from '../../../../src/service/errors.js';

const SERVICE = fc
  .record({
    count: fc.nat(40),
    cap: fc.constantFrom(2, 3, 7, 10, 100),
    size: fc.constantFrom(2, 5, 100),
    total: fc.constantFrom('right', 'none', 'low', 'high'),
    offset: fc.constantFrom('honoured', 'ignored', 'clamped'),
    limit: fc.constantFrom('honoured', 'ignored'),
    emptyAt: fc.constantFrom(-1, 0, 2, 5, 7, 10),
    isEmptyOnce: fc.boolean(),
    refusedFrom: fc.constantFrom(Number.POSITIVE_INFINITY, 2, 5, 7, 10),
    hasIds: fc.boolean(),
    wanted: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  })
  // Excludes services whose responses do not show that items are missing.
  .filter(({ total, limit, offset }) => !(total !== 'right' && limit === 'ignored' && offset === 'ignored'))
  .filter(({ total, isEmptyOnce, emptyAt }) => /right|high/.test(total) || isEmptyOnce || emptyAt < 0)
  .filter(({ total, hasIds }) => total !== 'high' || hasIds);
type Service = typeof SERVICE extends fc.Arbitrary<infer S> ? S : never;

function createFetchPage(service: Service): OffsetPages['fetchPage'] {
  const { count, cap, emptyAt } = service;
  const items = Array.from({ length: count }, (_, id) => ({ id }));
  // The low total is 1, because a total that equals the size of the first page would look correct.
  const totals = { right: count, none: undefined, low: Math.min(1, count), high: count + 3 };
  let empty = 0;
  return async (requestedOffset, limit) => {
    if (requestedOffset >= service.refusedFrom) throw new OpacError('usage', 'refused');
    const size = Math.min(cap, service.limit === 'honoured' ? (limit ?? service.size) : service.size);
    const clamped = Math.min(requestedOffset, Math.max(0, count - size));
    const first = { honoured: requestedOffset, ignored: 0, clamped }[service.offset as string] ?? 0;
    const isEmpty = requestedOffset === emptyAt && (empty++ === 0 || !service.isEmptyOnce);
    return {
      records: isEmpty ? [] : items.slice(first, first + size),
      total: totals[service.total as 'right'],
    };
  };
}

describe('OffsetPager', () => {
  it('returns every item once and in order, or has a failure', async () => {
    await fc.assert(
      fc.asyncProperty(SERVICE, async (service) => {
        const { wanted, hasIds, count } = service;
        const uniqueKey = hasIds ? 'id' : undefined;
        const pager = new OffsetPager({ fetchPage: createFetchPage(service), limit: wanted, uniqueKey });
        const items = await collectItems(pager.pages());
        const ids = items.map((item) => (item as { id: number }).id);
        const all = Array.from({ length: Math.min(count, wanted ?? count) }, (_, id) => id);
        if (!pager.failure) expect(ids).toEqual(all);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([undefined, 5])(
    'stops after maxPages if each page has new items, with a total of %s',
    async (total) => {
      let requests = 0;
      const fetchPage = async (offset: number) => {
        requests++;
        return { records: [{ id: offset }], total };
      };
      const pager = new OffsetPager({ fetchPage, maxPages: 20 });
      expect(await collectItems(pager.pages())).toHaveLength(20);
      expect(pager.failure).toMatchObject({
        kind: 'incomplete',
        message: expect.stringContaining('did not end after 20 pages'),
      });
      expect(requests).toBe(20);
    },
  );
});

it('stops if the list is larger than maxCharacters', async () => {
  let requests = 0;
  const text = 'x'.repeat(20_000);
  const fetchPage: OffsetPages['fetchPage'] = async (offset) => {
    requests++;
    return { records: Array.from({ length: 20 }, (_, n) => ({ id: offset + n, text })), total: 100_000 };
  };
  const pager = new OffsetPager({ fetchPage, maxPages: 6, maxCharacters: 1024 * 1024 });
  await collectItems(pager.pages());
  expect(pager.failure?.message).toBe('40 of 100,000 items were received: the list is larger than 1 MB');
  expect(requests).toBe(3);
});
