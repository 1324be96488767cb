/** The ways in which paging goes wrong, each seen or feared on a deployment: what a client that gets everything must survive. */

import type { StoredRecord } from '../data/record-list.js';
import type { Selection } from '../search/select.js';

export interface Quirks {
  /** Every page is page one. */
  readonly ignoresOffset?: boolean;
  /** Each page begins with that many records of the one before; the last ones come after the total. */
  readonly repeats?: number;
  /** Pages from this offset on are empty, though the total says more. */
  readonly endsEarlyAt?: number;
  /** Pages hold that many records more than asked for. */
  readonly overfills?: number;
  /** Pages hold that many records fewer than asked for, though never none. */
  readonly underfills?: number;
  /** After so many requests, `count` records appear at the front of every result, and the total rises. */
  readonly insertDuring?: Change;
  /** After so many requests, the first `count` records of every result are gone, and the total falls. */
  readonly deleteDuring?: Change;
  /** Without `sort`, each request has an order of its own. */
  readonly shuffles?: boolean;
  /** Past the end the list's key is missing and the total 0 (`absent`, default), or the list is empty beside the true total. */
  readonly endKey?: 'absent' | 'empty';
}

export interface Change {
  /** Search requests answered before the change. */
  readonly after: number;
  readonly count: number;
}

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly sorted: boolean;
  /** Which search request of this museum it is, counted from 1. */
  readonly number: number;
}

export interface Page {
  readonly entries: readonly StoredRecord[];
  readonly total: number;
}

/** The page of a selection, with the quirks. */
export function pageOf(selection: Selection, request: PageRequest, quirks: Quirks): Page {
  const {
    ignoresOffset,
    repeats = 0,
    endsEarlyAt = Number.POSITIVE_INFINITY,
    overfills = 0,
    underfills = 0,
  } = quirks;
  const moved = quirks.shuffles && !request.sorted ? shuffled(selection, request.number) : selection;
  const current = changed(moved, request.number, quirks);
  const total = current.count;
  if (request.limit === 0) return { entries: [], total };
  const offset = ignoresOffset ? 0 : request.offset;
  if (offset >= endsEarlyAt) return { entries: [], total };
  const from = Math.max(0, offset - repeats);
  const to = Math.min(total, from + Math.max(1, request.limit + overfills - underfills));
  const entries: StoredRecord[] = [];
  for (let place = from; place < to; place++) entries.push(current.at(place));
  return { entries, total };
}

/** The selection as it stands at that request: records yet to be inserted are the first of it, and left out until then. */
function changed(selection: Selection, number: number, { insertDuring, deleteDuring }: Quirks): Selection {
  const unborn = insertDuring && number <= insertDuring.after ? insertDuring.count : 0;
  const gone = deleteDuring && number > deleteDuring.after ? deleteDuring.count : 0;
  const skipped = Math.min(selection.count, unborn + gone);
  return { count: selection.count - skipped, at: (place) => selection.at(place + skipped) };
}

/** Steps that have no divisor in common with most counts, and are tried in turn. */
const STEPS = [7919, 6101, 4409, 3001, 1] as const;

/** Another order for each number, computed place by place, so that it costs nothing on a million records. */
function shuffled(selection: Selection, number: number): Selection {
  const { count } = selection;
  const step = STEPS.find((candidate) => divisor(candidate, count) === 1) ?? 1;
  const from = (number * 31) % count;
  const backwards = number % 2 === 0;
  return {
    count,
    at: (place) => selection.at((from + (backwards ? count - 1 - place : place) * step) % count),
  };
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}
