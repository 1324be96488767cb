/** Stored credentials after a login, their use and their removal. Tests with several processes: test/e2e/session.test.ts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { createLoginUser as createUser, type RunOptions } from '../e2e/login-user.js';
import { createFolder } from '../e2e/opac.js';
import { startWatchedMuseum, type WatchedMuseum } from '../e2e/watched-museum.js';
import { opac } from './run-in-process.js';

const createLoginUser = (watched: WatchedMuseum) => createUser(watched, opac);

/** Runs opac without the client secret. */
const WITHOUT_SECRET: RunOptions = { environment: { OPAC_CLIENT_SECRET: '' } };

/** Logs a new user in at a new museum. */
async function logIn(words: readonly string[] = [], options?: MuseumOptions) {
  const watched = await startWatchedMuseum(options);
  const user = await createLoginUser(watched);
  const login = await user.run(['login', ...user.asClient, '--method', 'headless', ...words]);
  expect(login.code).toBe(0);
  return { watched, user, login, file: join(user.folder, 'profiles.json') };
}

/** Returns the values of a status by their names. */
function readStatus(stdout: string): ReadonlyMap<string, string> {
  return new Map(stdout.split('\n').map((line) => [line.slice(0, 14).trim(), line.slice(14)]));
}

describe('opac status', () => {
  it('prints the profile, the expiry, the result of a test request and the stored credentials', async () => {
    const { watched, user, file } = await logIn();
    const { code, stdout } = await user.run(['status', '-f', 'table'], WITHOUT_SECRET);
    expect(code).toBe(0);
    expect(Object.fromEntries(readStatus(stdout))).toEqual({
      '': '',
      profile: 'default',
      deployment: watched.url,
      scheme: 'bearer',
      'client id': watched.museum.client.clientId,
      'redirect URI': watched.museum.client.redirectURI,
      challenge: 'S256-padded',
      expires: expect.stringMatching(/^in (1 h|59 min( \d+ s)?)$/),
      works: expect.stringMatching(/^yes, responded in \d+ ms$/),
      'access token': `profile file ${file} (mode 0600)`,
      'client secret': 'not stored',
    });
  });

  it('prints the status as JSON', async () => {
    const { watched, user, file } = await logIn();
    const { code, stdout } = await user.run(['status', '-f', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      baseUrl: watched.url,
      scheme: 'bearer',
      clientId: watched.museum.client.clientId,
      redirectURI: watched.museum.client.redirectURI,
      challengeForm: 'S256-padded',
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      works: true,
      elapsed: expect.any(Number),
      problem: null,
      hint: null,
      code: null,
      kind: null,
      status: null,
      kept: {
        accessToken: `profile file ${file} (mode 0600)`,
        basicKey: 'not stored',
        clientSecret: 'environment (OPAC_CLIENT_SECRET)',
      },
    });
  });

  it('exits with 4 if the service rejects the token, as table and as JSON', async () => {
    const { user } = await logIn([], { oauth: { tokenUses: 1 } });
    const asTable = await user.run(['status', '-f', 'table'], WITHOUT_SECRET);
    expect(asTable.code).toBe(4);
    expect(asTable.stdout).toMatch(/^works +no, your login has expired$/m);
    expect(asTable.stderr).toMatch(/^opac: the deployment cannot be used: your login has expired \(401\)/m);
    expect(asTable.stdout).not.toMatch(/^expires/m);
    const asJson = await user.run(['status', '-f', 'json'], WITHOUT_SECRET);
    expect(asJson.code).toBe(4);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      works: false,
      hint: expect.stringMatching(/^log in again with: opac login -p \w+$/),
      kind: 'auth',
      code: 'token-expired',
      status: 401,
    });
  });

  it('exits with 4 if the token has expired, and prints since when', async () => {
    const { user } = await logIn();
    await user.change({ issuedAt: Date.now() - 7_200_000, expiresAt: Date.now() - 3_600_000 });
    const { code, stdout, stderr } = await user.run(['status', '-f', 'table'], WITHOUT_SECRET);
    expect(code).toBe(4);
    expect(readStatus(stdout).get('expires')).toBe('1 h ago');
    expect(stderr).toMatch(/your login has expired/);
  });

  it('exits with 5 if it cannot reach the deployment', async () => {
    const { watched, user } = await logIn();
    await watched.museum.close();
    const { code, stdout } = await user.run(['status', '-f', 'json', '--retries', '0']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      works: false,
      elapsed: null,
      kind: 'deployment',
      code: 'connection-lost',
      status: null,
    });
  });

  it('prints TSV if standard output is not a terminal', async () => {
    const { user } = await logIn();
    const { stdout } = await user.run(['status'], WITHOUT_SECRET);
    const [header = '', row = '', ...rest] = stdout.split('\n');
    expect(rest).toEqual(['']);
    expect(header.split('\t').slice(0, 3)).toEqual(['profile', 'baseUrl', 'scheme']);
    expect(row.split('\t')).toHaveLength(header.split('\t').length);
    expect(row).toMatch(/^default\thttp/);
  });

  it('prints the response time for a basic key, which never expires', async () => {
    const watched = await startWatchedMuseum({ latency: 20 });
    const user = await createLoginUser(watched);
    await user.run(['login', '--base-url', watched.url, '--basic-key'], { stdin: watched.museum.basicKey });
    const { stdout } = await user.run(['status', '-f', 'json']);
    expect(JSON.parse(stdout).elapsed).toBeGreaterThanOrEqual(20);
    expect((await user.run(['status', '-f', 'table'])).stdout).toMatch(/^expires +never$/m);
  });
});

