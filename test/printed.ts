/** The promise "never printed", held against everything that any test makes the program print: in this process or spawned. */

import { appendFileSync } from 'node:fs';

const VARIABLES = ['OPAC_CLIENT_SECRET', 'OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY'];
/** Of the built-in museum, whose tokens and codes are UUIDs of version 4 and differ each time. */
const OF_MUSEUM = ['museum-client-secret', 'bXVzZXVtLWJhc2ljLWtleQ'];
/** The verifier of the worked example that the service publishes. */
const PUBLISHED = 'f9752bd2-4346-439c-b14b-0c870b48ca82';
const TOKEN = /\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b/;

/** Shorter ones, and plain words, occur in the messages themselves. */
const TELLING = /^(?![a-z]+$).{8,}$/s;

export interface Printed {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Throws when the output holds a secret that the command was given, or one of the museum's. */
export function expectNoSecret({ words, environment, stdin = '', stdout, stderr }: Printed): void {
  // A file of the whole run of the tests, whose sum test/printed-total.ts prints.
  const { OPAC_TESTS_PRINTED: counts } = process.env;
  if (counts) appendFileSync(counts, `${Buffer.byteLength(stdout) + Buffer.byteLength(stderr)}\n`);
  const noun = words.find((word) => !word.startsWith('-'));
  // `opac token` prints the token; `opac mock` says what its own museum accepts.
  if (noun === 'mock') return;
  const given = VARIABLES.map((name) => environment[name] ?? '');
  if (noun === 'login' && !stdin.includes('://')) given.push(...stdin.split('\n'));
  const shown = noun === 'token' ? stderr : stdout + stderr;
  for (const secret of [
    ...given.map((each) => each.trim()).filter((each) => TELLING.test(each)),
    ...OF_MUSEUM,
  ]) {
    for (const form of formsOf(secret)) {
      if (shown.includes(form))
        throw new Error(`opac ${words.join(' ')} printed the secret ${form}:\n${shown}`);
    }
  }
  const token = TOKEN.exec(shown.replaceAll(PUBLISHED, ''))?.[0];
  if (token !== undefined)
    throw new Error(`opac ${words.join(' ')} printed the token or code ${token}:\n${shown}`);
}

/** As it is, in an address, and in base64 wherever it stands in a longer text. */
function formsOf(secret: string): readonly string[] {
  const inside = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + secret).toString('base64');
    // The first and the last characters depend on what stands around.
    return encoded.slice(before === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), ...inside.filter((form) => form.length >= 8)];
}
