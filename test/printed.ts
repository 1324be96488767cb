/** The promise "never printed", held against everything that any test makes the program print, in this process or spawned, and write. */
import { appendFileSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

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
  /** Whether a UUID in it may be another thing than a token. */
  readonly hasUuids?: boolean;
}

/** What the commands of this file of tests were given. */
const given = new Set<string>();

export function forgetSecrets(): void {
  given.clear();
}

export function learnSecrets(environment: Printed['environment'], typed = ''): void {
  const values = [...VARIABLES.map((name) => environment[name] ?? ''), ...typed.split('\n')];
  for (const value of values) if (TELLING.test(value.trim())) given.add(value.trim());
}

/** Throws when the output holds a secret that a command was given, or one of the museum's. */
export function expectNoSecret({ words, environment, stdin = '', stdout, stderr, hasUuids }: Printed): void {
  count('printed', Buffer.byteLength(stdout) + Buffer.byteLength(stderr));
  const noun = words.find((word) => !word.startsWith('-'));
  // `opac token` prints the token; `opac mock` says what its own museum accepts.
  if (noun === 'mock') return;
  learnSecrets(environment, noun === 'login' && !stdin.includes('://') ? stdin : '');
  const shown = noun === 'token' ? stderr : stdout + stderr;
  const secret = secretIn(shown, hasUuids);
  if (secret) throw new Error(`opac ${words.join(' ')} printed the ${secret}:\n${shown}`);
}

/** Where the credential belongs, where examples and recipes read it, what a browser keeps, and the museum of the package. */
const CREDENTIALS =
  /[\\/](?:profiles\.json[^\\/]*|key\.txt|opac\.env|browser[\\/].*|opac-[\d.]+\.tgz|node_modules[\\/].*)$/;

/** Files that are larger are there for their size. */
const MOST = 1 << 22;

/** Throws when a file in the folder holds such a secret. */
export async function expectNoSecretIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || CREDENTIALS.test(path)) continue;
    const bytes = await beginning(path).catch(() => Buffer.alloc(0));
    count('left', bytes.length);
    const secret = secretIn(plain(bytes).toString('latin1'));
    if (secret) throw new Error(`"${path}" holds the ${secret}`);
  }
}

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min((await file.stat()).size, MOST)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function plain(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

/** Into a file of the whole run of the tests, whose sums test/printed-total.ts prints. */
function count(what: string, bytes: number): void {
  const { OPAC_TESTS_PRINTED: counts } = process.env;
  if (counts) appendFileSync(counts, `${what} ${bytes}\n`);
}

function secretIn(text: string, hasUuids = false): string | undefined {
  for (const secret of [...given, ...OF_MUSEUM])
    for (const form of formsOf(secret)) if (text.includes(form)) return `secret ${form}`;
  if (hasUuids) return undefined;
  const token = TOKEN.exec(text.replaceAll(PUBLISHED, ''))?.[0];
  return token && `token or code ${token}`;
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
