/** One page of a list, asked for until it is whole: again when it is empty too early, on from where it stopped when it is short. */
import type { Answer } from '../exchange.js';

/** What can be recognised when it comes twice. */
export interface Identified {
  readonly id: string | undefined;
}

export interface Listed<R> {
  readonly records: readonly R[];
  readonly total: number | undefined;
}

/** Reads the records of an answer to the page at an offset. Throws when it is no list. */
export type ReadList<R> = (answer: Answer, offset: number) => Listed<R>;

/** Asks for `limit` records from `offset`, 0 records for the total alone. */
export type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<Answer>;

export interface PagePlan {
  readonly offset: number;
  readonly limit: number;
  /** Whether a short page is to be filled: not while the page size in force is still to be found out. */
  readonly fill: boolean;
}

export interface FetchedPage<R> extends Listed<R>, PagePlan {
  readonly retries: number;
  readonly elapsed: number;
  /** The body of the first answer, by which pages without ids are compared. */
  readonly bytes: Buffer;
  /** The service keeps records of this page back: asking on gave none but those already here. */
  readonly thin: boolean;
}

/**
 * Fetches a page. `until` gives the offset up to which records are promised, by the total of an answer or what was known
 * before; Infinity when nothing is known. A short page is filled up to there, or until an empty answer; an empty page is
 * asked for again, once, when records are promised there.
 */
export async function fetchWholePage<R extends Identified>(
  plan: PagePlan,
  until: (total: number | undefined) => number,
  ask: (offset: number, limit: number) => Promise<Answer>,
  read: ReadList<R>,
): Promise<FetchedPage<R>> {
  let retries = 0;
  let elapsed = 0;
  const part = async (offset: number, limit: number) => {
    const answer = await ask(offset, limit);
    retries += answer.retries ?? 0;
    elapsed += answer.elapsed;
    return { ...read(answer, offset), bytes: answer.bytes };
  };

  let first = await part(plan.offset, plan.limit);
  const promised = until(undefined);
  if (first.records.length === 0 && plan.offset < promised && promised !== Number.POSITIVE_INFINITY) {
    retries++;
    first = await part(plan.offset, plan.limit);
  }
  const records = [...first.records];
  let { total } = first;
  let thin = false;
  while (plan.fill && records.length > 0 && records.length < plan.limit) {
    const offset = plan.offset + records.length;
    if (offset >= until(total)) break;
    const rest = await part(offset, plan.limit - records.length);
    if (rest.records.length === 0) break;
    thin = repeats(rest.records, records);
    if (thin) break;
    records.push(...rest.records);
    total = rest.total ?? total;
  }
  return { ...plan, records, total, retries, elapsed, bytes: first.bytes, thin };
}

function repeats(records: readonly Identified[], earlier: readonly Identified[]): boolean {
  const ids = new Set(earlier.map(({ id }) => id));
  return records.every(({ id }) => id !== undefined && ids.has(id));
}
