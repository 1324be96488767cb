import { once } from 'node:events';
import { type ClientRequestArgs, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthorization } from '../../../src/auth/flow/authorization.js';
import { parseLoopbackRedirect } from '../../../src/auth/flow/redirect-uri.js';
import { requestCodeInBrowser } from '../../../src/auth/login/browser.js';
import { findFreePort } from '../login-setup.js';

async function get(url: string, options: ClientRequestArgs = {}) {
  const sent = request(url, { agent: false, ...options }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const isListening = (port: number, host = '127.0.0.1') =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const WAITING = 'waiting for the browser; press Ctrl-C to cancel';

interface BrowserChanges {
  readonly redirectURI?: (port: number) => string;
  readonly timeout?: number;
  readonly openBrowser?: (url: string) => Promise<void>;
  /** Resolves when the login waits for the callback. Default: when the browser opens. */
  readonly ready?: Promise<void>;
}

/** Starts a login and waits until it opens the browser. */
async function startLogin({ redirectURI, ready, ...rest }: BrowserChanges = {}) {
  const port = await findFreePort();
  const registered = redirectURI?.(port) ?? `http://127.0.0.1:${port}/callback`;
  const authorization = createAuthorization({ clientId: 'id', redirectURI: registered }, 'S256-padded');
  const notices: string[] = [];
  const events: string[] = [];
  const abort = new AbortController();
  let opened: (url: string) => void;
  const browser = new Promise<string>((resolve) => {
    opened = resolve;
  });
  const code = requestCodeInBrowser({
    baseUrl: 'https://museum.example',
    announce: (url) => events.push(`announce ${url}`),
    openBrowser: async (url) => {
      events.push(`open ${url}`);
      opened(url);
    },
    note: (message) => notices.push(message),
    timeout: 60_000,
    signal: abort.signal,
    ...rest,
  })(authorization);
  code.catch(() => undefined);
  onTestFinished(() => abort.abort());
  await Promise.race([ready ?? browser, code.catch(() => undefined)]);
  const callback = (query: string, path = '/callback') => `http://127.0.0.1:${port}${path}${query}`;
  const validQuery = `?state=${authorization.state}&code=the-code`;
  return { authorization, code, notices, events, abort, port, callback, validQuery };
}

describe('requestCodeInBrowser', () => {
  it('prints the authorization URL before it opens the browser', async () => {
    const { events, authorization } = await startLogin({});
    expect(events.map((event) => event.split(' ')[0])).toEqual(['announce', 'open']);
    const url = new URL(String(events[1]?.split(' ')[1]));
    expect(url.origin + url.pathname).toBe('https://museum.example/api/v3/oauth/authorize');
    expect([...url.searchParams]).toEqual(authorization.request.query);
  });

  it('returns the code, shows a page without links or secrets, and closes its port', async () => {
    const { code, callback, validQuery, port, authorization } = await startLogin();
    const page = await get(callback(validQuery));
    expect(page.status).toBe(200);
    expect(page.body).toContain('You can close this window');
    // The namespace is only a name: browsers do not load it.
    const body = page.body.replace('xmlns="http://www.w3.org/1999/xhtml"', '');
    expect(body).not.toMatch(/https?:|src=|the-code/);
    expect(page.body).not.toContain(authorization.state);
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /default-src 'none';.* base-uri 'none'; form-action 'none'/,
      ),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(await code).toBe('the-code');
    expect(await isListening(port)).toBe(false);
  });

  it('accepts only the first callback', async () => {
    const { code, callback, validQuery } = await startLogin();
    const [first, second] = await Promise.allSettled([
      get(callback(validQuery)),
      get(callback(validQuery.replace('the-code', 'other'))),
    ]);
    expect(await code).toBe('the-code');
    expect(first).toMatchObject({ value: { status: 200 } });
    expect(second.status === 'rejected' || second.value.status === 404).toBe(true);
  });

  it('closes idle connections of the browser after the callback', async () => {
    const { code, callback, validQuery, port } = await startLogin();
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await get(callback(validQuery));
    await code;
    await ended;
  });

  it.each([
    ['another path', (validQuery: string) => ({ path: `/other${validQuery}` }), 404],
    ['a path below', (validQuery: string) => ({ path: `/callback/more${validQuery}` }), 404],
    ['POST', () => ({ method: 'POST' }), 405],
    ['HEAD', () => ({ method: 'HEAD' }), 405],
    ['another host in Host', () => ({ headers: { host: 'rebound.example' } }), 421],
    ['another port in Host', () => ({ headers: { host: '127.0.0.1:1' } }), 421],
    [
      'another state',
      (validQuery: string) => ({ path: `/callback${validQuery.replace('state=', 'state=x')}` }),
      400,
    ],
    ['no state', () => ({ path: '/callback?code=the-code' }), 400],
    ['no code', (validQuery: string) => ({ path: `/callback${validQuery.replace(/&.*/, '')}` }), 400],
    ['two codes', (validQuery: string) => ({ path: `/callback${validQuery}&code=more` }), 400],
    ['an error without state', () => ({ path: '/callback?error=access_denied' }), 400],
  ])('responds with an error to %s, and continues to wait', async (_, change, status) => {
    const { code, callback, validQuery } = await startLogin();
    const response = await get(callback(validQuery), change(validQuery));
    expect(response.status).toBe(status);
    expect(response.headers.allow).toBe(status === 405 ? 'GET' : undefined);
    expect(response.body).not.toMatch(/the-code|rebound|access_denied/);
    await get(callback(validQuery));
    expect(await code).toBe('the-code');
  });

  it('prints only one note about ignored callbacks with a wrong state', async () => {
    const { code, callback, validQuery, notices } = await startLogin();
    await get(callback('?state=foreign&code=1'));
    await get(callback('?state=foreign&code=2'));
    await get(callback(validQuery));
    await code;
    expect(notices).toEqual([WAITING, 'ignoring a callback with a wrong state; still waiting']);
  });

  it('throws the error description of the callback, and closes its port', async () => {
    const { code, callback, authorization, port } = await startLogin();
    const page = await get(
      callback(`?state=${authorization.state}&error=access_denied&error_description=not+you`),
    );
    expect(page.status).toBe(400);
    await expect(code).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('"not you"') });
    expect(await isListening(port)).toBe(false);
  });

  it('accepts an additional slash at the end of the path', async () => {
    const { code, callback, validQuery } = await startLogin();
    await get(callback(validQuery, '/callback/'));
    expect(await code).toBe('the-code');
  });

  it('accepts the callback for localhost on 127.0.0.1, or on ::1 if it listens there', async () => {
    const { code, port, validQuery } = await startLogin({ redirectURI: (at) => `http://localhost:${at}/` });
    expect(await isListening(port, '127.0.0.1')).toBe(true);
    const host = (await isListening(port, '::1')) ? '[::1]' : '127.0.0.1';
    await get(`http://${host}:${port}/${validQuery}`, { headers: { host: `LOCALHOST:${port}` } });
    expect(await code).toBe('the-code');
    expect(await isListening(port, '::1')).toBe(false);
    expect(await isListening(port, '127.0.0.1')).toBe(false);
  });
});