describe('OPAC_ACCESS_TOKEN', () => {
  it('authorizes requests, and causes exit code 4 and a hint if the service rejects it', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const count = (token: string) =>
      user.run(['objects', 'count', '--base-url', watched.url], {
        environment: { OPAC_ACCESS_TOKEN: token, OPAC_CLIENT_SECRET: '' },
      });
    const validToken = watched.museum.issueToken();
    const accepted = await count(validToken);
    expect(accepted).toMatchObject({ code: 0, stdout: '163\n' });
    expect(accepted.stderr).not.toContain(validToken);
    const rejected = await count('not-a-token');
    expect(rejected.code).toBe(4);
    expect(rejected.stderr).toContain('set OPAC_ACCESS_TOKEN to a valid token');
    expect(rejected.stderr).not.toContain('not-a-token');
  });
});

describe('opac token', () => {
  it('prints only the token, which works in other programs', async () => {
    const { watched, user } = await logIn();
    const { code, stdout } = await user.run(['token'], WITHOUT_SECRET);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${watched.tokens[0]}\n` });
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${watched.url}/api/v3/opaccollections`, { headers })).status).toBe(200);
  });

  it('renews an expired token with the client secret, and exits with 4 without it', async () => {
    const { watched, user } = await logIn();
    await user.change({ issuedAt: 0, expiresAt: 1000 });
    expect(await user.run(['token'], WITHOUT_SECRET)).toMatchObject({ code: 4, stdout: '' });
    expect((await user.run(['token'])).stdout).toBe(`${watched.tokens[1]}\n`);
    expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[1] });
    expect((await user.run(['token'], WITHOUT_SECRET)).stdout).toBe(`${watched.tokens[1]}\n`);
  });

  it('exits with 2 for a profile with a basic key', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    await user.run(['login', '--base-url', watched.url, '--basic-key'], { stdin: watched.museum.basicKey });
    expect(await user.run(['token'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('the client secret on a machine without a keyring', () => {
  it('is not stored with only --remember-secret, and login prints this', async () => {
    const { watched, user, login, file } = await logIn(['--remember-secret']);
    expect(login.stderr).toMatch(/keyring.*; the client secret was not saved/);
    expect(await readFile(file, 'utf8')).not.toContain(watched.museum.client.clientSecret);
    expect((await user.run(['status', '-f', 'table'], WITHOUT_SECRET)).stdout).toMatch(
      /^client secret +not stored$/m,
    );
  });

  it('is stored with a notice by --insecure-storage, renews tokens, and is removed by logout', async () => {
    const { watched, user, login, file } = await logIn(['--remember-secret', '--insecure-storage'], {
      oauth: { tokenUses: 1 },
    });
    expect(login.stderr).toContain('saving the client secret as plain text in the profile file (mode 0600)');
    expect((await user.run(['status', '-f', 'table'], WITHOUT_SECRET)).stdout).toMatch(
      /^client secret +profile file .*0600\)$/m,
    );
    expect(watched.tokens).toHaveLength(2);
    expect(await user.run(['logout'], WITHOUT_SECRET)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).not.toContain(watched.museum.client.clientSecret);
  });
});

describe('opac profiles', () => {
  it('lists, selects and removes profiles, and logout removes their credentials', async () => {
    const { watched, user } = await logIn(['-p', 'first']);
    const second = ['login', '-p', 'second', '--base-url', watched.url, '--basic-key'];
    await user.run(second, { stdin: watched.museum.basicKey });
    const list = async () =>
      (await user.run(['profiles', 'list', '--columns', 'name,current,scheme'])).stdout;
    expect(await list()).toBe('name\tcurrent\tscheme\nfirst\t\tbearer\nsecond\t*\tbasic\n');

    await user.run(['profiles', 'use', 'first']);
    expect(await list()).toBe('name\tcurrent\tscheme\nfirst\t*\tbearer\nsecond\t\tbasic\n');

    expect((await user.run(['logout'])).stderr).toBe(
      'logged out of first\nthe access token remains valid until it expires\n',
    );
    expect(await user.run(['logout', '-p', 'thrid'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no profile "thrid"; choose from first, second'),
    });
    expect(await user.kept('first')).not.toHaveProperty('accessToken');
    expect(await user.kept('first')).toMatchObject({ baseUrl: watched.url, scheme: 'bearer' });
    expect(await user.run(['objects', 'count'], WITHOUT_SECRET)).toMatchObject({ code: 4 });
    expect(await user.run(['objects', 'count', '-p', 'second'])).toMatchObject({ code: 0 });

    expect((await user.run(['logout', '--all'])).stderr).toBe(
      'logged out of second\nthe basic key remains valid; to revoke it, use the administration of the service\n',
    );
    expect(await user.kept('second')).not.toHaveProperty('basicKey');
    expect((await user.run(['logout', '--all'])).stderr).toBe('nothing to remove\n');

    expect(await user.run(['profiles', 'remove', 'first'])).toMatchObject({ code: 0 });
    expect(await user.run(['profiles', 'use', 'first'])).toMatchObject({ code: 2 });
    expect(await list()).toBe('name\tcurrent\tscheme\nsecond\t\tbasic\n');
  });
});

describe('an export with tokens that expire after 90 requests', () => {
  const museum = { records: 600, oauth: { tokenUses: 90 } } as const;
  const words = ['objects', 'export', '--page-size', '5', '-o'];

  it('writes each of 600 records once, and prints nothing to standard output', async () => {
    const { watched, user } = await logIn([], museum);
    const target = join(await createFolder(), 'objects.ndjson');
    const { code, stdout } = await user.run([...words, target]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const ids = (await readFile(target, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).opacObjectId);
    expect(ids).toHaveLength(600);
    expect(new Set(ids).size).toBe(600);
    expect(watched.museum.requests.length).toBeGreaterThan(120);
    expect(watched.tokens).toHaveLength(2);
    expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[1] });
  });

  it('exits with 4 without the client secret, and continues with --resume after a login', async () => {
    const { watched, user } = await logIn([], museum);
    const folder = await createFolder();
    const stopped = await user.run([...words, join(folder, 'resumed.csv')], WITHOUT_SECRET);
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).toMatch(/--resume/);
    await user.run(['login', ...user.asClient, '--method', 'headless']);
    const before = watched.museum.requests.length;
    const resumed = await user.run([...words, join(folder, 'resumed.csv'), '--resume'], WITHOUT_SECRET);
    expect(resumed.code).toBe(0);
    expect(watched.museum.requests.length - before).toBeLessThan(90);

    await user.run([...words, join(folder, 'whole.csv')]);
    expect(await readFile(join(folder, 'resumed.csv'))).toEqual(await readFile(join(folder, 'whole.csv')));
  });
});
