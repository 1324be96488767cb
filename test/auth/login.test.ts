import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHALLENGE_FORMS } from '../../src/auth/flow/pkce.js';
import type { LoginOptions } from '../../src/auth/login/login-context.js';
import { resolveLoginTarget } from '../../src/auth/login/login-target.js';
import { login } from '../../src/auth/login.js';
import { logout, removeProfile } from '../../src/auth/logout.js';
import type { Museum } from '../../src/mock/index.js';
import { type LoginSetup, memoryKeyring, setUpLogin, startGuardedMuseum } from './login-setup.js';

const optionsFor = (museum: Museum): LoginOptions => ({
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
    const { dependencies, store, folder, messages } = await setUpLogin(SECRET);
    const result = await login({ ...optionsFor(museum), challengeForm }, dependencies);
    expect(messages).toEqual([]);
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
    const { dependencies, store, messages } = await setUpLogin({
      ...SECRET,
      openBrowser: async (url) => {
        closing = visit(url);
      },
    });
    const result = await login({ ...optionsFor(museum), method: 'browser' }, dependencies);
    expect(await closing).toMatchObject({
      status: 200,
      text: expect.stringContaining('You can close this window'),
    });
    expect(messages).toEqual([
      expect.stringContaining(`${museum.url}/api/v3/oauth/authorize?`),
      'waiting for the browser; press Ctrl-C to cancel',
    ]);
    expect(await store.get(result.profile)).toMatchObject({ accessToken: expect.any(String) });
  });

  it('in the browser never puts a verifier on a command line: a PLAIN challenge is for the person to open', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin({
      ...SECRET,
      announce: (url) => void visit(url),
    });
    await login({ ...optionsFor(museum), method: 'browser', challengeForm: 'PLAIN' }, setup.dependencies);
    expect(setup.opened).toEqual([]);
    expect(setup.messages).toEqual([
      'with PLAIN, the URL below contains the code verifier; keep it secret',
      'waiting for the browser; press Ctrl-C to cancel',
      'the challenge is PLAIN, so opac opens no browser; open the URL above in a browser',
    ]);
  });

  it('by pasting works through a sign-in page and with a redirect URI of another machine', async () => {
    const redirectURI = 'https://app.museum.example/done';
    const client = {
      clientId: 'museum-client',
      clientSecret: 'museum-client-secret',
      redirectURIs: [redirectURI],
    };
    const museum = await startGuardedMuseum({ oauth: { clients: [client], signInPage: true } });
    const setup = await setUpLogin(SECRET);
    const line = async () => {
      const page = await visit(String(setup.messages.at(-1)));
      return page.text.match(/href="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&');
    };
    const prompt = { ...setup.dependencies.prompt, lineFromTerminalOrPipe: line };
    const result = await login({ ...optionsFor(museum), method: 'paste' }, { ...setup.dependencies, prompt });
    expect(result.method).toBe('paste');
  });

  it('asks for what no one said, the secret without echo', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, messages } = await setUpLogin({
      answers: {
        URL: `${museum.url}/api/v3/`,
        'Client id': ` ${museum.client.clientId} `,
        'Redirect URI': museum.client.redirectURI,
        'Client secret': museum.client.clientSecret,
      },
    });
    expect(await login({ method: 'headless' }, dependencies)).toMatchObject({ baseUrl: museum.url });
    expect(messages).toEqual([
      'URL of the deployment: ',
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
    const { dependencies } = await setUpLogin({ answers: { URL: typed } });
    expect(await resolveLoginTarget({}, dependencies)).toMatchObject({ baseUrl });
  });

  it('takes what the profile knows the next time, and asks for the secret alone', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store, messages } = await setUpLogin({
      answers: { 'Client secret': museum.client.clientSecret },
    });
    await login(
      { ...optionsFor(museum), profile: 'te.papa', publicPage: 'https://museum.example/{id}' },
      dependencies,
    );
    const first = await store.get('te.papa');
    await login({ method: 'headless' }, dependencies);
    const second = await store.get('te.papa');
    expect(second?.accessToken).not.toBe(first?.accessToken);
    expect(second).toMatchObject({
      publicPage: 'https://museum.example/{id}',
      redirectURI: first?.redirectURI,
    });
    expect(messages).toEqual(['Client secret: ', 'Client secret: ']);
  });

  it('never takes the profile of another museum unless told to', async () => {
    const [one, other] = [await startGuardedMuseum(), await startGuardedMuseum()];
    const { dependencies, store } = await setUpLogin(SECRET);
    const nameOfOther = other.url.replace('http://', '').replace(':', '-');
    expect(await login(optionsFor(one), dependencies)).toMatchObject({ profile: 'default' });
    expect(await login(optionsFor(other), dependencies)).toMatchObject({ profile: nameOfOther });
    expect(await login(optionsFor(one), dependencies)).toMatchObject({ profile: 'default' });
    expect(await store.listNames()).toEqual({ names: [nameOfOther, 'default'], current: 'default' });
    await login({ ...optionsFor(other), profile: 'default' }, dependencies);
    expect(await store.get('default')).toMatchObject({ baseUrl: other.url });
  });

  it('uses the URL of the profile instead of OPAC_BASE_URL', async () => {
    const [museum, other] = [await startGuardedMuseum(), await startGuardedMuseum()];
    const { dependencies, store } = await setUpLogin(SECRET);
    await login({ ...optionsFor(museum), profile: 'museum' }, dependencies);
    const environment = { ...dependencies.environment, OPAC_BASE_URL: other.url };
    const again = { ...optionsFor(museum), baseUrl: undefined, profile: 'museum' };
    const result = await login(again, { ...dependencies, environment });
    expect(result.baseUrl).toBe(museum.url);
    expect((await store.get('museum'))?.baseUrl).toBe(museum.url);
    expect(other.requests).toEqual([]);
  });

  it('makes a profile anew whose values cannot be right', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store, folder } = await setUpLogin(SECRET);
    await writeFile(join(folder, 'profiles.json'), '{"profiles": {"a": {"scheme": "bearer"}}}', {
      mode: 0o600,
    });
    await login({ ...optionsFor(museum), profile: 'a' }, dependencies);
    expect(await store.get('a')).toMatchObject({ baseUrl: museum.url });
  });

  it('remembers the form of challenge that the deployment takes', async () => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: ['S256'] } });
    const { dependencies, store, messages } = await setUpLogin(SECRET);
    await login(optionsFor(museum), dependencies);
    expect(await store.get('default')).toMatchObject({ challengeForm: 'S256' });
    expect(messages).toEqual(['the service refused the S256-padded challenge; trying S256']);
    const before = museum.requests.length;
    await login(optionsFor(museum), dependencies);
    expect(museum.requests.length - before).toBe(3);
  });

  it('goes another way where no browser fits, and says why', async () => {
    const museum = await startGuardedMuseum();
    const { method: _, ...flags } = optionsFor(museum);
    const { dependencies, messages } = await setUpLogin({
      ...SECRET,
      environment: { ...SECRET.environment, SSH_CONNECTION: 'x' },
    });
    expect(await login(flags, dependencies)).toMatchObject({ method: 'headless' });
    expect(messages).toEqual([expect.stringMatching(/^this is an SSH session.*--method headless$/)]);
  });
});

