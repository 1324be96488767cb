/** The plan of a sliced export, for people. */
import { type SlicePlan, wordsOf } from '../../../../export/source/slices/plan.js';
import type { Context } from '../../../context.js';
import { count } from '../../../output/terminal/numbers.js';
import { oneLine } from '../../../output/terminal/sanitise.js';

/** Slices that are named before the export begins; `--plan` prints all. */
const MOST_NAMED = 5;

/** Says how the search is sliced, before the first of its pages is requested. */
export function notePlan({ total, window, slices, unreachable }: SlicePlan, context: Context): void {
  if (window !== null) {
    context.note(
      `the service gives ${count(window)} records of a search; reading its ${count(total)} in ${count(slices.length)} slices:`,
    );
    for (const slice of slices.slice(0, MOST_NAMED))
      context.note(`  ${count(slice.records)}: ${shortened(wordsOf(slice))}`);
    if (slices.length > MOST_NAMED) context.note(`  … (all: --plan)`);
  }
  for (const { what, records } of unreachable)
    context.note(`warning: no slice has ${count(records)} ${shortened(what)}`);
}

const LONGEST = 100;

function shortened(words: string): string {
  const line = oneLine(words);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
