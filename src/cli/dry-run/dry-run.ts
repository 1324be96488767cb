/** Runs a command for `--dry-run`. */
import { OpacError } from '../../service/errors.js';
import type { Context, DryRunLog } from '../context.js';
import { type CommandResult, collectItems, toSinglePage } from '../description/result.js';
import { writeOutput } from '../output/write-output.js';
import { writeResult } from '../output/write-result.js';

/** Prints the requests without the notes of the command. If the command makes no requests, prints its notes and result. */
export async function runDryRun(
  run: () => Promise<CommandResult | undefined>,
  log: DryRunLog,
  context: Context,
): Promise<void> {
  const notes: string[] = [];
  context.redirectMessages((line) => void notes.push(line));
  const result = await runToEnd(run, log).finally(() => context.redirectMessages(context.stderr.say));
  if (log.length > 0) return print(log, context);
  notes.forEach(context.note);
  if (result) await writeResult(result, context);
}

/** Reads all pages of the result, so that all requests are logged. */
async function runToEnd(
  run: () => Promise<CommandResult | undefined>,
  log: DryRunLog,
): Promise<CommandResult | undefined> {
  try {
    const result = await run();
    if (result?.kind !== 'items') return result;
    return { ...result, pages: toSinglePage(await collectItems(result.pages)) };
  } catch (error) {
    // A command may fail because the responses are empty.
    if (log.length > 0 && error instanceof OpacError && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

/** Always prints to standard output, because `--output` names a file for results, not for requests. */
function print(log: DryRunLog, context: Context): Promise<void> {
  const globalOptions = { ...context.globalOptions, output: undefined };
  return writeOutput(
    { ...context, globalOptions },
    log.map((line) => `${line}\n`),
  );
}