describe('other schemes', () => {
  it('keep a basic key that works', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store } = await setUpLogin({
      answers: { 'Basic key': `${museum.basicKey}\n` },
    });
    await login({ baseUrl: museum.url, scheme: 'basic' }, dependencies);
    expect(await store.get('default')).toMatchObject({ scheme: 'basic', basicKey: museum.basicKey });
  });

  it('find out a wrong basic key at login, and keep nothing', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store } = await setUpLogin({ answers: { 'Basic key': 'wrong' } });
    await expect(login({ baseUrl: museum.url, scheme: 'basic' }, dependencies)).rejects.toMatchObject({
      kind: 'auth',
      hint: 'check the basic key, and ask the operator of the service to enable it',
    });
    expect(await store.get('default')).toBeUndefined();
  });

  it('need no credentials where everyone may read', async () => {
    const museum = await startGuardedMuseum({ access: 'anonymous' });
    const { dependencies, store } = await setUpLogin();
    await login({ baseUrl: museum.url, scheme: 'anonymous' }, dependencies);
    expect(await store.get('default')).toEqual({ name: 'default', baseUrl: museum.url, scheme: 'anonymous' });
  });
});

describe('a login that fails keeps nothing', () => {
  const failing = async (
    museum: Museum,
    flags: Partial<LoginOptions> = {},
    change: Parameters<typeof setUpLogin>[0] = SECRET,
  ) => {
    const setup = await setUpLogin(change);
    const error = await login({ ...optionsFor(museum), ...flags }, setup.dependencies).then(
      () => expect.unreachable('the login should fail'),
      (reason) => reason,
    );
    expect((await setup.store.listNames()).names).toEqual([]);
    const everything = `${error.stack} ${error.hint} ${setup.messages}`;
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
  ])('after %s', async (_, flags, environment, category) => {
    const museum = await startGuardedMuseum();
    expect(await failing(museum, flags, { environment })).toMatchObject({ kind: 'auth', category });
  });

  it('after a code that came too late', async () => {
    const museum = await startGuardedMuseum({ oauth: { codeLifetime: 0 } });
    expect(await failing(museum)).toMatchObject({
      kind: 'auth',
      category: 'code',
      hint: expect.stringContaining('log in again'),
    });
  });

  it('after a code that was used before', async () => {
    const museum = await startGuardedMuseum();
    let first: string | undefined;
    const setup = await setUpLogin(SECRET);
    const connect: LoginSetup['dependencies']['connect'] = (baseUrl, scheme) => {
      const send = setup.dependencies.connect(baseUrl, scheme);
      return async (request) => {
        // Someone on the way was quicker: the code is used up when it arrives.
        if (request.method === 'POST') {
          first = request.body;
          await send(request);
        }
        return send(request);
      };
    };
    expect(await failing(museum, {}, { ...SECRET, connect })).toMatchObject({
      kind: 'auth',
      category: 'code',
    });
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
    [
      'no secret',
      { 'Client secret': ' ' },
      {},
      'no client secret given',
      'set it with OPAC_CLIENT_SECRET or standard input',
    ],
    [
      'no client id',
      { 'Client id': '' },
      { clientId: undefined },
      'no client id given',
      'set it with --client-id or OPAC_CLIENT_ID; if the deployment needs no credentials, use --anonymous',
    ],
    [
      'no redirect URI',
      { 'Redirect URI': '' },
      { redirectURI: undefined },
      'no redirect URI given',
      'set it with --redirect-uri or OPAC_REDIRECT_URI',
    ],
    [
      'no key',
      { 'Basic key': '' },
      { scheme: 'basic' },
      'no basic key given',
      'type it, or pass it on standard input',
    ],
    [
      'a key that cannot be sent',
      { 'Basic key': 'a b' },
      { scheme: 'basic' },
      'the basic key contains characters that a header cannot contain',
      'copy it again, without spaces and line breaks',
    ],
    [
      'no address',
      { URL: '' },
      { baseUrl: undefined },
      'no deployment given',
      'set it with --base-url, or try --mock',
    ],
    [
      'plain http to another machine',
      {},
      { baseUrl: 'http://museum.example' },
      expect.stringContaining('the base URL is plain http'),
      expect.stringContaining('--allow-http'),
    ],
    [
      'a redirect URI that is none',
      {},
      { redirectURI: 'callback' },
      'invalid redirect URI "callback"',
      'use the redirect URI that is registered with the API key, for example http://127.0.0.1:8765/callback',
    ],
    [
      'a redirect URI with a fragment',
      {},
      { redirectURI: 'http://127.0.0.1/#x' },
      'invalid redirect URI "http://127.0.0.1/#x": it has a fragment',
      'use the redirect URI that is registered with the API key, for example http://127.0.0.1:8765/callback',
    ],
    ['a name that is none', {}, { profile: '../x' }, 'invalid profile name "../x"', expect.any(String)],
  ] as const)('after %s', async (_, answers, flags, message, hint) => {
    const museum = await startGuardedMuseum();
    const error = await failing(museum, flags as Partial<LoginOptions>, { answers });
    expect(error).toMatchObject({ kind: 'usage', message, hint });
    expect(museum.requests).toEqual([]);
  });
});

