/** Faults of paging: pages with wrong records, too many or too few records, or a wrong total. */
import type { Page } from '../../local/request.js';
import { routeError } from '../../local/response.js';
import { KINDS } from '../../service/kinds.js';
import { type Effect, withSettings } from './fault-row.js';
import { createChoice, createInteger, required, type Settings, type ValuesOf } from './settings.js';

const SEARCHES = KINDS.map((kind) => `${kind}.search`);

function pagingFault<S extends Settings>(settings: S, page: NonNullable<Effect<ValuesOf<S>>['page']>) {
  return withSettings(settings, { on: SEARCHES, page });
}

/** Responses to a request for records beyond the window. The window is the part of a result that a search can return. */
export const BEYOND_WINDOW = ['400', '500', 'empty', 'repeat'] as const;

const RECORDS = { records: required(createInteger(0)) };

export const PAGING_FAULTS = {
  'offset-ignored': pagingFault({}, (page) => ({ ...page, offset: 0 })),
  'last-page-repeats': pagingFault({}, (page) => ({
    ...page,
    offset: page.offset < page.total ? page.offset : Math.max(0, page.total - page.limit),
  })),
  /** Each page after the first begins `records` records too early, so the second page repeats the end of the first page. */
  repeats: pagingFault(RECORDS, (page, { records }) => ({
    ...page,
    offset: Math.max(0, page.offset - records),
  })),
  /** Pages from the offset `at` on have no records, although the total is higher. */
  'ends-early': pagingFault({ at: required(createInteger(0)) }, (page, { at }) =>
    page.offset >= at ? { ...page, limit: 0 } : page,
  ),
  overfills: pagingFault(RECORDS, (page, { records }) => ({ ...page, limit: page.limit + records })),
  /** Each page has `records` records fewer than the limit, but at least one. */
  underfills: pagingFault(RECORDS, (page, { records }) => ({
    ...page,
    limit: Math.max(1, page.limit - records),
  })),
  /** The first `records` records are missing, and the total is lower. With `first=3`, only in the first three searches. */
  missing: pagingFault(RECORDS, (page, { records }) => {
    const skipped = Math.min(page.total, records);
    return { ...page, total: page.total - skipped, at: (index) => page.at(index + skipped) };
  }),
  /** Without the parameter `sort`, the order of the records differs between requests. */
  shuffles: pagingFault({}, (page, _, number) => (page.isSorted ? page : shuffle(page, number))),
  /** A page past the end has an empty list and the correct total, instead of no list and the total 0. */
  'empty-end': pagingFault({}, (page) => ({ ...page, showsEmptyList: true })),
  /** If offset + limit exceeds `size`, responds with an error, with an empty page, or with the last page of the window. */
  window: pagingFault(
    { size: required(createInteger(1)), beyond: createChoice(...BEYOND_WINDOW) },
    (page, { size, beyond = '400' }) => {
      if (page.offset + page.limit <= size) return page;
      if (beyond === 'empty') return { ...page, limit: 0, showsEmptyList: true };
      if (beyond === 'repeat') return { ...page, offset: Math.max(0, size - page.limit) };
      throw routeError(
        Number(beyond),
        `Result window is too large, offset + limit must not be above ${size}`,
      );
    },
  ),
};

/** Computes each position when it is needed, so that large results need no memory. `number`: the number of the request. */
function shuffle(page: Page, number: number): Page {
  const { total } = page;
  // The step and the total have no common divisor above 1. Each record therefore has exactly one position.
  let step = 7919;
  while (total > 0 && greatestCommonDivisor(step, total) > 1) step++;
  const from = (number * 31) % total;
  const backwards = number % 2 === 0;
  return {
    ...page,
    at: (index) => page.at((from + (backwards ? total - 1 - index : index) * step) % total),
  };
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
