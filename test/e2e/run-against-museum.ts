/** Runs opac against a new museum in this process, so that a test sees the output and the requests. */
import { type LoggedRequest, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { opac, type RunOptions, type RunResult, splitCommandLine } from './opac.js';

export interface RunWithRequests extends RunResult {
  /** The requests that the museum received, in order. */
  readonly requests: readonly LoggedRequest[];
}

/** A way to run the program: spawned, or in this process. */
type Run<Where> = (words: readonly string[], options: Where) => Promise<RunResult>;

/** Returns a function that runs a command line (text or words) against a new museum, and returns output and requests. */
export function createMuseumRunner<Where extends object>(run: Run<Where>) {
  return async (
    line: string | readonly string[],
    { museum: museumOptions = {}, ...options }: Partial<Where> & { readonly museum?: MuseumOptions } = {},
  ): Promise<RunWithRequests> => {
    const museum = await startMuseum(museumOptions);
    try {
      const all = [...(typeof line === 'string' ? splitCommandLine(line) : line), '--base-url', museum.url];
      const ended = await run(all, options as Where);
      return { ...ended, requests: museum.requests };
    } finally {
      await museum.close();
    }
  };
}

/** Runs the built program against a new museum. */
export const runAgainstMuseum = createMuseumRunner<RunOptions>(opac);

/** Calls `outcomeOf` for all rows concurrently. Returns the outcomes by the names of the rows. */
export async function collectOutcomes<Row extends readonly [name: string, ...unknown[]], Outcome>(
  rows: readonly Row[],
  outcomeOf: (row: Row) => Promise<Outcome>,
): Promise<Record<string, Outcome>> {
  return Object.fromEntries(
    await Promise.all(rows.map(async (row) => [row[0], await outcomeOf(row)] as const)),
  );
}

/** Returns the lines of a text. A line break at the end does not count as a further line. */
export function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
