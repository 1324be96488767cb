/** Looks for what may help a person, without ever costing the command its result. */
import type { Context } from '../../context.js';

/** Milliseconds: nobody waits longer for a hint. */
const LONGEST = 5000;

/** What `look` finds, or undefined: also when it fails or takes too long, with `--quiet`, and where nothing is sent. */
export async function hintOf<T>(
  context: Context,
  look: (context: Context) => Promise<T>,
): Promise<T | undefined> {
  const { settings, dryRunLog, signal } = context;
  if (settings.quiet || dryRunLog || signal.aborted) return undefined;
  const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
  const silent = { ...context, signal: within, note: () => {}, detail: () => {} };
  return look(silent).catch(() => undefined);
}
