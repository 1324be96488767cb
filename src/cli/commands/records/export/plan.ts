/** Prints how opac divides a search into slices. A service may return only the first records of a search (the window). */
import {
  formatFilter,
  type Part,
  type Slice,
  type SlicePlan,
  selectPart,
} from '../../../../export/collect/source/slices/slice-plan.js';
import { createPlanFor, type SlicedOptions } from '../../../../export/collect/source/slices/sliced-source.js';
import { formatCount } from '../../../../service/format-numbers.js';
import { withGlobalOptions } from '../../../connect.js';
import type { Context } from '../../../context.js';
import { toItemsResult } from '../../../output/item-schemas.js';
import { count } from '../../../output/terminal/numbers.js';
import { sanitizeLine } from '../../../output/terminal/sanitize.js';
import { writeResult } from '../../../output/write-result.js';

export function notePlan({ total, window, slices, unreachable }: SlicePlan, context: Context): void {
  if (window !== null)
    context.note(
      `each search returns at most ${formatCount(window, 'record')}; reading ${count(total)} records in ${formatCount(slices.length, 'slice')} (--plan prints the slices)`,
    );
  noteUnreachable(unreachable, context);
}

function noteUnreachable(unreachable: SlicePlan['unreachable'], context: Context): void {
  for (const { what, records } of unreachable)
    context.warn(`the slices possibly miss ${formatCount(records, 'record')} ${sanitizeLine(what)}`);
}

/** Requests totals and, if these are not sufficient, a few records. */
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
  const result = toItemsResult((slices ?? []).map(createSliceRow), 'slice', {
    emptyMessage: 'no records match',
  });
  // -o and --columns are for the export, not for the plan.
  const globalOptions = { ...context.globalOptions, output: undefined, columns: undefined };
  await writeResult(result, { ...context, globalOptions, format: globalOptions.format });
}

function createSliceRow(slice: Slice, index: number) {
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

/** Gives a part its share of `--rate`, so that all parts together do not exceed the rate. */
export function divideRate(context: Context, part: Part | undefined): Context {
  const { rate } = context.globalOptions;
  if (!part || rate === undefined) return context;
  const share = rate / part.of;
  context.note(
    `limit: ${formatCount(Number(share.toPrecision(3)), 'request')} per second (--rate ${rate} shared by ${formatCount(part.of, 'part')})`,
  );
  return withGlobalOptions(context, { rate: share });
}
