/** Runs the built program against a museum of its own in this process, so that a test sees both sides of the wire. */
import { type LoggedRequest, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { type Ended, opac, type Surroundings, words } from './opac.js';

export interface Visit extends Ended {
  /** What the museum was asked, in order. */
  readonly requests: readonly LoggedRequest[];
}

/** Runs a command line, as text or as words, against a new museum and gives what both saw. */
export async function visit(
  line: string | readonly string[],
  { museum: options = {}, ...surroundings }: Surroundings & { readonly museum?: MuseumOptions } = {},
): Promise<Visit> {
  const museum = await startMuseum(options);
  try {
    const ended = await opac(
      [...(typeof line === 'string' ? words(line) : line), '--base-url', museum.url],
      surroundings,
    );
    return { ...ended, requests: museum.requests };
  } finally {
    await museum.close();
  }
}

/** Does the same with every row of a table, several at once, and gives the outcomes by the rows' names. */
export async function byName<Row extends readonly [name: string, ...unknown[]], Outcome>(
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
