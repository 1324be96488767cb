import { once } from 'node:events';
import { type ClientRequestArgs, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthorization } from '../../../src/auth/flow/authorization.js';
import { parseLoopbackRedirect } from '../../../src/auth/flow/redirect-uri.js';
import { requestCodeInBrowser } from '../../../src/auth/login/browser.js';
import { freePort } from '../login-setup.js';

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
  /** When the login waits, if that is not when the browser opens. */
  readonly ready?: Promise<void>;
}

/** Begins a login and waits until the browser would open. */
async function begin({ redirectURI, ready, ...rest }: BrowserChanges = {}) {
  const port = await freePort();
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
  const right = `?state=${authorization.state}&code=the-code`;
  return { authorization, code, notices, events, abort, port, callback, right };
}

describe('the listener of a login in the browser', () => {
  it('is up before the browser opens, and the address is shown before that', async () => {
    const { events, authorization } = await begin({});
    expect(events.map((event) => event.split(' ')[0])).toEqual(['announce', 'open']);
    const url = new URL(String(events[1]?.split(' ')[1]));
    expect(url.origin + url.pathname).toBe('https://museum.example/api/v3/oauth/authorize');
    expect([...url.searchParams]).toEqual(authorization.request.query);
  });

  it('takes the code, shows a page that loads nothing and repeats nothing, and is gone', async () => {
    const { code, callback, right, port, authorization } = await begin();
    const page = await get(callback(right));
    expect(page.status).toBe(200);
    expect(page.body).toContain('You can close this window');
    // The namespace is a name, and nothing is loaded from it.
    const body = page.body.replace('xmlns="http://www.w3.org/1999/xhtml"', '');
    expect(body).not.toMatch(/https?:|src=|the-code/);
    expect(page.body).not.toContain(authorization.state);
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(await code).toBe('the-code');
    expect(await isListening(port)).toBe(false);
  });

  it('takes one callback only', async () => {
    const { code, callback, right } = await begin();
    const [first, second] = await Promise.allSettled([
      get(callback(right)),
      get(callback(right.replace('the-code', 'other'))),
    ]);
    expect(await code).toBe('the-code');
    expect(first).toMatchObject({ value: { status: 200 } });
    expect(second.status === 'rejected' || second.value.status === 404).toBe(true);
  });

  it('is gone although the browser holds a connection open', async () => {
    const { code, callback, right, port } = await begin();
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await get(callback(right));
    await code;
    await ended;
  });

  it.each([
    ['another path', (right: string) => ({ path: `/other${right}` }), 404],
    ['a path above', (right: string) => ({ path: `/callback/more${right}` }), 404],
    ['another method', () => ({ method: 'POST' }), 405],
    ['HEAD', () => ({ method: 'HEAD' }), 405],
    ['a foreign Host', () => ({ headers: { host: 'rebound.example' } }), 421],
    ['the Host of another port', () => ({ headers: { host: '127.0.0.1:1' } }), 421],
    ['another state', (right: string) => ({ path: `/callback${right.replace('state=', 'state=x')}` }), 400],
    ['no state', () => ({ path: '/callback?code=the-code' }), 400],
    ['no code', (right: string) => ({ path: `/callback${right.replace(/&.*/, '')}` }), 400],
    ['two codes', (right: string) => ({ path: `/callback${right}&code=more` }), 400],
    ['an error without state', () => ({ path: '/callback?error=access_denied' }), 400],
  ])('answers %s and goes on waiting', async (_, change, status) => {
    const { code, callback, right } = await begin();
    const answer = await get(callback(right), change(right));
    expect(answer.status).toBe(status);
    expect(answer.headers.allow).toBe(status === 405 ? 'GET' : undefined);
    expect(answer.body).not.toMatch(/the-code|rebound|access_denied/);
    await get(callback(right));
    expect(await code).toBe('the-code');
  });

  it('says once that callbacks with another state were discarded', async () => {
    const { code, callback, right, notices } = await begin();
    await get(callback('?state=foreign&code=1'));
    await get(callback('?state=foreign&code=2'));
    await get(callback(right));
    await code;
    expect(notices).toEqual([WAITING, 'ignoring a callback with a wrong state; still waiting']);
  });

  it('ends with the reason that the service gives in the callback', async () => {
    const { code, callback, authorization, port } = await begin();
    const page = await get(
      callback(`?state=${authorization.state}&error=access_denied&error_description=not+you`),
    );
    expect(page.status).toBe(400);
    await expect(code).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('"not you"') });
    expect(await isListening(port)).toBe(false);
  });

  it('takes a slash more or less at the end of the path', async () => {
    const { code, callback, right } = await begin();
    await get(callback(right, '/callback/'));
    expect(await code).toBe('the-code');
  });

  it('listens at both addresses of localhost', async () => {
    const { code, port, right } = await begin({ redirectURI: (at) => `http://localhost:${at}/` });
    expect(await isListening(port, '127.0.0.1')).toBe(true);
    const host = (await isListening(port, '::1')) ? '[::1]' : '127.0.0.1';
    await get(`http://${host}:${port}/${right}`, { headers: { host: `LOCALHOST:${port}` } });
    expect(await code).toBe('the-code');
    expect(await isListening(port, '::1')).toBe(false);
    expect(await isListening(port, '127.0.0.1')).toBe(false);
  });
});

