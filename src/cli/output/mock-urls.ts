/** The URLs of the built-in museum, which is gone when a command with `--mock` has ended. */
import type { Context } from '../context.js';
import { MOCK_ADDRESS } from '../defaults.js';

/** Passes texts on, and says to a person afterwards when they hold such URLs. */
export async function* notingMockUrls(
  texts: AsyncIterable<string | Uint8Array>,
  context: Context,
): AsyncGenerator<string | Uint8Array> {
  let found = false;
  for await (const text of texts) {
    found ||= typeof text === 'string' && text.includes(`${MOCK_ADDRESS}/`);
    yield text;
  }
  if (found) noteMockUrls(context);
}

export function noteMockUrls({ errorTerminal, note, detail }: Context): void {
  const say = errorTerminal.isTerminal ? note : detail;
  say(`URLs at ${MOCK_ADDRESS} work while "opac mock" runs`);
}
