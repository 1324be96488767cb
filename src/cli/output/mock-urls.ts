/** The URLs of the built-in museum, which stops when a command with `--mock` ends. */
import type { Context } from '../context.js';
import { DEFAULT_MOCK_URL } from '../defaults.js';

/** Passes the texts on, then notes on a terminal that they contain such URLs. */
export async function* warnOfMockUrls(
  texts: AsyncIterable<string | Uint8Array>,
  context: Context,
): AsyncGenerator<string | Uint8Array> {
  let found = false;
  for await (const text of texts) {
    found ||= typeof text === 'string' && text.includes(`${DEFAULT_MOCK_URL}/`);
    yield text;
  }
  if (found) noteMockUrls(context);
}

export function noteMockUrls({ errorTerminal, note, noteVerbose }: Context): void {
  const say = errorTerminal.isTerminal ? note : noteVerbose;
  say(`URLs at ${DEFAULT_MOCK_URL} work while "opac mock" runs`);
}
