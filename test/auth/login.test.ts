import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHALLENGE_FORMS } from '../../src/auth/flow/pkce.js';
import type { LoginOptions } from '../../src/auth/login/login-context.js';
import { placeOf } from '../../src/auth/login/place.js';
import { login } from '../../src/auth/login.js';
import { logout, removeProfile } from '../../src/auth/logout.js';
import type { Museum } from '../../src/mock/index.js';
import { type Bench, memoryKeyring, setUp, startGuardedMuseum } from './bench.js';

const flagsFor = (museum: Museum): LoginOptions => ({
  baseUrl: museum.url,
  clientId: museum.client.clientId,
  redirectURI: museum.client.redirectURI,
  method: 'headless',
});
const SECRET = { environment: { OPAC_CLIENT_SECRET: 'museum-client-secret' } };

/** A browser that goes to an address and wherever it leads. */
const visit = async (url: string) => {
  const page = await fetch(url);
  return { status: page.status, text: await page.text() };
};

const asked = (museum: Museum) =>
  museum.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

describe('a login', () => {
  it.each(CHALLENGE_FORMS)('without a browser keeps a token that works (%s)', async (challengeForm) => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: [challengeForm] } });
    const { means, store, folder } = await setUp(SECRET);
    const result = await login({ ...flagsFor(museum), challengeForm }, means);
    expect(result).toMatchObject({
      profile: 'default',
      baseUrl: museum.url,
      scheme: 'bearer',
      method: 'headless',
      file: join(folder, 'profiles.json'),
    });
    expect(result.expires?.getTime()).toBeGreaterThan(Date.now());
    expect(result.elapsed).toBeGreaterThan(0);
    expect(asked(museum)).toEqual([
      'GET /api/v3/oauth/authorize',
      'POST /api/v3/oauth/token',
      'GET /api/v3/opacrecords',
    ]);
    expect(museum.requests[2]?.status).toBe(200);
    const { clientSecret: _, ...registered } = museum.client;
    const profile = await store.get('default');
    expect(profile).toMatchObject({ ...registered, challengeForm, accessToken: expect.any(String) });
    expect(profile).not.toHaveProperty('clientSecret');
    expect((await stat(result.file)).mode & 0o777).toBe(0o600);
  });

  it('in the browser goes from the printed address to the closing page', async () => {
    const museum = await startGuardedMuseum();
    let closing: ReturnType<typeof visit> | undefined;
    const { means, store, said } = await setUp({
      ...SECRET,
      openBrowser: async (url) => {
        closing = visit(url);
      },
    });
    const result = await login({ ...flagsFor(museum), method: 'browser' }, means);
    expect(await closing).toMatchObject({
      status: 200,
      text: expect.stringContaining('You can close this window'),
    });
    expect(said).toEqual([
      expect.stringContaining(`${museum.url}/api/v3/oauth/authorize?`),
      'waiting for the browser to come back; Ctrl-C ends it',
    ]);
    expect(await store.get(result.profile)).toMatchObject({ accessToken: expect.any(String) });
  });

  it('in the browser never puts a verifier on a command line: a PLAIN challenge is for the person to open', async () => {
    const museum = await startGuardedMuseum();
    const bench = await setUp({
      ...SECRET,
      announce: (url) => void visit(url),
    });
    await login({ ...flagsFor(museum), method: 'browser', challengeForm: 'PLAIN' }, bench.means);
    expect(bench.opened).toEqual([]);
    expect(bench.said).toContain('with a PLAIN challenge, open the address above yourself');
  });

  it('by pasting works through a sign-in page and with a redirect URI of another machine', async () => {
    const redirectURI = 'https://app.museum.example/done';
    const client = {
      clientId: 'museum-client',
      clientSecret: 'museum-client-secret',
      redirectURIs: [redirectURI],
    };
    const museum = await startGuardedMuseum({ oauth: { clients: [client], signInPage: true } });
    const bench = await setUp(SECRET);
    const line = async () => {
      const page = await visit(String(bench.said.at(-1)));
      return page.text.match(/href="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&');
    };
    const prompt = { ...bench.means.prompt, line };
    const result = await login({ ...flagsFor(museum), method: 'paste' }, { ...bench.means, prompt });
    expect(result.method).toBe('paste');
  });

  it('asks for what no one said, the secret without echo', async () => {
    const museum = await startGuardedMuseum();
    const { means, said } = await setUp({
      answers: {
        Address: `${museum.url}/api/v3/`,
        'Client id': ` ${museum.client.clientId} `,
        'Redirect URI': museum.client.redirectURI,
        'Client secret': museum.client.clientSecret,
      },
    });
    expect(await login({ method: 'headless' }, means)).toMatchObject({ baseUrl: museum.url });
    expect(said).toEqual([
      'Address of the deployment: ',
      'Client id: ',
      'Redirect URI, as registered with the API key: ',
      'Client secret: ',
    ]);
  });

  it.each([
    ['museum.example', 'https://museum.example'],
    [' museum.example/api/v3 ', 'https://museum.example'],
    ['http://127.0.0.1:8700', 'http://127.0.0.1:8700'],
  ])('takes the address %j, as it is typed, for %s', async (typed, baseUrl) => {
    const { means } = await setUp({ answers: { Address: typed } });
    expect(await placeOf({}, means)).toMatchObject({ baseUrl });
  });

  it('takes what the profile knows the next time, and asks for the secret alone', async () => {
    const museum = await startGuardedMuseum();
    const { means, store, said } = await setUp({ answers: { 'Client secret': museum.client.clientSecret } });
    await login(
      { ...flagsFor(museum), profile: 'te.papa', publicPage: 'https://museum.example/{id}' },
      means,
    );
    const first = await store.get('te.papa');
    await login({ method: 'headless' }, means);
    const second = await store.get('te.papa');
    expect(second?.accessToken).not.toBe(first?.accessToken);
    expect(second).toMatchObject({
      publicPage: 'https://museum.example/{id}',
      redirectURI: first?.redirectURI,
    });
    expect(said).toEqual(['Client secret: ', 'Client secret: ']);
  });

  it('never takes the profile of another museum unless told to', async () => {
    const [one, other] = [await startGuardedMuseum(), await startGuardedMuseum()];
    const { means, store } = await setUp(SECRET);
    const nameOfOther = other.url.replace('http://', '').replace(':', '-');
    expect(await login(flagsFor(one), means)).toMatchObject({ profile: 'default' });
    expect(await login(flagsFor(other), means)).toMatchObject({ profile: nameOfOther });
    expect(await login(flagsFor(one), means)).toMatchObject({ profile: 'default' });
    expect(await store.names()).toEqual({ names: [nameOfOther, 'default'], current: 'default' });
    await login({ ...flagsFor(other), profile: 'default' }, means);
    expect(await store.get('default')).toMatchObject({ baseUrl: other.url });
  });

  it('makes a profile anew whose values cannot be right', async () => {
    const museum = await startGuardedMuseum();
    const { means, store, folder } = await setUp(SECRET);
    await writeFile(join(folder, 'profiles.json'), '{"profiles": {"a": {"scheme": "bearer"}}}');
    await login({ ...flagsFor(museum), profile: 'a' }, means);
    expect(await store.get('a')).toMatchObject({ baseUrl: museum.url });
  });

  it('remembers the form of challenge that the deployment takes', async () => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: ['S256'] } });
    const { means, store, said } = await setUp(SECRET);
    await login(flagsFor(museum), means);
    expect(await store.get('default')).toMatchObject({ challengeForm: 'S256' });
    expect(said).toEqual(['the service refused a challenge of form S256-padded; trying S256']);
    const before = museum.requests.length;
    await login(flagsFor(museum), means);
    expect(museum.requests.length - before).toBe(3);
  });

  it('goes another way where no browser fits, and says why', async () => {
    const museum = await startGuardedMuseum();
    const { method: _, ...flags } = flagsFor(museum);
    const { means, said } = await setUp({
      ...SECRET,
      environment: { ...SECRET.environment, SSH_CONNECTION: 'x' },
    });
    expect(await login(flags, means)).toMatchObject({ method: 'headless' });
    expect(said).toEqual([expect.stringMatching(/^this is an SSH session.*--method headless$/)]);
  });
});

