/** `--dry-run`: runs a command without sending anything, and prints what it would have sent. */
import { OpacError } from '../../service/errors.js';
import type { Context, DryRunLog } from '../context.js';
import { type CommandResult, collectItems, toSinglePage } from '../description/result.js';
import { writeOutput } from '../output/write-output.js';
import { writeResult } from '../output/write-result.js';

/** Runs the command; one that would send nothing prints its own output. What it says of made-up responses is not shown. */
export async function dryRun(
  run: () => Promise<CommandResult | undefined>,
  log: DryRunLog,
  context: Context,
): Promise<void> {
  const notes: string[] = [];
  context.redirectMessages((line) => void notes.push(line));
  const result = await finished(run, log).finally(() => context.redirectMessages(context.stderr.say));
  if (log.length > 0) return print(log, context);
  notes.forEach(context.note);
  if (result) await writeResult(result, context);
}

async function finished(
  run: () => Promise<CommandResult | undefined>,
  log: DryRunLog,
): Promise<CommandResult | undefined> {
  try {
    const result = await run();
    if (result?.kind !== 'items') return result;
    return { ...result, pages: toSinglePage(await collectItems(result.pages)) };
  } catch (error) {
    // Responses that are made up may well make a command fail.
    if (log.length > 0 && error instanceof OpacError && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

/** To standard output, also with `--output`: that file is for what the requests would bring. */
function print(log: DryRunLog, context: Context): Promise<void> {
  const globalOptions = { ...context.globalOptions, output: undefined };
  async function* lines(): AsyncGenerator<string> {
    for (const line of log) yield `${line}\n`;
  }
  return writeOutput({ ...context, globalOptions }, lines());
}
