import { describe, expect, it } from 'vitest';
import { CHALLENGE_FORMS } from '../../src/auth/flow/pkce.js';
import { LOGIN_METHODS, type LoginMethod } from '../../src/auth/login/method-names.js';
import { createLoginUser, type LoginUser } from './login-user.js';
import { COMMAND } from './opac.js';
import { startWatchedMuseum, type WatchedMuseum } from './watched-museum.js';

/** Sends the authorization request like a browser. Returns the URL of the redirect. */
async function fetchRedirect(address: URL): Promise<URL> {
  const { headers } = await fetch(address, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '');
}

/** Completes a login with each method. Returns the exit code. */
const METHODS: Readonly<
  Record<LoginMethod, (user: LoginUser, words: readonly string[]) => Promise<number | null>>
> = {
  browser: async (user, words) => {
    const { address, ended } = user.start(words);
    const page = await fetch(await fetchRedirect(await address));
    expect(await page.text()).toContain('You can close this window');
    return (await ended).code;
  },
  paste: async (user, words) => {
    const { child, address, ended } = user.start(words);
    child.stdin?.end(`${await fetchRedirect(await address)}\n`);
    return (await ended).code;
  },
  headless: async (user, words) => (await user.run(words)).code,
};

/** Returns the challenge form of the authorization request, as far as the request shows it. */
function findChallengeForm({ museum }: WatchedMuseum): string {
  const query = museum.requests.find(({ path }) => path.includes('/oauth/authorize'))?.query;
  if (query?.get('codeChallengeMethod') === 'PLAIN') return 'PLAIN';
  return query?.get('codeChallenge')?.endsWith('=') ? 'S256-padded' : 'S256';
}

describe.each(LOGIN_METHODS)('opac login --method %s', (method) => {
  it('stores a token that works without the client secret, and shows no secrets to other processes', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    expect(await METHODS[method](user, ['login', ...user.asClient, '--method', method])).toBe(0);
    expect(await user.kept()).toEqual({
      baseUrl: watched.url,
      scheme: 'bearer',
      clientId: watched.museum.client.clientId,
      redirectURI: watched.museum.client.redirectURI,
      challengeForm: 'S256-padded',
      accessToken: watched.tokens[0],
      issuedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    });
    const listed = await user.run(['objects', 'list', '--limit', '1', '-f', 'ids'], {
      environment: { OPAC_CLIENT_SECRET: '' },
    });
    expect(listed).toMatchObject({ code: 0, stdout: '20011\n' });
    const listing = [...watched.commandLines].join('\n');
    expect(listing).toContain(`${COMMAND.at(-1)} login`);
    for (const secret of watched.secrets) expect(listing).not.toContain(secret);
  });

  it.each(CHALLENGE_FORMS)('uses the challenge form %s with --challenge', async (form) => {
    const watched = await startWatchedMuseum({ oauth: { challengeForms: [form] } });
    const user = await createLoginUser(watched);
    const words = ['login', ...user.asClient, '--method', method, '--challenge', form];
    expect(await METHODS[method](user, words)).toBe(0);
    expect(findChallengeForm(watched)).toBe(form);
    expect(await user.kept()).toMatchObject({ challengeForm: form, accessToken: watched.tokens[0] });
  });
});

describe('a deployment that accepts only one challenge form', () => {
  it('receives a second request with the other form, and the profile stores that form', async () => {
    const watched = await startWatchedMuseum({ oauth: { challengeForms: ['S256'] } });
    const user = await createLoginUser(watched);
    const login = ['login', ...user.asClient, '--method', 'headless'];
    const first = await user.run(login);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain('the service refused the S256-padded challenge; trying S256');
    expect(await user.kept()).toMatchObject({ challengeForm: 'S256' });
    const second = await user.run(login);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).not.toContain('refused');
    expect(watched.codes).toHaveLength(3);
  });
});

describe('a redirect URI of another machine', () => {
  it('causes a login without a browser, with a message', async () => {
    const client = {
      clientId: 'museum-client',
      clientSecret: 'museum-client-secret',
      redirectURIs: ['https://app.museum.example/callback'],
    };
    const watched = await startWatchedMuseum({ oauth: { clients: [client] } });
    const user = await createLoginUser(watched);
    const { code, stderr } = await user.run(['login', ...user.asClient]);
    expect(code).toBe(0);
    expect(stderr).toContain('does not lead to this machine; using --method headless');
    expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[0] });
  });
});

describe('a basic key', () => {
  it.each([
    ['from standard input', { stdin: 'bXVzZXVtLWJhc2ljLWtleQ\n' }],
    ['from the environment', { environment: { OPAC_BASIC_KEY: 'bXVzZXVtLWJhc2ljLWtleQ' } }],
  ])('is read %s, tested and stored', async (_, given) => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const { code, stderr } = await user.run(['login', '--base-url', watched.url, '--basic-key'], given);
    expect(code).toBe(0);
    expect(stderr).toMatch(/logged in to \S+ \(basic\); response time \d+ ms/);
    expect(await user.kept()).toEqual({
      baseUrl: watched.url,
      scheme: 'basic',
      basicKey: watched.museum.basicKey,
    });
    expect(await user.run(['objects', 'count'])).toMatchObject({ code: 0 });
  });

  it('causes exit code 4 if it is wrong, and is not stored', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const words = ['login', '--base-url', watched.url, '--basic-key'];
    const { code, stderr } = await user.run(words, { stdin: 'bm90LXRoZS1rZXk\n' });
    expect(code).toBe(4);
    expect(stderr).toContain('check the basic key, and ask the operator of the service to enable it');
    expect(stderr).not.toContain('bm90LXRoZS1rZXk');
    expect(await user.run(['profiles', 'list', '-f', 'ids'])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('a login without credentials', () => {
  it.each([
    ['anonymous', 0, 'logged in'],
    ['authorized', 4, 'the service requires valid credentials (401)'],
  ] as const)('exits, if the access is %s, with %d', async (access, expected, message) => {
    const watched = await startWatchedMuseum({ access });
    const user = await createLoginUser(watched);
    const { code, stderr } = await user.run(['login', '--base-url', watched.url, '--anonymous']);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });
});

describe('the built-in museum', () => {
  it.each([[['--method', 'headless']], [['--basic-key']], [['--anonymous']], [[]]])(
    'accepts a login with %j, and no profile is stored',
    async (words) => {
      const watched = await startWatchedMuseum();
      const user = await createLoginUser(watched);
      expect(await user.run(['login', '--mock', ...words])).toMatchObject({ code: 0, stdout: '' });
      expect((await user.run(['profiles', 'list', '-f', 'ids'])).stdout).toBe('');
    },
  );
});
