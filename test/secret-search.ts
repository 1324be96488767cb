/** Checks that opac never prints or writes a secret, in all tests that run it in this process or spawn it. */
import { appendFileSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const VARIABLES = ['OPAC_CLIENT_SECRET', 'OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY'];
/** Secrets of the built-in museum. Its tokens and codes are not in this list: they are random UUIDs of version 4. */
const MUSEUM_SECRETS = ['museum-client-secret', 'bXVzZXVtLWJhc2ljLWtleQ'];
/** The verifier of the worked example that the service publishes. */
const PUBLISHED_VERIFIER = 'f9752bd2-4346-439c-b14b-0c870b48ca82';
const TOKEN = /\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b/;

/** Matches the secrets to search for. Shorter secrets and plain words also occur in messages. */
const DISTINCTIVE = /^(?![a-z]+$).{8,}$/s;

export interface Printed {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** True if the output may contain UUIDs that are not tokens. */
  readonly hasUuids?: boolean;
}

/** The secrets that the commands of this test file received. */
const receivedSecrets = new Set<string>();

export function forgetSecrets(): void {
  receivedSecrets.clear();
}

export function learnSecrets(environment: Printed['environment'], typed = ''): void {
  const values = [...VARIABLES.map((name) => environment[name] ?? ''), ...typed.split('\n')];
  for (const value of values) if (DISTINCTIVE.test(value.trim())) receivedSecrets.add(value.trim());
}

/** Throws an error if the output contains a secret that a command received, or a secret of the museum. */
export function expectNoSecret({ words, environment, stdin = '', stdout, stderr, hasUuids }: Printed): void {
  count('printed', Buffer.byteLength(stdout) + Buffer.byteLength(stderr));
  const noun = words.find((word) => !word.startsWith('-'));
  // `opac mock` prints the credentials of its museum. `opac token` prints the token on standard output.
  if (noun === 'mock') return;
  learnSecrets(environment, noun === 'login' && !stdin.includes('://') ? stdin : '');
  const shown = noun === 'token' ? stderr : stdout + stderr;
  const secret = findSecret(shown, hasUuids);
  if (secret) throw new Error(`opac ${words.join(' ')} printed the ${secret}:\n${shown}`);
}

/** Files that may contain secrets: profiles, input files of examples and recipes, files of a browser, and the package of opac. */
const CREDENTIALS =
  /[\\/](?:profiles\.json[^\\/]*|key\.txt|opac\.env|browser[\\/].*|opac-[\d.]+\.tgz|node_modules[\\/].*)$/;

/** Number of bytes at the beginning of a file to search. */
const MAX_SEARCHED = 1 << 22;

/** Throws an error if a file in the folder contains a secret. */
export async function expectNoSecretIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || CREDENTIALS.test(path)) continue;
    const bytes = await readBeginning(path).catch(() => Buffer.alloc(0));
    count('left', bytes.length);
    const secret = findSecret(decompress(bytes).toString('latin1'));
    if (secret) throw new Error(`"${path}" holds the ${secret}`);
  }
}

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min((await file.stat()).size, MAX_SEARCHED)),
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function decompress(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

/** Appends to a file that all tests share. test/secret-search-report.ts prints the sums. */
function count(what: string, bytes: number): void {
  const { OPAC_TESTS_PRINTED: counts } = process.env;
  if (counts) appendFileSync(counts, `${what} ${bytes}\n`);
}

function findSecret(text: string, hasUuids = false): string | undefined {
  for (const secret of [...receivedSecrets, ...MUSEUM_SECRETS])
    for (const form of listForms(secret)) if (text.includes(form)) return `secret ${form}`;
  if (hasUuids) return undefined;
  const token = TOKEN.exec(text.replaceAll(PUBLISHED_VERIFIER, ''))?.[0];
  return token && `token or code ${token}`;
}

/** Returns the secret unchanged, encoded for a URL, and in base64, also as part of a longer text. */
function listForms(secret: string): readonly string[] {
  const encodings = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + secret).toString('base64');
    // The first and the last characters depend on the surrounding text.
    return encoded.slice(before === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), ...encodings.filter((form) => form.length >= 8)];
}
