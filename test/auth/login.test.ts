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
import { createMemoryKeyring, type LoginSetup, setUpLogin, startGuardedMuseum } from './login-setup.js';

const optionsFor = (museum: Museum): LoginOptions => ({
  baseUrl: museum.url,
  clientId: museum.client.clientId,
  redirectURI: museum.client.redirectURI,
  method: 'headless',
});
const SECRET = { environment: { OPAC_CLIENT_SECRET: 'museum-client-secret' } };

/** Requests a URL as a browser does, and follows redirects. */
const visit = async (url: string) => {
  const page = await fetch(url);
  return { status: page.status, text: await page.text() };
};

const listRequests = (museum: Museum) =>
  museum.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

describe('login', () => {
  it.each(CHALLENGE_FORMS)('saves a working token without a browser (%s)', async (challengeForm) => {
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
    expect(listRequests(museum)).toEqual([
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

  it('completes a login in the browser, and shows the final page', async () => {
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

  it('opens no browser with a PLAIN challenge, and asks the user to open the URL', async () => {
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

  it('works by paste with a sign-in page and a redirect URI of another machine', async () => {
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

  it('asks for the URL, client id, redirect URI and client secret if they are not given', async () => {
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
  ])('reads the typed URL %j as %s', async (typed, baseUrl) => {
    const { dependencies } = await setUpLogin({ answers: { URL: typed } });
    expect(await resolveLoginTarget({}, dependencies)).toMatchObject({ baseUrl });
  });

  it('reads all other values from the profile, and asks only for the client secret', async () => {
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

  it('replaces the profile of another museum only if an option names it', async () => {
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

  it('replaces a profile with invalid values', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store, folder } = await setUpLogin(SECRET);
    await writeFile(join(folder, 'profiles.json'), '{"profiles": {"a": {"scheme": "bearer"}}}', {
      mode: 0o600,
    });
    await login({ ...optionsFor(museum), profile: 'a' }, dependencies);
    expect(await store.get('a')).toMatchObject({ baseUrl: museum.url });
  });

  it('saves the form of challenge that the deployment accepts', async () => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: ['S256'] } });
    const { dependencies, store, messages } = await setUpLogin(SECRET);
    await login(optionsFor(museum), dependencies);
    expect(await store.get('default')).toMatchObject({ challengeForm: 'S256' });
    expect(messages).toEqual(['the service refused the S256-padded challenge; trying S256']);
    const before = museum.requests.length;
    await login(optionsFor(museum), dependencies);
    expect(museum.requests.length - before).toBe(3);
  });

  it('uses another method in an SSH session, and prints the reason', async () => {
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

describe('login with other schemes', () => {
  it('saves a working basic key', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store } = await setUpLogin({
      answers: { 'Basic key': `${museum.basicKey}\n` },
    });
    await login({ baseUrl: museum.url, scheme: 'basic' }, dependencies);
    expect(await store.get('default')).toMatchObject({ scheme: 'basic', basicKey: museum.basicKey });
  });

  it('refuses a wrong basic key, and saves nothing', async () => {
    const museum = await startGuardedMuseum();
    const { dependencies, store } = await setUpLogin({ answers: { 'Basic key': 'wrong' } });
    await expect(login({ baseUrl: museum.url, scheme: 'basic' }, dependencies)).rejects.toMatchObject({
      kind: 'auth',
      hint: 'check the basic key, and ask the operator of the service to enable it',
    });
    expect(await store.get('default')).toBeUndefined();
  });

  it('saves an anonymous profile without credentials', async () => {
    const museum = await startGuardedMuseum({ access: 'anonymous' });
    const { dependencies, store } = await setUpLogin();
    await login({ baseUrl: museum.url, scheme: 'anonymous' }, dependencies);
    expect(await store.get('default')).toEqual({ name: 'default', baseUrl: museum.url, scheme: 'anonymous' });
  });
});

describe('a failed login', () => {
  const failToLogIn = async (
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
    const output = `${error.stack} ${error.hint} ${setup.messages}`;
    for (const secret of [museum.client.clientSecret, 'wrong-secret']) expect(output).not.toContain(secret);
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
  ])('saves nothing, and reports the cause, after %s', async (_, flags, environment, category) => {
    const museum = await startGuardedMuseum();
    expect(await failToLogIn(museum, flags, { environment })).toMatchObject({ kind: 'auth', category });
  });

  it('saves nothing after an expired code', async () => {
    const museum = await startGuardedMuseum({ oauth: { codeLifetime: 0 } });
    expect(await failToLogIn(museum)).toMatchObject({
      kind: 'auth',
      category: 'code',
      hint: expect.stringContaining('log in again'),
    });
  });

  it('saves nothing after a code that was already used', async () => {
    const museum = await startGuardedMuseum();
    let first: string | undefined;
    const setup = await setUpLogin(SECRET);
    const connect: LoginSetup['dependencies']['connect'] = (baseUrl, scheme) => {
      const send = setup.dependencies.connect(baseUrl, scheme);
      return async (request) => {
        // The code is already used when the request arrives, as if an attacker had intercepted it.
        if (request.method === 'POST') {
          first = request.body;
          await send(request);
        }
        return send(request);
      };
    };
    expect(await failToLogIn(museum, {}, { ...SECRET, connect })).toMatchObject({
      kind: 'auth',
      category: 'code',
    });
    expect(first).toContain('"grantType":"code"');
  });

  it('saves nothing, and suggests the browser, after a sign-in page', async () => {
    const museum = await startGuardedMuseum({ oauth: { signInPage: true } });
    expect(await failToLogIn(museum)).toMatchObject({
      kind: 'auth',
      hint: expect.stringContaining('--method browser'),
    });
  });

  it('saves nothing, and mentions PLAIN, if the deployment accepts only PLAIN', async () => {
    const museum = await startGuardedMuseum({ oauth: { challengeForms: ['PLAIN'] } });
    expect(await failToLogIn(museum)).toMatchObject({ kind: 'auth', hint: expect.stringContaining('PLAIN') });
  });

  it('saves nothing, and suggests another method, if another program uses the port', async () => {
    const museum = await startGuardedMuseum();
    const otherServer = createServer().listen(Number(new URL(museum.client.redirectURI).port), '127.0.0.1');
    await once(otherServer, 'listening');
    onTestFinished(() => void otherServer.close());
    expect(await failToLogIn(museum, { method: 'browser' })).toMatchObject({
      kind: 'auth',
      hint: expect.stringContaining('--method headless'),
    });
  });

  it('saves nothing after the timeout, and after Ctrl-C', async () => {
    const museum = await startGuardedMuseum();
    expect(await failToLogIn(museum, { method: 'browser', timeout: 1 })).toMatchObject({ kind: 'auth' });
    const abort = new AbortController();
    const openBrowser = async () => abort.abort(new Error('Ctrl-C'));
    const error = await failToLogIn(
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
      'no basic key',
      { 'Basic key': '' },
      { scheme: 'basic' },
      'no basic key given',
      'type it, or pass it on standard input',
    ],
    [
      'a basic key that a header cannot contain',
      { 'Basic key': 'a b' },
      { scheme: 'basic' },
      'the basic key contains characters that a header cannot contain',
      'copy it again, without spaces and line breaks',
    ],
    [
      'no base URL',
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
      'an invalid redirect URI',
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
    ['an invalid profile name', {}, { profile: '../x' }, 'invalid profile name "../x"', expect.any(String)],
  ] as const)('saves nothing, and sends no request, with %s', async (_, answers, flags, message, hint) => {
    const museum = await startGuardedMuseum();
    const error = await failToLogIn(museum, flags as Partial<LoginOptions>, { answers });
    expect(error).toMatchObject({ kind: 'usage', message, hint });
    expect(museum.requests).toEqual([]);
  });
});

describe('two parallel logins', () => {
  it('save both profiles', async () => {
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
  const readProfiles = async ({ folder }: LoginSetup) => readFile(join(folder, 'profiles.json'), 'utf8');

  it('is not saved by default', async () => {
    const museum = await startGuardedMuseum();
    const keyring = createMemoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login(optionsFor(museum), setup.dependencies);
    expect(keyring.secrets.size).toBe(0);
    expect(await readProfiles(setup)).not.toContain(museum.client.clientSecret);
  });

  it('is saved in the keyring, read from there, and removed by logout', async () => {
    const museum = await startGuardedMuseum();
    const keyring = createMemoryKeyring();
    const setup = await setUpLogin({ answers: { 'Client secret': museum.client.clientSecret }, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    expect([...keyring.secrets.values()]).toEqual([museum.client.clientSecret]);
    expect(await readProfiles(setup)).not.toContain(museum.client.clientSecret);
    await login({ method: 'headless' }, setup.dependencies);
    expect(setup.messages).toEqual(['Client secret: ']);
    expect(await logout('default', setup.dependencies)).toMatchObject([{ name: 'default' }]);
    expect(keyring.secrets.size).toBe(0);
  });

  it('is not saved without a keyring, with a note', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    expect(await readProfiles(setup)).not.toContain(museum.client.clientSecret);
    expect(setup.messages).toEqual([expect.stringContaining('was not saved')]);
  });

  it('is saved as plain text with insecureStorage, with a note, and removed by logout', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    await login({ ...optionsFor(museum), insecureStorage: true }, setup.dependencies);
    expect(await readProfiles(setup)).toContain(museum.client.clientSecret);
    expect(setup.messages).toEqual([expect.stringContaining('plain text')]);
    await logout(undefined, setup.dependencies);
    expect(await readProfiles(setup)).not.toContain(museum.client.clientSecret);
  });

  it('is removed from the keyring by a later login without rememberSecret', async () => {
    const museum = await startGuardedMuseum();
    const keyring = createMemoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    await login(optionsFor(museum), setup.dependencies);
    expect(keyring.secrets.size).toBe(0);
  });

  it('is removed from the keyring together with its profile', async () => {
    const museum = await startGuardedMuseum();
    const keyring = createMemoryKeyring();
    const setup = await setUpLogin({ ...SECRET, keyring });
    await login({ ...optionsFor(museum), rememberSecret: true }, setup.dependencies);
    await removeProfile('default', setup.dependencies);
    expect(keyring.secrets.size).toBe(0);
    expect((await setup.store.listNames()).names).toEqual([]);
  });
});

describe('logout', () => {
  it('removes all credentials, and nothing else', async () => {
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
