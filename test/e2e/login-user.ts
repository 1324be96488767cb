/** Logs in as a user would, with the built program or in this process. Uses `--debug`, and searches the output for secrets. */
import type { ChildProcess } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createFolder, type RunResult, start, waitForEnd } from './opac.js';
import type { WatchedMuseum } from './watched-museum.js';

export interface StartedRun {
  readonly child: ChildProcess;
  /** The URL that the user must open. Resolves when opac has printed it. */
  readonly address: Promise<URL>;
  /** The end of the run. Rejects if opac printed a secret, or if other users can read a file. */
  readonly ended: Promise<RunResult>;
}

export interface LoginUser {
  /** The folder of the profiles. It does not exist before the first write. */
  readonly folder: string;
  /** The options of `login` for the client of the museum. */
  readonly asClient: readonly string[];
  /** Runs a command to its end. */
  run(words: readonly string[], given?: RunOptions): Promise<RunResult>;
  /** Starts a login that waits for the browser or for pasted text. */
  start(words: readonly string[], given?: RunOptions): StartedRun;
  /** Returns a profile from the profile file. */
  kept(name?: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Changes values of a profile in the profile file. */
  change(values: Readonly<Record<string, unknown>>, name?: string): Promise<void>;
}

export interface RunOptions {
  readonly stdin?: string;
  /** Further variables. The client secret is set by default, and can be replaced here. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The URL with a PLAIN challenge contains the secret verifier. opac must print it, so that the user can open it. */
const PLAIN_ADDRESS = /^ {2}http\S+&codeChallengeMethod=PLAIN&\S+$/m;

/** Runs a command to its end: spawned, or in this process. */
type Run = (words: readonly string[], options: RunOptions) => Promise<RunResult>;

/** Creates a user without a profile. The client secret of the museum is in the environment. */
export async function createLoginUser(watched: WatchedMuseum, runHere?: Run): Promise<LoginUser> {
  const { clientId, clientSecret, redirectURI } = watched.museum.client;
  const folder = join(await createFolder(), 'config');
  const file = join(folder, 'profiles.json');

  const environmentWith = (environment: RunOptions['environment']) => ({
    OPAC_CONFIG_DIR: folder,
    OPAC_CLIENT_SECRET: clientSecret,
    // Without a desktop, xdg-open starts this program, which opens nothing.
    BROWSER: 'true',
    // The tests must not use the keyring of the person who runs them.
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    ...environment,
  });

  const check = async (words: readonly string[], run: Promise<RunResult>) => {
    const end = await run;
    const shown = words[0] === 'token' ? end.stderr : end.stdout + end.stderr.replace(PLAIN_ADDRESS, '');
    for (const secret of watched.secrets) expect(shown).not.toContain(secret);
    await expectPrivate(folder);
    return end;
  };

  const begin: LoginUser['start'] = (words, { environment } = {}) => {
    const child = start([...words, '--debug'], { environment: environmentWith(environment) });
    const address = addressOf(child);
    address.catch(() => {});
    const checked = check(words, waitForEnd(child));
    checked.catch(() => {});
    return { child, address, ended: checked };
  };

  return {
    folder,
    asClient: ['--base-url', watched.url, '--client-id', clientId, '--redirect-uri', redirectURI],
    start: begin,
    run: (words, given) => {
      if (runHere) {
        const environment = environmentWith(given?.environment);
        return check(words, runHere([...words, '--debug'], { ...given, environment }));
      }
      const begun = begin(words, given);
      begun.child.stdin?.end(given?.stdin ?? '');
      return begun.ended;
    },
    kept: async (name = 'default') => JSON.parse(await readFile(file, 'utf8')).profiles[name],
    change: async (values, name = 'default') => {
      const contents = JSON.parse(await readFile(file, 'utf8'));
      Object.assign(contents.profiles[name], values);
      await writeFile(file, JSON.stringify(contents));
    },
  };
}

/** Waits for the URL that a login prints. */
function addressOf(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let shown = '';
    child.stderr?.on('data', (text) => {
      shown += text;
      const [, address] = /^ {2}(http\S+)\n/m.exec(shown) ?? [];
      if (address) resolve(new URL(address));
    });
    child.once('close', () => reject(new Error(`no address was shown: ${shown}`)));
  });
}

/** Checks that only the owner can access the folder and everything in it, if the folder exists. */
async function expectPrivate(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of ['.', ...names]) {
    // A concurrent run may have removed a temporary file.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found) continue;
    const mode = (found.mode & 0o777).toString(8);
    expect([name, mode]).toEqual([name, found.isDirectory() ? '700' : '600']);
  }
}