describe('requestCodeInBrowser without a callback', () => {
  it('throws an error with a hint after the timeout, and closes its port', async () => {
    const { code, port } = await startLogin({ timeout: 1 });
    await expect(code).rejects.toMatchObject({
      kind: 'auth',
      message: 'timed out: no redirect from the browser within 0.001 s',
      hint: expect.stringContaining('--method headless'),
    });
    expect(await isListening(port)).toBe(false);
  });

  it('throws the reason of the signal, and closes its port', async () => {
    const { code, port, abort } = await startLogin();
    abort.abort(new Error('interrupted'));
    await expect(code).rejects.toThrow('interrupted');
    expect(await isListening(port)).toBe(false);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'suggests other methods if another program uses its port on %s',
    async (host) => {
      const otherServer = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => {
        otherServer.close();
      });
      await once(otherServer, 'listening');
      const { port } = otherServer.address() as AddressInfo;
      const { code, events } = await startLogin({ redirectURI: () => `http://${host}:${port}/callback` });
      await expect(code).rejects.toMatchObject({
        message: `cannot listen on port ${port} of 127.0.0.1: another program is using the port`,
        hint: 'free the port, or log in with "opac login --method headless" or "--method paste"',
      });
      expect(events).toEqual([]);
    },
  );

  it.each([
    'https://app.museum.example/callback',
    'https://127.0.0.1:8765/',
    'http://127.0.0.1:0/',
    'app:back',
  ])('refuses a redirect URI that does not lead to a port of this machine: %s', async (redirectURI) => {
    const { code, events } = await startLogin({ redirectURI: () => redirectURI });
    await expect(code).rejects.toMatchObject({
      kind: 'usage',
      message: `--method browser needs a redirect URI of the form http://127.0.0.1:<port>/…, not "${redirectURI}"`,
      hint: 'log in with "opac login --method headless" or "--method paste"',
    });
    expect(events).toEqual([]);
  });

  it('asks the user to open the URL if no browser opens, and continues to wait', async () => {
    let reportFailure = () => {};
    const browserFailed = new Promise<void>((resolve) => {
      reportFailure = resolve;
    });
    const openBrowser = () => Promise.reject(new Error('no browser')).finally(reportFailure);
    const { code, callback, validQuery, notices } = await startLogin({ openBrowser, ready: browserFailed });
    await get(callback(validQuery));
    expect(await code).toBe('the-code');
    expect(notices).toEqual([
      WAITING,
      'cannot open a browser; open the URL above in a browser, or log in with "opac login --method headless" or "--method paste"',
    ]);
  });
});

describe('parseLoopbackRedirect', () => {
  it.each([
    ['http://127.0.0.1:8765/callback', ['127.0.0.1'], 8765],
    ['http://127.9.9.9:8765', ['127.9.9.9'], 8765],
    ['http://LOCALHOST/callback', ['127.0.0.1', '::1'], 80],
    ['http://[::1]:8765/', ['::1'], 8765],
    ['http://2130706433:1/', ['127.0.0.1'], 1],
  ])('returns for %s the addresses %j and the port %i', (uri, addresses, port) => {
    expect(parseLoopbackRedirect(uri)).toMatchObject({ addresses, port });
  });

  it.each([
    'http://0.0.0.0:1/',
    'http://192.168.1.1:1/',
    'http://localhost.evil.example:1/',
    'http://[::]:1/',
  ])('returns undefined for an address that is not a loopback address: %s', (uri) => {
    expect(parseLoopbackRedirect(uri)).toBeUndefined();
  });

  it.each(['', 'callback', '127.0.0.1:8765', 'http://localhost/#fragment'])(
    'throws an error for an invalid redirect URI: %j',
    (uri) => {
      expect(() => parseLoopbackRedirect(uri)).toThrow(expect.objectContaining({ kind: 'usage' }));
    },
  );
});