describe('other schemes', () => {
  it('keep a basic key that works', async () => {
    const museum = await startGuardedMuseum();
    const { means, store } = await setUp({ answers: { 'Basic key': `${museum.basicKey}\n` } });
    await login({ baseUrl: museum.url, scheme: 'basic' }, means);
    expect(await store.get('default')).toMatchObject({ scheme: 'basic', basicKey: museum.basicKey });
  });

  it('find out a wrong basic key at login, and keep nothing', async () => {
    const museum = await startGuardedMuseum();
    const { means, store } = await setUp({ answers: { 'Basic key': 'wrong' } });
    await expect(login({ baseUrl: museum.url, scheme: 'basic' }, means)).rejects.toMatchObject({
      kind: 'auth',
    });
    expect(await store.get('default')).toBeUndefined();
  });

  it('need no credentials where everyone may read', async () => {
    const museum = await startGuardedMuseum({ access: 'anonymous' });
    const { means, store } = await setUp();
    await login({ baseUrl: museum.url, scheme: 'anonymous' }, means);
    expect(await store.get('default')).toEqual({ name: 'default', baseUrl: museum.url, scheme: 'anonymous' });
  });
});

describe('a login that fails keeps nothing', () => {
  const failing = async (
    museum: Museum,
    flags: Partial<LoginOptions> = {},
    change: Parameters<typeof setUp>[0] = SECRET,
  ) => {
    const bench = await setUp(change);
    const error = await login({ ...flagsFor(museum), ...flags }, bench.means).then(
      () => expect.unreachable('the login should fail'),
      (reason) => reason,
    );
    expect((await bench.store.names()).names).toEqual([]);
    const everything = `${error.stack} ${error.hint} ${bench.said}`;
    for (const secret of [museum.client.clientSecret, 'wrong-secret'])
      expect(everything).not.toContain(secret);
    return error;
  };

  it.each([
    ['a wrong secret', {}, { OPAC_CLIENT_SECRET: 'wrong-secret' }, 'secret'],
    [
      'an unregistered redirect URI',
      { redirectURI: 'http://127.0.0.1:9/other' },
      SECRET.environment,
      'redirect',
    ],
    ['an unknown client id', { clientId: 'nobody' }, SECRET.environment, 'client'],
  ])('after %s', async (_, flags, environment, about) => {
    const museum = await startGuardedMuseum();
    expect(await failing(museum, flags, { environment })).toMatchObject({ kind: 'auth', about });
  });

  it('after a code that came too late', async () => {
    const museum = await startGuardedMuseum({ oauth: { codeLifetime: 0 } });
    expect(await failing(museum)).toMatchObject({
      kind: 'auth',
      about: 'code',
      hint: expect.stringContaining('log in again'),
    });
  });

  it('after a code that was used before', async () => {
    const museum = await startGuardedMuseum();
    let first: string | undefined;
    const bench = await setUp(SECRET);
    const connect: Bench['means']['connect'] = (baseUrl, scheme) => {
      const send = bench.means.connect(baseUrl, scheme);
      return async (request) => {
        // Someone on the way was quicker: the code is used up when it arrives.
        if (request.method === 'POST') {
          first = request.body;
          await send(request);
        }
        return send(request);
      };
    };
    expect(await failing(museum, {}, { ...SECRET, connect })).toMatchObject({ kind: 'auth', about: 'code' });
    expect(first).toContain('"grantType":"code"');
  });

  it('after a sign-in page without a browser', async () => {
    const museum = await startGuardedMuseum({ oauth: { signInPage: true } });
    expect(await failing(museum)).toMatchObject({
      kind: 'auth',
      hint: expect.stringContaining('--method browser'),
    });
  });

  it('after a deployment that takes PLAIN alone, which is never tried by itself', async () => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: ['PLAIN'] } });
    expect(await failing(museum)).toMatchObject({ kind: 'auth', hint: expect.stringContaining('PLAIN') });
  });

  it('after a port that is taken', async () => {
    const museum = await startGuardedMuseum();
    const taken = createServer().listen(Number(new URL(museum.client.redirectURI).port), '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    expect(await failing(museum, { method: 'browser' })).toMatchObject({
      kind: 'auth',
      hint: expect.stringContaining('--method headless'),
    });
  });

  it('after the time is up, and after Ctrl-C', async () => {
    const museum = await startGuardedMuseum();
    expect(await failing(museum, { method: 'browser', timeout: 1 })).toMatchObject({ kind: 'auth' });
    const abort = new AbortController();
    const openBrowser = async () => abort.abort(new Error('Ctrl-C'));
    const error = await failing(
      museum,
      { method: 'browser' },
      { ...SECRET, openBrowser, signal: abort.signal },
    );
    expect(error.message).toBe('Ctrl-C');
  });

  it.each([
    ['no secret', { 'Client secret': '' }, {}, 'no client secret was given'],
    ['no address', { Address: '' }, { baseUrl: undefined }, 'no deployment is named'],
    ['plain http to another machine', {}, { baseUrl: 'http://museum.example' }, 'the base URL is plain http'],
    [
      'a redirect URI that is none',
      {},
      { redirectURI: 'callback' },
      'the redirect URI "callback" is no address',
    ],
    ['a name that is none', {}, { profile: '../x' }, '"../x" cannot name a profile'],
  ])('after %s', async (_, answers, flags, message) => {
    const museum = await startGuardedMuseum();
    const error = await failing(museum, flags, { answers });
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(message) });
    expect(museum.requests).toEqual([]);
  });
});

