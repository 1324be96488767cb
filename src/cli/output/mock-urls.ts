/** The URLs of the built-in museum, which is gone when a command with `--mock` has ended. */
import type { Context } from '../context.js';
import { DEFAULT_MOCK_URL } from '../defaults.js';

/** Passes texts on, and says to a person afterwards when they hold such URLs. */
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
