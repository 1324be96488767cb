/** How many records hold the whole values of `--where`, and not only its words: what `--exact` would keep. */
import { formatCount } from '../../../service/format-numbers.js';
import type { Json } from '../../../service/json.js';
import { KIND_KEYS, type Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import { isComparedByRecord, matchesExactly } from '../../../service/search/exact-match.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { count } from '../../output/terminal/numbers.js';

export interface Exactness {
  seen: number;
  exact: number;
}

/** Passes pages on, and counts those of their records that hold the whole values. */
export async function* countingExact(
  pages: AsyncIterable<readonly Json[]>,
  kind: Kind,
  search: RecordSearch,
  counts: Exactness,
): AsyncGenerator<readonly Json[]> {
  for await (const page of pages) {
    for (const each of page) add(counts, readRecord(each, kind), search);
    yield page;
  }
}

function add(counts: Exactness, record: CollectionRecord, search: RecordSearch): void {
  counts.seen++;
  if (isExactAsShown(record, search)) counts.exact++;
}

/** Whether it holds the whole values, as far as its view shows the fields. */
function isExactAsShown(record: CollectionRecord, { terms }: RecordSearch): boolean {
  const where = (terms.where ?? []).filter(({ field }) => record.fields.has(field));
  return matchesExactly({ where }, record);
}

/** Whether a person would want to know: a terminal is there, and words were asked for. */
function isExactnessAsked({ errorTerminal }: Context, { terms }: RecordSearch): boolean {
  const { where = [] } = terms;
  return !isComparedByRecord(terms) && errorTerminal.isTerminal && where.some(({ value }) => value !== '');
}

/** `41 of 163 hold exactly this; --exact keeps those`; undefined where words found no more than that. */
export function exactnessText({ seen, exact }: Exactness, total: number | undefined): string | undefined {
  if (exact === seen) return undefined;
  const of = total === undefined || total > seen ? `of these ${count(seen)}` : `of ${count(seen)}`;
  if (exact === 0)
    return `none ${of} holds exactly this, but its words in a longer value; --exact keeps none`;
  return `${count(exact)} ${of} ${exact === 1 ? 'holds' : 'hold'} exactly this; --exact keeps ${exact === 1 ? 'that one' : 'those'}`;
}

/** Says to a person how to count whole values. */
export function noteExactness(context: Context, kind: Kind, search: RecordSearch, total: number): void {
  if (!isExactnessAsked(context, search)) return;
  const records = formatCount(total, KIND_KEYS[kind].recordType);
  context.note(`--where finds words; to count whole values, use --exact (reads ${records})`);
}