describe('two logins at once', () => {
  it('both keep what they got', async () => {
    const museum = await startGuardedMuseum();
    const { means, folder } = await setUp(SECRET);
    const other = await setUp({ ...SECRET, folder });
    await Promise.all([
      login({ ...flagsFor(museum), profile: 'a' }, means),
      login({ ...flagsFor(museum), profile: 'b' }, other.means),
    ]);
    expect((await means.store.names()).names).toEqual(['a', 'b']);
  });
});

describe('the client secret', () => {
  const everythingIn = async ({ folder }: Bench) => readFile(join(folder, 'profiles.json'), 'utf8');

  it('is kept nowhere unless that is asked for', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const bench = await setUp({ ...SECRET, keyring });
    await login(flagsFor(museum), bench.means);
    expect(keyring.held.size).toBe(0);
    expect(await everythingIn(bench)).not.toContain(museum.client.clientSecret);
  });

  it('is kept in the keyring, used from there, and forgotten at logout', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const bench = await setUp({ answers: { 'Client secret': museum.client.clientSecret }, keyring });
    await login({ ...flagsFor(museum), rememberSecret: true }, bench.means);
    expect([...keyring.held.values()]).toEqual([museum.client.clientSecret]);
    expect(await everythingIn(bench)).not.toContain(museum.client.clientSecret);
    await login({ method: 'headless' }, bench.means);
    expect(bench.said).toEqual(['Client secret: ']);
    expect(await logout('default', bench.means)).toEqual(['default']);
    expect(keyring.held.size).toBe(0);
  });

  it('is kept nowhere on a machine without a keyring, and that is said', async () => {
    const museum = await startGuardedMuseum();
    const bench = await setUp(SECRET);
    await login({ ...flagsFor(museum), rememberSecret: true }, bench.means);
    expect(await everythingIn(bench)).not.toContain(museum.client.clientSecret);
    expect(bench.said).toEqual([expect.stringContaining('was not kept')]);
  });

  it('is kept as plain text only when that is asked for, said out loud, and forgotten at logout', async () => {
    const museum = await startGuardedMuseum();
    const bench = await setUp(SECRET);
    await login({ ...flagsFor(museum), insecureStorage: true }, bench.means);
    expect(await everythingIn(bench)).toContain(museum.client.clientSecret);
    expect(bench.said).toEqual([expect.stringContaining('plain text')]);
    await logout(undefined, bench.means);
    expect(await everythingIn(bench)).not.toContain(museum.client.clientSecret);
  });

  it('leaves the keyring when a later login brings another secret that is not to be kept', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const bench = await setUp({ ...SECRET, keyring });
    await login({ ...flagsFor(museum), rememberSecret: true }, bench.means);
    await login(flagsFor(museum), bench.means);
    expect(keyring.held.size).toBe(0);
  });

  it('leaves the keyring with its profile', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const bench = await setUp({ ...SECRET, keyring });
    await login({ ...flagsFor(museum), rememberSecret: true }, bench.means);
    await removeProfile('default', bench.means);
    expect(keyring.held.size).toBe(0);
    expect((await bench.store.names()).names).toEqual([]);
  });
});

describe('a logout', () => {
  it('forgets every credential and nothing else', async () => {
    const museum = await startGuardedMuseum();
    const { means, store } = await setUp({ ...SECRET, answers: { 'Basic key': museum.basicKey } });
    await login({ ...flagsFor(museum), profile: 'a' }, means);
    await login({ baseUrl: museum.url, scheme: 'basic', profile: 'b' }, means);
    await store.put({ name: 'c', baseUrl: museum.url, scheme: 'anonymous' });
    expect(await logout(undefined, means)).toEqual(['a', 'b']);
    expect(await store.get('a')).toEqual({
      name: 'a',
      baseUrl: museum.url,
      scheme: 'bearer',
      clientId: museum.client.clientId,
      redirectURI: museum.client.redirectURI,
      challengeForm: 'S256-padded',
    });
    expect(await store.get('b')).toEqual({ name: 'b', baseUrl: museum.url, scheme: 'basic' });
    expect(await logout('a', means)).toEqual([]);
  });
});
