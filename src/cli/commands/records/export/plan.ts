/** The plan of a sliced export, for people, and what a part has of it. */
import {
  formatFilter,
  type Part,
  type Slice,
  type SlicePlan,
  selectPart,
} from '../../../../export/collect/source/slices/slice-plan.js';
import { createPlanFor, type SlicedOptions } from '../../../../export/collect/source/slices/sliced-source.js';
import { formatCount } from '../../../../service/format-numbers.js';
import { connect } from '../../../connect.js';
import type { Context } from '../../../context.js';
import { itemsResult } from '../../../output/item-schemas.js';
import { count } from '../../../output/terminal/numbers.js';
import { sanitizeLine } from '../../../output/terminal/sanitize.js';
import { writeResult } from '../../../output/write-result.js';

/** Says how the search is sliced, before the first of its pages is requested. */
export function notePlan({ total, window, slices, unreachable }: SlicePlan, context: Context): void {
  if (window !== null)
    context.note(
      `the service gives ${formatCount(window, 'record')} of a search; reading its ${count(total)} in ${formatCount(slices.length, 'slice')} (print them with --plan)`,
    );
  noteUnreachable(unreachable, context);
}

function noteUnreachable(unreachable: SlicePlan['unreachable'], context: Context): void {
  for (const { what, records } of unreachable)
    context.note(`warning: perhaps out of reach: ${count(records)} ${shorten(what)}`);
}

const MAX_DESCRIPTION_CHARACTERS = 100;

function shorten(words: string): string {
  const line = sanitizeLine(words);
  return line.length > MAX_DESCRIPTION_CHARACTERS
    ? `${line.slice(0, MAX_DESCRIPTION_CHARACTERS - 1)}…`
    : line;
}

/** Prints the slices of a search, or those of a part of it. Requests counts, and a few records where these do not suffice. */
export async function printPlan(options: SlicedOptions, context: Context): Promise<void> {
  const plan = await createPlanFor(
    { ...options, part: options.part ?? { number: 1, of: 1 } },
    context.signal,
  );
  const slices = plan && options.part ? selectPart(plan, options.part) : plan?.slices;
  if (plan) {
    const { total, window, sha256, unreachable } = plan;
    const limit = window === null ? 'no window' : `a window of ${count(window)}`;
    context.note(
      `${formatCount(total, 'record')}, ${limit}, ${formatCount(plan.slices.length, 'slice')}, plan ${sha256.slice(0, 12)}`,
    );
    noteUnreachable(unreachable, context);
  }
  const result = itemsResult((slices ?? []).map(rowOf), 'slice', { emptyMessage: 'no records match' });
  const { globalOptions } = context;
  // The file and its columns are those of the export.
  const shown = { ...context, settings: { ...globalOptions, output: undefined, columns: undefined } };
  await writeResult(result, { ...shown, format: globalOptions.format });
}

function rowOf(slice: Slice, index: number) {
  const { records, offset, limit, term, sort, direction } = slice;
  return {
    slice: index + 1,
    records,
    offset,
    limit,
    what: formatFilter(slice),
    query: term ?? null,
    sort: sort ?? null,
    direction: direction ?? null,
  };
}

/** With --rate, a part gets its share of it: all parts together keep to the rate. */
export function divideRate(context: Context, part: Part | undefined): Context {
  const { rate } = context.globalOptions;
  if (!part || rate === undefined) return context;
  const share = rate / part.of;
  context.note(
    `requests per second: at most ${Number(share.toPrecision(3))}, the share of this part in --rate ${rate} for all ${part.of}`,
  );
  let client: ReturnType<Context['client']> | undefined;
  const shared: Context = {
    ...context,
    globalOptions: { ...context.globalOptions, rate: share },
    client: () => {
      client ??= connect(shared);
      return client;
    },
  };
  return shared;
}
