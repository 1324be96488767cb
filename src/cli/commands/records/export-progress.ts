/** How far an export has come, drawn from its first page on. */
import type { Context } from '../../context.js';
import { createProgress, type Progress } from '../../output/terminal/progress.js';

/** Not drawn where the records themselves go to the terminal. What is said meanwhile stands above it. What came before the first page, by earlier runs too, says nothing of the pace. */
export function exportProgress(context: Context): Pick<Progress, 'update' | 'done'> {
  const { errorTerminal, now, settings, stderr, terminal } = context;
  const isAmongRecords = settings.output === undefined && terminal.isTerminal;
  const isHidden = settings.quiet || isAmongRecords;
  let progress: Progress | undefined;

  function begin(written: number): Progress {
    const begun = createProgress({
      write: (text) => void stderr.write(text),
      terminal: isHidden ? { ...errorTerminal, isTerminal: false } : errorTerminal,
      now,
      from: written,
    });
    context.redirectMessages((line) => begun.note(line));
    return begun;
  }

  return {
    update(written, total) {
      progress ??= begin(written);
      progress.update(written, total);
    },
    done: () => progress?.done(),
  };
}