describe('a login in the browser ends', () => {
  it('when the time is up', async () => {
    const { code, port } = await begin({ timeout: 1 });
    await expect(code).rejects.toMatchObject({
      kind: 'auth',
      message: 'timed out: no redirect from the browser within 0.001 s',
      hint: expect.stringContaining('--method headless'),
    });
    expect(await isListening(port)).toBe(false);
  });

  it('when it is interrupted', async () => {
    const { code, port, abort } = await begin();
    abort.abort(new Error('interrupted'));
    await expect(code).rejects.toThrow('interrupted');
    expect(await isListening(port)).toBe(false);
  });

  it.each(['127.0.0.1', 'localhost'])('when its port on %s is taken, naming other ways', async (host) => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, events } = await begin({ redirectURI: () => `http://${host}:${port}/callback` });
    await expect(code).rejects.toMatchObject({
      message: `cannot listen on port ${port} of 127.0.0.1: another program is using the port`,
      hint: 'free the port, or log in with "opac login --method headless" or "--method paste"',
    });
    expect(events).toEqual([]);
  });

  it.each([
    'https://app.museum.example/callback',
    'https://127.0.0.1:8765/',
    'http://127.0.0.1:0/',
    'app:back',
  ])('at once when nothing can come back to %s', async (redirectURI) => {
    const { code, events } = await begin({ redirectURI: () => redirectURI });
    await expect(code).rejects.toMatchObject({
      kind: 'usage',
      message: `--method browser needs a redirect URI of the form http://127.0.0.1:<port>/…, not "${redirectURI}"`,
      hint: 'log in with "opac login --method headless" or "--method paste"',
    });
    expect(events).toEqual([]);
  });

  it('not when no browser opens: then the address is left to the person', async () => {
    let refused = () => {};
    const told = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const openBrowser = () => Promise.reject(new Error('no browser')).finally(refused);
    const { code, callback, right, notices } = await begin({ openBrowser, ready: told });
    await get(callback(right));
    expect(await code).toBe('the-code');
    expect(notices).toEqual([
      WAITING,
      'cannot open a browser; open the URL above in a browser, or log in with "opac login --method headless" or "--method paste"',
    ]);
  });
});

describe('the place to listen', () => {
  it.each([
    ['http://127.0.0.1:8765/callback', ['127.0.0.1'], 8765],
    ['http://127.9.9.9:8765', ['127.9.9.9'], 8765],
    ['http://LOCALHOST/callback', ['127.0.0.1', '::1'], 80],
    ['http://[::1]:8765/', ['::1'], 8765],
    ['http://2130706433:1/', ['127.0.0.1'], 1],
  ])('of %s is %j, port %i', (uri, addresses, port) => {
    expect(parseLoopbackRedirect(uri)).toMatchObject({ addresses, port });
  });

  it.each([
    'http://0.0.0.0:1/',
    'http://192.168.1.1:1/',
    'http://localhost.evil.example:1/',
    'http://[::]:1/',
  ])('is never other than loopback: %s', (uri) => {
    expect(parseLoopbackRedirect(uri)).toBeUndefined();
  });

  it.each(['', 'callback', '127.0.0.1:8765', 'http://localhost/#fragment'])(
    'refuses what is no redirect URI: %j',
    (uri) => {
      expect(() => parseLoopbackRedirect(uri)).toThrow(expect.objectContaining({ kind: 'usage' }));
    },
  );
});
