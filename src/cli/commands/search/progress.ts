/** The progress of an export, drawn from its first page on. */
import type { Context } from '../../context.js';
import { createProgress, type Progress } from '../../output/terminal/progress.js';

/** Not drawn where the records go to the terminal. Messages appear above it. Records of an earlier run do not count for the pace. */
export function exportProgress(context: Context): Pick<Progress, 'update' | 'done'> {
  const { errorTerminal, now, settings, stderr, terminal } = context;
  const isAmongRecords = settings.output === undefined && terminal.isTerminal;
  const isHidden = settings.quiet || isAmongRecords;
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
