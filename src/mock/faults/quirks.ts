/** The ways in which paging goes wrong on deployments. */
import type { Selection, StoredRecord } from '../data/record-list.js';
import { checkSettings, FLAG, integerFrom, oneOf, type SettingsOf } from './settings.js';

/** How a museum answers differently from the document, as deployments do (FIELD-NOTES.md). */
export interface Quirks {
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

/** Records that come or go while a list is paged through: `count` of them after that many requests. */
export interface Change {
  readonly after: number;
  readonly count: number;
}

/** Changes have two parts, which one word cannot say. */
const SETTINGS: SettingsOf<Omit<Quirks, 'insertDuring' | 'deleteDuring'>> = {
  ignoresOffset: FLAG,
  repeats: integerFrom(0),
  endsEarlyAt: integerFrom(0),
  overfills: integerFrom(0),
  underfills: integerFrom(0),
  shuffles: FLAG,
  endKey: oneOf('absent', 'empty'),
};

export const QUIRK_NAMES: readonly string[] = Object.keys(SETTINGS);

/** Quirks from outside. Throws a UsageError that names a wrong one. */
export function checkQuirks(value: Readonly<Record<string, unknown>>): Quirks {
  checkSettings(value, SETTINGS, (name) => `quirk "${name}"`);
  return value as Quirks;
}

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly sorted: boolean;
  readonly number: number;
}

export interface Page {
  readonly records: readonly StoredRecord[];
  readonly total: number;
}

export function pageOf(selection: Selection, request: PageRequest, quirks: Quirks): Page {
  const { repeats = 0, overfills = 0, underfills = 0 } = quirks;
  const ordered = quirks.shuffles && !request.sorted ? shuffled(selection, request.number) : selection;
  const current = changed(ordered, request.number, quirks);
  const total = current.count;
  const offset = quirks.ignoresOffset ? 0 : request.offset;
  if (request.limit === 0 || offset >= (quirks.endsEarlyAt ?? Number.POSITIVE_INFINITY))
    return { records: [], total };
  const from = Math.max(0, offset - repeats);
  const to = Math.min(total, from + Math.max(1, request.limit + overfills - underfills));
  const records: StoredRecord[] = [];
  for (let index = from; index < to; index++) records.push(current.at(index));
  return { records, total };
}

/** Records yet to be inserted are the first of the selection, and left out until then. */
function changed(selection: Selection, number: number, { insertDuring, deleteDuring }: Quirks): Selection {
  const notInserted = insertDuring && number <= insertDuring.after ? insertDuring.count : 0;
  const deleted = deleteDuring && number > deleteDuring.after ? deleteDuring.count : 0;
  const skipped = Math.min(selection.count, notInserted + deleted);
  return { count: selection.count - skipped, at: (index) => selection.at(index + skipped) };
}

/** Tried in turn for one without a divisor in common with the count. */
const STEPS = [7919, 6101, 4409, 3001, 1] as const;

/** Another order for each number, computed index by index, so that a million records cost nothing. */
function shuffled(selection: Selection, number: number): Selection {
  const { count } = selection;
  const step = STEPS.find((candidate) => greatestDivisor(candidate, count) === 1) ?? 1;
  const from = (number * 31) % count;
  const backwards = number % 2 === 0;
  return {
    count,
    at: (index) => selection.at((from + (backwards ? count - 1 - index : index) * step) % count),
  };
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
