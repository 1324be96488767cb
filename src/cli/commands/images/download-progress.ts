/** How far a download has come: a line on the terminal, where what is said meanwhile stands above it. */
import type { Context } from '../../context.js';
import { createProgress } from '../../output/terminal/progress.js';

export async function withProgress<T>(
  context: Context,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const { errorTerminal, now, settings, stderr } = context;
  const progress = createProgress({
    stderr,
    terminal: settings.quiet ? { ...errorTerminal, isTerminal: false } : errorTerminal,
    now,
  });
  if (!settings.quiet) context.redirectMessages((line) => progress.note(line));
  try {
    return await work((done, total) => progress.update(done, total));
  } finally {
    progress.done();
  }
}
