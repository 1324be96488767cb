/** Shows the progress of a command that reads many records or images. */
import { findFormat } from '../../../export/convert/formats.js';
import type { Json } from '../../../service/json.js';
import type { Context } from '../../context.js';
import type { PagingInput } from '../../options/search.js';
import { createProgress, type Progress } from '../../output/terminal/progress.js';

/** Messages appear above the progress line. With `isWriting`, hides this line if opac writes the records to the terminal. */
export function createReadProgress(context: Context, isWriting = false): Pick<Progress, 'update' | 'done'> {
  const { errorTerminal, now, globalOptions, stderr, terminal } = context;
  const isAmongRecords = isWriting && globalOptions.output === undefined && terminal.isTerminal;
  const isHidden = globalOptions.quiet || isAmongRecords;
  const shown = isHidden ? { ...errorTerminal, isTerminal: false } : errorTerminal;
  let progress: Progress | undefined;

  return {
    update(written, total) {
      if (!progress) {
        progress = createProgress({ stderr, terminal: shown, now, from: written });
        context.redirectMessages(progress.note);
      }
      progress.update(written, total);
    },
    done: () => progress?.done(),
  };
}

/** Returns true if opac prints each page immediately. Tables wait for the last page, because all records affect the columns. */
function isStreamed(format: Context['format']): boolean {
  const known = findFormat(format);
  return format === 'card' || (known !== undefined && !known.takesColumns);
}

/** Yields `pages` unchanged. `expected` returns the total number of items; undefined if it is unknown. */
export async function* drawProgress(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  expected: () => number | undefined,
): AsyncGenerator<readonly Json[]> {
  const progress = createReadProgress(context, isStreamed(context.format));
  let done = 0;
  try {
    for await (const page of pages) {
      done += page.length;
      const all = expected();
      if (all === undefined || done < all) progress.update(done, all);
      yield page;
    }
  } finally {
    progress.done();
  }
}

/** Returns undefined if neither the total nor a limit is known. */
export function getExpectedCount(
  total: number | undefined,
  { offset, limit }: Pick<PagingInput, 'offset' | 'limit'>,
): number | undefined {
  return total === undefined ? limit : Math.min(Math.max(total - offset, 0), limit ?? total);
}
