/** `opac login` with a browser: which requests its listener accepts, and how the wait for the browser ends. */
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLoginUser } from './login-user.js';
import { startWatchedMuseum } from './watched-museum.js';

/** Sends a request that a browser would not send. Returns its status. */
async function getStatus(url: URL, options: { method?: string; headers?: Record<string, string> }) {
  const sent = request(url, { ...options, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}

async function beginLogin(...words: string[]) {
  const watched = await startWatchedMuseum();
  const user = await createLoginUser(watched);
  const login = ['login', ...user.asClient, '--method', 'browser', ...words];
  const started = user.start(login);
  /** Sends the authorization request like a browser. Returns the URL of the redirect. */
  const getRedirect = async () => {
    const { headers } = await fetch(await started.address, { redirect: 'manual' });
    return new URL(headers.get('location') ?? '');
  };
  return { watched, user, login, getRedirect, ...started };
}

describe('the listener of opac login', () => {
  it('accepts only the callback with its own state, and refuses all other requests', async () => {
    const { watched, getRedirect, ended } = await beginLogin();
    const callback = await getRedirect();
    const forged = new URL(callback);
    forged.searchParams.set('state', 'forged');
    const bare = new URL(callback.pathname, callback);
    expect(await getStatus(forged, {})).toBe(400);
    expect(await getStatus(bare, {})).toBe(400);
    expect(await getStatus(new URL('/other', callback), {})).toBe(404);
    expect(await getStatus(callback, { method: 'POST' })).toBe(405);
    expect(await getStatus(callback, { headers: { host: 'evil.example' } })).toBe(421);
    expect(watched.tokens).toEqual([]);
    expect(await getStatus(callback, {})).toBe(200);
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain('ignoring a callback with a wrong state; still waiting');
    expect(watched.tokens).toHaveLength(1);
  });

  it('closes after the first callback', async () => {
    const { watched, getRedirect, ended } = await beginLogin();
    const callback = await getRedirect();
    expect(await getStatus(callback, {})).toBe(200);
    await expect(getStatus(callback, {})).rejects.toThrow('ECONNREFUSED');
    expect(await ended).toMatchObject({ code: 0 });
    expect(watched.tokens).toHaveLength(1);
  });

  it('refuses a wrong state, even if the museum changed it', async () => {
    const watched = await startWatchedMuseum({ faults: [{ kind: 'state-changed' }] });
    const user = await createLoginUser(watched);
    const { child, address, ended } = user.start(['login', ...user.asClient, '--method', 'browser']);
    expect((await fetch(await address)).status).toBe(400);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(stderr).toContain('ignoring a callback with a wrong state');
    expect(code).toBe(130);
    expect(watched.tokens).toEqual([]);
  });
});

describe('opac login with a browser', () => {
  it('exits with 4 after --browser-timeout, and prints other methods', async () => {
    const { ended } = await beginLogin('--browser-timeout', '200ms');
    const { code, stderr } = await ended;
    expect(stderr).toContain(
      'opac: timed out: no redirect from the browser within 0.2 s; log in with "opac login --method headless" or "--method paste"',
    );
    expect(code).toBe(4);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with 130 after %s, and closes the listener',
    async (signal) => {
      const { child, address, getRedirect, ended } = await beginLogin();
      await address;
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 130 });
      await expect(getStatus(await getRedirect(), {})).rejects.toThrow('ECONNREFUSED');
    },
  );

  it('exits with 4 if the port is in use, and prints other methods', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const port = Number(new URL(watched.museum.client.redirectURI).port);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { code, stderr } = await user.run(['login', ...user.asClient, '--method', 'browser']);
    expect(stderr).toContain(
      `opac: cannot listen on port ${port} of 127.0.0.1: another program is using the port; free the port, or log in with "opac login --method headless" or "--method paste"`,
    );
    expect(code).toBe(4);
  });

  it('refuses a redirect URI of another machine', async () => {
    const user = await createLoginUser(await startWatchedMuseum());
    const words = ['login', ...user.asClient, '--redirect-uri', 'https://app.example/callback'];
    const { code, stderr } = await user.run([...words, '--method', 'browser']);
    expect(stderr).toContain('not "https://app.example/callback"');
    expect(code).toBe(2);
  });

  it('continues if it cannot start a browser, and prints a message', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const { child, address, ended } = user.start(['login', ...user.asClient, '--method', 'browser'], {
      environment: { BROWSER: 'there-is-no-such-browser' },
    });
    const hasMessage = new Promise<void>((resolve) => {
      child.stderr?.on('data', (text) => String(text).includes('cannot open a browser') && resolve());
    });
    await hasMessage;
    expect(await (await fetch(await address)).text()).toContain('You can close this window');
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('uses the method headless if there is no desktop, and prints the reason', async () => {
    const user = await createLoginUser(await startWatchedMuseum());
    const result = await user.run(['login', ...user.asClient], { environment: { SSH_TTY: '/dev/pts/0' } });
    expect(result.stderr).toContain(
      'this is an SSH session, and a browser would open on the remote machine; using --method headless',
    );
    expect(result.code).toBe(0);
  });
});

describe('concurrent logins', () => {
  it('fail if an earlier login uses the same port, and do not stop that login', async () => {
    const { user, login, address, getRedirect, ended } = await beginLogin();
    await address;
    expect((await user.run(login)).stderr).toContain('another program is using the port');
    expect(await getStatus(await getRedirect(), {})).toBe(200);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('store the tokens of different profiles', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const names = ['one', 'two', 'three'];
    const results = await Promise.all(
      names.map((name) => user.run(['login', '-p', name, ...user.asClient, '--method', 'headless'])),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    const profiles = await Promise.all(names.map((name) => user.kept(name)));
    expect(new Set(profiles.map((profile) => profile?.accessToken))).toEqual(new Set(watched.tokens));
    expect(watched.tokens).toHaveLength(3);
  });
});
