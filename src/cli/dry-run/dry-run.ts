/** `--dry-run`: runs a command without sending anything, and prints what it would have sent. */
import { OpacError } from '../../service/errors.js';
import type { Context, DryRunLog } from '../context.js';
import { type CommandResult, collectItems, toSinglePage } from '../description/result.js';
import { writeOutput } from '../output/write-output.js';
import { writeResult } from '../output/write-result.js';

/** Runs the command and prints its requests, without its notes on the made-up responses; or its output if it has no requests. */
export async function dryRun(
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
    // A command may fail because of the made-up responses.
    if (log.length > 0 && error instanceof OpacError && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

/** Prints to standard output, also with `--output`, which names a file for the results. */
function print(log: DryRunLog, context: Context): Promise<void> {
  const globalOptions = { ...context.globalOptions, output: undefined };
  return writeOutput(
    { ...context, globalOptions },
    log.map((line) => `${line}\n`),
  );
}
