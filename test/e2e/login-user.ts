/** Logs in as a user would, with the built program or in this process. Each run is at `--debug`, and is searched for secrets when it ends. */
import type { ChildProcess } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ended, newFolder, type RunResult, start } from './opac.js';
import type { WatchedMuseum } from './watched-museum.js';

export interface StartedRun {
  readonly child: ChildProcess;
  /** The address to open, once it is printed. */
  readonly address: Promise<URL>;
  /** The end; rejects when a secret was shown or a file is open to others. */
  readonly ended: Promise<RunResult>;
}

export interface LoginUser {
  /** The folder of the profiles; it is not there before the first write. */
  readonly folder: string;
  /** What `login` needs to know of the client of the museum. */
  readonly asClient: readonly string[];
  /** Runs to the end. */
  run(words: readonly string[], given?: RunOptions): Promise<RunResult>;
  /** Begins a login that waits: for the browser, or for what is pasted. */
  start(words: readonly string[], given?: RunOptions): StartedRun;
  /** What the file holds of a profile. */
  kept(name?: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Changes what the file holds of a profile, as time would. */
  change(values: Readonly<Record<string, unknown>>, name?: string): Promise<void>;
}

export interface RunOptions {
  readonly stdin?: string;
  /** Beside the client secret, which is given unless it is set here. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A challenge of the form PLAIN is the verifier, and a user cannot open an address that is not shown. */
const PLAIN_ADDRESS = /^ {2}http\S+&codeChallengeMethod=PLAIN&\S+$/m;

/** Runs a command to its end: spawned, or in this process. */
type Run = (words: readonly string[], options: RunOptions) => Promise<RunResult>;

/** A user who has the secret of the museum's client in the environment, and no profile yet. */
export async function createLoginUser(watched: WatchedMuseum, runHere?: Run): Promise<LoginUser> {
  const { clientId, clientSecret, redirectURI } = watched.museum.client;
  const folder = join(await newFolder(), 'config');
  const file = join(folder, 'profiles.json');

  const environmentWith = (environment: RunOptions['environment']) => ({
    OPAC_CONFIG_DIR: folder,
    OPAC_CLIENT_SECRET: clientSecret,
    // Where there is no desktop, this is what xdg-open starts: a browser that opens nothing.
    BROWSER: 'true',
    // Whoever runs the tests may have a keyring: it is not for them.
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
    const checked = check(words, ended(child));
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

/** The address that a login asks to open. */
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

/** The folder and all in it are for their owner alone, where there is one. */
async function expectPrivate(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of ['.', ...names]) {
    // What another run had just for a moment may be gone again.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found) continue;
    const mode = (found.mode & 0o777).toString(8);
    expect([name, mode]).toEqual([name, found.isDirectory() ? '700' : '600']);
  }
}
