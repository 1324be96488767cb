/** `--dry-run`: runs a command without sending anything, and prints what it would have sent. */
import { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import type { CommandResult } from '../command/result.js';
import type { Context, DryRunLog } from '../context.js';
import { present } from '../output/present.js';
import { writeAll } from '../output/write.js';

/** Runs the command; one that asks the service for nothing shows what it always shows. */
export async function rehearse(
  run: () => Promise<CommandResult | undefined>,
  script: DryRunLog,
  context: Context,
): Promise<void> {
  const listing = await finished(run, script);
  if (script.length > 0) await print(script, context);
  else if (listing) await present(listing, context);
}

/** What the command gives, its pages taken so that they are asked for. */
async function finished(
  run: () => Promise<CommandResult | undefined>,
  script: DryRunLog,
): Promise<CommandResult | undefined> {
  try {
    const listing = await run();
    if (listing === undefined || !('pages' in listing)) return listing;
    const pages: (readonly Json[])[] = [];
    for await (const page of listing.pages) pages.push(page);
    return { ...listing, pages: again(pages) };
  } catch (error) {
    // What a command makes of answers that are none says nothing.
    if (script.length > 0 && error instanceof OpacError && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

async function* again(pages: readonly (readonly Json[])[]): AsyncGenerator<readonly Json[]> {
  yield* pages;
}

/** To standard output, also with `--output`: the file is for what the requests bring. */
function print(script: DryRunLog, context: Context): Promise<void> {
  const settings = { ...context.settings, output: undefined };
  async function* lines(): AsyncGenerator<string> {
    for (const line of script) yield `${line}\n`;
  }
  return writeAll({ ...context, settings }, lines());
}
