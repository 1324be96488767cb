/** The progress of an export or a long list, drawn from its first page on. */
import { findFormat } from '../../../export/convert/formats.js';
import type { Json } from '../../../service/json.js';
import type { Context } from '../../context.js';
import type { PagingInput } from '../../options/search.js';
import { createProgress, type Progress } from '../../output/terminal/progress.js';

/**
 * Messages appear above it. Records of an earlier run do not count for the pace. Not drawn where records that are written
 * meanwhile go to the terminal.
 */
export function createExportProgress(context: Context, isWriting = false): Pick<Progress, 'update' | 'done'> {
  const { errorTerminal, now, globalOptions, stderr, terminal } = context;
  const isAmongRecords = isWriting && globalOptions.output === undefined && terminal.isTerminal;
  const isHidden = globalOptions.quiet || isAmongRecords;
  let progress: Progress | undefined;

  function start(written: number): Progress {
    const drawn = createProgress({
      stderr,
      terminal: isHidden ? { ...errorTerminal, isTerminal: false } : errorTerminal,
      now,
      from: written,
    });
    context.redirectMessages((line) => drawn.note(line));
    return drawn;
  }

  return {
    update(written, total) {
      progress ??= start(written);
      progress.update(written, total);
    },
    done: () => progress?.done(),
  };
}

/** Whether a format is written while pages come; tables wait for the last. */
function isWrittenAtOnce(format: Context['format']): boolean {
  const known = findFormat(format);
  return format === 'card' || (known !== undefined && !known.takesColumns);
}

/** Passes pages on, and draws the progress while more are to come. */
export async function* drawProgress(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  expected: () => number | undefined,
): AsyncGenerator<readonly Json[]> {
  const progress = createExportProgress(context, isWrittenAtOnce(context.format));
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

/** How many records a search gives, as far as its total is known. */
export function getExpectedCount(
  total: number | undefined,
  { offset, limit }: Pick<PagingInput, 'offset' | 'limit'>,
): number | undefined {
  return total === undefined ? limit : Math.min(Math.max(total - offset, 0), limit ?? total);
}
