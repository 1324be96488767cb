/** Runs the program against a museum of its own in this process, so that a test sees both sides of the wire. */
import { type LoggedRequest, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { opac, type RunOptions, type RunResult, words } from './opac.js';

export interface RunWithRequests extends RunResult {
  /** What the museum was asked, in order. */
  readonly requests: readonly LoggedRequest[];
}

/** A way to run the program: spawned, or in this process. */
type Run<Where> = (words: readonly string[], options: Where) => Promise<RunResult>;

/** A function that runs a command line, as text or as words, against a new museum and gives what both saw. */
export function museumRunner<Where extends object>(run: Run<Where>) {
  return async (
    line: string | readonly string[],
    { museum: museumOptions = {}, ...options }: Partial<Where> & { readonly museum?: MuseumOptions } = {},
  ): Promise<RunWithRequests> => {
    const museum = await startMuseum(museumOptions);
    try {
      const all = [...(typeof line === 'string' ? words(line) : line), '--base-url', museum.url];
      const ended = await run(all, options as Where);
      return { ...ended, requests: museum.requests };
    } finally {
      await museum.close();
    }
  };
}

/** Does so with the built program. */
export const runAgainstMuseum = museumRunner<RunOptions>(opac);

/** Does the same with every row of a table, several at once, and gives the outcomes by the rows' names. */
export async function outcomesByName<Row extends readonly [name: string, ...unknown[]], Outcome>(
  rows: readonly Row[],
  outcomeOf: (row: Row) => Promise<Outcome>,
): Promise<Record<string, Outcome>> {
  return Object.fromEntries(
    await Promise.all(rows.map(async (row) => [row[0], await outcomeOf(row)] as const)),
  );
}

/** The lines of a text, without the end of the last one. */
export function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
