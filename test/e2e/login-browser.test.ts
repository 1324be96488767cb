/** The way through the browser: who may come to the listener, and how the waiting ends. */
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLoginUser } from './login-user.js';
import { startWatchedMuseum } from './watched-museum.js';

/** The status that a request gets which a browser would not send. */
async function getStatus(url: URL, options: { method?: string; headers?: Record<string, string> }) {
  const asked = request(url, { ...options, agent: false }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}

async function beginLogin(...words: string[]) {
  const watched = await startWatchedMuseum();
  const user = await createLoginUser(watched);
  const login = ['login', ...user.asClient, '--method', 'browser', ...words];
  const begun = user.start(login);
  /** Asks the museum as the browser would, and gives the address it is sent to. */
  const redirect = async () => {
    const { headers } = await fetch(await begun.address, { redirect: 'manual' });
    return new URL(headers.get('location') ?? '');
  };
  return { watched, user, login, redirect, ...begun };
}

describe('the listener of opac login', () => {
  it('answers nobody but the browser that was sent out, and goes on waiting', async () => {
    const { watched, redirect, ended } = await beginLogin();
    const callback = await redirect();
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

  it('takes one callback and is gone', async () => {
    const { watched, redirect, ended } = await beginLogin();
    const callback = await redirect();
    expect(await getStatus(callback, {})).toBe(200);
    await expect(getStatus(callback, {})).rejects.toThrow('ECONNREFUSED');
    expect(await ended).toMatchObject({ code: 0 });
    expect(watched.tokens).toHaveLength(1);
  });

  it('takes no state but its own, also where the museum spoils it', async () => {
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

describe('the waiting of opac login', () => {
  it('ends with 4 when the time is up, naming other ways', async () => {
    const { ended } = await beginLogin('--browser-timeout', '200ms');
    const { code, stderr } = await ended;
    expect(stderr).toContain(
      'opac: timed out: no redirect from the browser within 0.2 s; log in with "opac login --method headless" or "--method paste"',
    );
    expect(code).toBe(4);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 130 at %s, and the listener is gone', async (signal) => {
    const { child, address, redirect, ended } = await beginLogin();
    await address;
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 130 });
    await expect(getStatus(await redirect(), {})).rejects.toThrow('ECONNREFUSED');
  });

  it('is not begun when the port is taken, and other ways are named', async () => {
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

  it('is not begun for a redirect URI that leads elsewhere', async () => {
    const user = await createLoginUser(await startWatchedMuseum());
    const words = ['login', ...user.asClient, '--redirect-uri', 'https://app.example/callback'];
    const { code, stderr } = await user.run([...words, '--method', 'browser']);
    expect(stderr).toContain('not "https://app.example/callback"');
    expect(code).toBe(2);
  });

  it('goes on when no browser can be started, and says so', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const { child, address, ended } = user.start(['login', ...user.asClient, '--method', 'browser'], {
      environment: { BROWSER: 'there-is-no-such-browser' },
    });
    const said = new Promise<void>((resolve) => {
      child.stderr?.on('data', (text) => String(text).includes('cannot open a browser') && resolve());
    });
    await said;
    expect(await (await fetch(await address)).text()).toContain('You can close this window');
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('takes place without a browser where there is no desktop, and says why', async () => {
    const user = await createLoginUser(await startWatchedMuseum());
    const here = await user.run(['login', ...user.asClient], { environment: { SSH_TTY: '/dev/pts/0' } });
    expect(here.stderr).toContain(
      'this is an SSH session, and a browser would open on the remote machine; using --method headless',
    );
    expect(here.code).toBe(0);
  });
});

describe('two logins at once', () => {
  it('with one port: the second says that it is taken, the first goes on', async () => {
    const { user, login, address, redirect, ended } = await beginLogin();
    await address;
    expect((await user.run(login)).stderr).toContain('another program is using the port');
    expect(await getStatus(await redirect(), {})).toBe(200);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('to different museums both keep what they got', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const names = ['one', 'two', 'three'];
    const ends = await Promise.all(
      names.map((name) => user.run(['login', '-p', name, ...user.asClient, '--method', 'headless'])),
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const kept = await Promise.all(names.map((name) => user.kept(name)));
    expect(new Set(kept.map((profile) => profile?.accessToken))).toEqual(new Set(watched.tokens));
    expect(watched.tokens).toHaveLength(3);
  });
});