describe('two logins at once', () => {
  it('both keep what they got', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, folder } = await setUpLogin(SECRET);
    const other = await setUpLogin({ ...SECRET, folder });
    await Promise.all([
      login({ ...optionsFor(museum), profile: 'a' }, dependencies),
      login({ ...optionsFor(museum), profile: 'b' }, other.dependencies),
    ]);
    expect((await dependencies.store.listNames()).names).toEqual(['a', 'b']);
  });
});

describe('the client secret', () => {
  const everythingIn = async ({ folder }: LoginSetup) => readFile(join(folder, 'profiles.json'), 'utf8');

  it('is kept nowhere unless that is asked for', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login(optionsFor(museum), setup.dependencies);
    expect(keyring.held.size).toBe(0);
    expect(await everythingIn(setup)).not.toContain(museum.client.clientSecret);
  });

  it('is kept in the keyring, used from there, and forgotten at logout', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const setup = await setUpLogin({ answers: { 'Client secret': museum.client.clientSecret }, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    expect([...keyring.held.values()]).toEqual([museum.client.clientSecret]);
    expect(await everythingIn(setup)).not.toContain(museum.client.clientSecret);
    await login({ method: 'headless' }, setup.dependencies);
    expect(setup.messages).toEqual(['Client secret: ']);
    expect(await logout('default', setup.dependencies)).toMatchObject([{ name: 'default' }]);
    expect(keyring.held.size).toBe(0);
  });

  it('is kept nowhere on a machine without a keyring, and that is said', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    expect(await everythingIn(setup)).not.toContain(museum.client.clientSecret);
    expect(setup.messages).toEqual([expect.stringContaining('was not saved')]);
  });

  it('is kept as plain text only when that is asked for, said out loud, and forgotten at logout', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    await login({ ...optionsFor(museum), insecureStorage: true }, setup.dependencies);
    expect(await everythingIn(setup)).toContain(museum.client.clientSecret);
    expect(setup.messages).toEqual([expect.stringContaining('plain text')]);
    await logout(undefined, setup.dependencies);
    expect(await everythingIn(setup)).not.toContain(museum.client.clientSecret);
  });

  it('leaves the keyring when a later login brings another secret that is not to be kept', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    await login(optionsFor(museum), setup.dependencies);
    expect(keyring.held.size).toBe(0);
  });

  it('leaves the keyring with its profile', async () => {
    const museum = await startGuardedMuseum();
    const keyring = memoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    await removeProfile('default', setup.dependencies);
    expect(keyring.held.size).toBe(0);
    expect((await setup.store.listNames()).names).toEqual([]);
  });
});

describe('a logout', () => {
  it('forgets every credential and nothing else', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store } = await setUpLogin({
      ...SECRET,
      answers: { 'Basic key': museum.basicKey },
    });
    await login({ ...optionsFor(museum), profile: 'a' }, dependencies);
    await login({ baseUrl: museum.url, scheme: 'basic', profile: 'b' }, dependencies);
    await store.save({ name: 'c', baseUrl: museum.url, scheme: 'anonymous' });
    expect(await logout(undefined, dependencies)).toMatchObject([{ name: 'a' }, { name: 'b' }]);
    expect(await store.get('a')).toEqual({
      name: 'a',
      baseUrl: museum.url,
      scheme: 'bearer',
      clientId: museum.client.clientId,
      redirectURI: museum.client.redirectURI,
      challengeForm: 'S256-padded',
    });
    expect(await store.get('b')).toEqual({ name: 'b', baseUrl: museum.url, scheme: 'basic' });
    expect(await logout('a', dependencies)).toEqual([]);
  });
});
