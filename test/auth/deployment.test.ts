import { describe, expect, it, onTestFinished } from 'vitest';
import { getAccessToken } from '../../src/auth/credentials.js';
import { resolveDeployment } from '../../src/auth/deployment.js';
import type { Profile } from '../../src/auth/store/profile.js';
import { type Client, createClient } from '../../src/client/client.js';
import { createTransport } from '../../src/client/transport/transport.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { createMemoryKeyring, type LoginSetup, setUpLogin, startGuardedMuseum } from './login-setup.js';

const NOW = Date.UTC(2026, 0, 1);
const BASE = 'https://museum.example';

/** Returns the deployment and its Authorization header. Fails if this needs a request. */
async function resolveHeader(flags: Parameters<typeof resolveDeployment>[0], { dependencies }: LoginSetup) {
  const deployment = await resolveDeployment(flags, dependencies);
  const send = () => expect.unreachable('nothing should be sent');
  return { deployment, header: await deployment.credentials(send).authorization() };
}

const token = (value: string, seconds: number) => ({
  accessToken: value,
  issuedAt: NOW,
  expiresAt: NOW + seconds * 1000,
});

describe('resolveDeployment', () => {
  const profiles: readonly Profile[] = [
    { name: 'a', baseUrl: BASE, scheme: 'bearer', ...token('token-a', 3600) },
    { name: 'b', baseUrl: `${BASE}/b`, scheme: 'basic', basicKey: 'key-b' },
    { name: 'c', baseUrl: 'http://museum.example', scheme: 'anonymous', allowHttp: true },
  ];
  it.each([
    ['the current profile', {}, {}, BASE, 'Bearer token-a'],
    ['the profile of an option', { profile: 'b' }, { OPAC_PROFILE: 'c' }, `${BASE}/b`, 'Basic key-b'],
    ['the profile of OPAC_PROFILE', {}, { OPAC_PROFILE: 'b' }, `${BASE}/b`, 'Basic key-b'],
    ['a profile without credentials', { profile: 'c' }, {}, 'http://museum.example', undefined],
    [
      'the base URL of an option',
      { baseUrl: 'https://x.example' },
      { OPAC_BASE_URL: BASE },
      'https://x.example',
      undefined,
    ],
    [
      'the base URL of OPAC_BASE_URL',
      {},
      { OPAC_BASE_URL: 'https://x.example/api/v3/' },
      'https://x.example',
      undefined,
    ],
    ['the profile for the base URL of an option', { baseUrl: `${BASE}/api/v3/` }, {}, BASE, 'Bearer token-a'],
    [
      'no credentials for a part of the base URL of the profile',
      { baseUrl: BASE, profile: 'b' },
      {},
      BASE,
      undefined,
    ],
    ['the token of OPAC_ACCESS_TOKEN', {}, { OPAC_ACCESS_TOKEN: ' env\n' }, BASE, 'Bearer env'],
    ['the key of OPAC_BASIC_KEY', {}, { OPAC_BASIC_KEY: 'env' }, BASE, 'Basic env'],
    [
      'a token rather than a key from the environment',
      {},
      { OPAC_ACCESS_TOKEN: 't', OPAC_BASIC_KEY: 'k' },
      BASE,
      'Bearer t',
    ],
    [
      'the current profile if the variables are empty',
      {},
      { OPAC_ACCESS_TOKEN: '', OPAC_PROFILE: '' },
      BASE,
      'Bearer token-a',
    ],
  ])('uses %s', async (_, flags, environment, baseUrl, header) => {
    const setup = await setUpLogin({ environment, now: () => NOW });
    for (const profile of profiles) await setup.store.save(profile);
    await setup.store.setCurrent('a');
    const found = await resolveHeader(flags, setup);
    expect(found.deployment.baseUrl).toBe(baseUrl);
    expect(found.header).toBe(header);
  });

  it('reads no profile if the environment contains the base URL and a token', async () => {
    const setup = await setUpLogin({ environment: { OPAC_BASE_URL: BASE, OPAC_ACCESS_TOKEN: 'env' } });
    const unread = new Proxy(setup.store, { get: (_, key) => expect.unreachable(`${String(key)} was read`) });
    const { deployment } = await resolveHeader(
      {},
      { ...setup, dependencies: { ...setup.dependencies, store: unread } },
    );
    expect(deployment).toMatchObject({ profile: undefined, scheme: 'bearer' });
  });

  it('uses the profile of an option instead of OPAC_BASE_URL', async () => {
    const setup = await setUpLogin({ environment: { OPAC_BASE_URL: 'https://x.example' } });
    for (const profile of profiles) await setup.store.save(profile);
    const deployment = await resolveDeployment({ profile: 'a' }, setup.dependencies);
    expect([deployment.baseUrl, deployment.profile?.name]).toEqual(['https://museum.example', 'a']);
    expect(setup.messages).toEqual([]);
  });

  it.each([{ OPAC_BASIC_KEY: 'a-key-of-x' }, { OPAC_ACCESS_TOKEN: 'a-token-of-x' }])(
    'refuses a profile for another deployment than the variables: %j',
    async (credentials) => {
      const setup = await setUpLogin({ environment: { OPAC_BASE_URL: 'https://x.example', ...credentials } });
      for (const profile of profiles) await setup.store.save(profile);
      await expect(resolveDeployment({ profile: 'a' }, setup.dependencies)).rejects.toMatchObject({
        kind: 'usage',
        message: `profile "a" is for another deployment than OPAC_BASE_URL and ${Object.keys(credentials)[0]}`,
      });
    },
  );

  it('prints a note if the named profile is for another deployment', async () => {
    const setup = await setUpLogin();
    for (const profile of profiles) await setup.store.save(profile);
    await resolveHeader({ profile: 'a', baseUrl: 'https://x.example' }, setup);
    expect(setup.messages).toEqual([
      'ignoring the credentials of profile "a": they are for https://museum.example',
    ]);
  });

  it.each([
    [
      'no deployment and no profile are given',
      {},
      {},
      {
        kind: 'auth',
        message: 'no deployment given, and no profile is in use',
        hint: 'log in with "opac login", give a URL with --base-url, or try --mock',
        code: 'no-deployment',
      },
    ],
    [
      'the named profile does not exist',
      { profile: 'x' },
      {},
      { kind: 'usage', message: 'no profile "x"', hint: 'choose from a', code: 'unknown-profile' },
    ],
    [
      'the base URL is invalid',
      { baseUrl: 'museum.example' },
      {},
      { kind: 'usage', hint: expect.stringContaining('https://museum.example') },
    ],
    [
      'the token has characters that a header cannot contain',
      { profile: 'a' },
      { OPAC_ACCESS_TOKEN: 'a b' },
      {
        kind: 'usage',
        message: 'OPAC_ACCESS_TOKEN contains characters that a header cannot contain',
        hint: 'copy it again, without spaces and line breaks',
      },
    ],
    [
      'the key has characters that a header cannot contain',
      { profile: 'a' },
      { OPAC_BASIC_KEY: 'a\nb' },
      { kind: 'usage', message: 'OPAC_BASIC_KEY contains characters that a header cannot contain' },
    ],
  ])('throws an error if %s', async (_, flags, environment, error) => {
    const setup = await setUpLogin({ environment });
    if (error.kind === 'usage') await setup.store.save(profiles[0] as Profile);
    await expect(resolveHeader(flags, setup)).rejects.toMatchObject(error);
  });
});

describe('the credentials of a deployment', () => {
  const A = { name: 'a', baseUrl: BASE };
  const TOKEN = token('t', 3600);
  const NO_TOKEN = { message: 'no access token', code: 'credentials-missing' };
  it.each<[string, Profile | undefined, Record<string, string>, string, string, object | undefined]>([
    ['no credentials', undefined, {}, 'anonymous', 'log in with "opac login"', undefined],
    [
      'an anonymous profile',
      { ...A, scheme: 'anonymous' },
      {},
      'anonymous',
      'log in with "opac login"',
      undefined,
    ],
    [
      'a token from the environment',
      undefined,
      { OPAC_ACCESS_TOKEN: 't' },
      'bearer',
      'set OPAC_ACCESS_TOKEN to a valid token',
      undefined,
    ],
    [
      'a key from the environment',
      undefined,
      { OPAC_BASIC_KEY: 'k' },
      'basic',
      'check OPAC_BASIC_KEY',
      undefined,
    ],
    [
      'a profile with a token',
      { ...A, scheme: 'bearer', ...TOKEN },
      {},
      'bearer',
      'log in with "opac login -p a"',
      undefined,
    ],
    [
      'a profile with a key',
      { ...A, scheme: 'basic', basicKey: 'k' },
      {},
      'basic',
      'log in with "opac login -p a --basic-key"',
      undefined,
    ],
    [
      'a profile whose token was deleted',
      { ...A, scheme: 'bearer' },
      {},
      'bearer',
      'profile "a" has no credentials; log in with "opac login -p a"',
      undefined,
    ],
    [
      'a profile whose key was deleted',
      { ...A, scheme: 'basic' },
      {},
      'basic',
      'profile "a" has no credentials; log in with "opac login -p a --basic-key"',
      undefined,
    ],
    [
      'a profile for a basic key that has only a token',
      { ...A, scheme: 'basic', ...TOKEN },
      {},
      'basic',
      'log in with "opac login -p a --basic-key"',
      { message: 'no basic key', code: 'credentials-missing' },
    ],
    [
      'a profile without a client, and a client secret in the environment',
      { ...A, scheme: 'bearer' },
      { OPAC_CLIENT_SECRET: 's' },
      'bearer',
      'log in with "opac login -p a"',
      NO_TOKEN,
    ],
    [
      'a token of another client than OPAC_CLIENT_ID',
      { ...A, scheme: 'bearer', clientId: 'id', redirectURI: 'https://x.example/', ...TOKEN },
      { OPAC_CLIENT_ID: 'other' },
      'bearer',
      'log in with "opac login -p a"',
      NO_TOKEN,
    ],
    [
      'a profile without a token, and an empty OPAC_CLIENT_ID',
      { ...A, scheme: 'bearer' },
      { OPAC_CLIENT_ID: '' },
      'bearer',
      'log in with "opac login -p a"',
      NO_TOKEN,
    ],
    ...[
      'OPAC_ACCESS_TOKEN',
      'OPAC_BASIC_KEY',
      'OPAC_CLIENT_ID',
      'OPAC_CLIENT_SECRET',
      'OPAC_REDIRECT_URI',
    ].map((name): [string, undefined, Record<string, string>, string, string, object] => [
      `an empty ${name}`,
      undefined,
      { [name]: '' },
      'bearer',
      `set ${name}, or unset it to send requests without credentials`,
      { message: `no value in ${name}`, code: 'credentials-missing' },
    ]),
  ])('have the right scheme and hint: %s', async (_, profile, environment, scheme, hint, error) => {
    const setup = await setUpLogin({ environment, now: () => NOW });
    if (profile) await setup.store.save(profile);
    const deployment = await resolveDeployment(profile ? {} : { baseUrl: BASE }, setup.dependencies);
    const credentials = deployment.credentials(() => expect.unreachable('nothing should be sent'));
    expect([deployment.scheme, credentials.scheme, credentials.hint]).toEqual([scheme, scheme, hint]);
    if (error)
      await expect(credentials.authorization()).rejects.toMatchObject({ kind: 'auth', hint, ...error });
  });
});

describe('a profile without valid credentials', () => {
  it.each([['an expired token', { scheme: 'bearer', ...token('t', -1) }, 'your login has expired']] as const)(
    'causes an error of the kind auth: %s',
    async (_, profile, message) => {
      const setup = await setUpLogin({ now: () => NOW });
      await setup.store.save({ name: 'a', baseUrl: BASE, ...profile });
      await expect(resolveHeader({}, setup)).rejects.toMatchObject({
        kind: 'auth',
        message,
        hint: expect.stringContaining('opac login -p a'),
      });
    },
  );

  it.each([
    ['bearer', 'opac login -p a"'],
    ['basic', 'opac login -p a --basic-key"'],
  ] as const)(
    'allows anonymous requests, and causes an error with a hint if they are refused: %s',
    async (scheme, login) => {
      const setup = await setUpLogin();
      const open = await startMuseum({ access: 'anonymous' });
      onTestFinished(() => open.close());
      await setup.store.save({ name: 'a', baseUrl: open.url, scheme });
      await expect((await connect(open, setup)).get('objects.search')).resolves.toHaveProperty(
        'totalObjects',
      );
      const guarded = await startGuardedMuseum();
      await setup.store.save({ name: 'a', baseUrl: guarded.url, scheme });
      await expect((await connect(guarded, setup)).get('objects.search')).rejects.toMatchObject({
        kind: 'auth',
        hint: expect.stringMatching(`profile "a" has no credentials; log in with "${login}`),
      });
    },
  );

  it('makes getAccessToken throw an error with a hint', async () => {
    const setup = await setUpLogin();
    await setup.store.save({ name: 'a', baseUrl: BASE, scheme: 'bearer' });
    const { credentials } = await resolveDeployment({}, setup.dependencies);
    await expect(getAccessToken(credentials(() => expect.unreachable()))).rejects.toMatchObject({
      kind: 'auth',
      hint: 'profile "a" has no credentials; log in with "opac login -p a"',
    });
  });

  it('provides a token up to its expiry if the token cannot be renewed', async () => {
    const setup = await setUpLogin({ now: () => NOW + 3_599_000 });
    await setup.store.save({ name: 'a', baseUrl: BASE, scheme: 'bearer', ...token('t', 3600) });
    expect((await resolveHeader({}, setup)).header).toBe('Bearer t');
  });
});

/** Saves a profile for the museum if none exists, and returns a client that uses the profile. */
async function connect(museum: Museum, setup: LoginSetup, profile: Partial<Profile> = {}) {
  const { clientId, redirectURI } = museum.client;
  const before = await setup.store.get('a');
  if (!before)
    await setup.store.save({
      name: 'a',
      baseUrl: museum.url,
      scheme: 'bearer',
      clientId,
      redirectURI,
      ...profile,
    });
  const deployment = await resolveDeployment({}, setup.dependencies);
  const transport = createTransport({ baseUrl: deployment.baseUrl });
  const client = createClient({
    ...deployment,
    credentials: deployment.credentials(transport.send),
    retries: 0,
  });
  onTestFinished(async () => {
    await client.close();
    await transport.close();
  });
  return client;
}

const SECRET = { environment: { OPAC_CLIENT_SECRET: 'museum-client-secret' } };
const page = (offset: number) => ({
  query: [
    ['limit', '1'],
    ['offset', String(offset)],
  ] as const,
});
const countAuthorizations = (museum: Museum) =>
  museum.requests.filter(({ path }) => path.includes('/oauth/authorize')).length;

describe('the client of a deployment', () => {
  it('requests one token for all requests, prints nothing, and saves it for the next run', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    const client = await connect(museum, setup);
    await Promise.all([0, 1, 2, 3, 4, 5].map((offset) => client.get('objects.search', page(offset))));
    expect(countAuthorizations(museum)).toBe(1);
    await (await connect(museum, setup)).get('objects.search');
    expect(countAuthorizations(museum)).toBe(1);
    expect(setup.messages).toEqual([]);
  });

  it('completes 60 parallel requests with 3 to 6 tokens if each token is valid for 20', async () => {
    const museum = await startGuardedMuseum({ oauth: { tokenUses: 20 } });
    const setup = await setUpLogin(SECRET);
    const client = await connect(museum, setup);
    let next = 0;
    const reader = async () => {
      while (next < 60) await client.get('objects.search', page(next++));
    };
    await Promise.all(Array.from({ length: 6 }, reader));
    expect(countAuthorizations(museum)).toBeGreaterThanOrEqual(3);
    expect(countAuthorizations(museum)).toBeLessThanOrEqual(6);
  });

  it('completes the requests of 8 clients with one profile if each token is valid for 3', async () => {
    const museum = await startGuardedMuseum({ oauth: { tokenUses: 3 } });
    const setup = await setUpLogin(SECRET);
    const first = await connect(museum, setup);
    await first.get('objects.search');
    // Each client has its own store for the same file, as in separate processes.
    const processes = await Promise.all(
      Array.from({ length: 8 }, async () =>
        connect(museum, await setUpLogin({ ...SECRET, folder: setup.folder })),
      ),
    );
    let completed = 0;
    const sendRequests = async (client: Client, requests: number) => {
      for (let n = 0; n < requests; n++) {
        await client.get('objects.search', page(n));
        completed++;
      }
    };
    await Promise.all(processes.flatMap((client) => [sendRequests(client, 13), sendRequests(client, 12)]));
    expect(completed).toBe(200);
  });

  it('renews a token shortly before the token expires', async () => {
    const museum = await startGuardedMuseum();
    let now = NOW;
    const setup = await setUpLogin({ ...SECRET, now: () => now });
    const client = await connect(museum, setup);
    await client.get('objects.search');
    now += 3_539_000;
    await client.get('objects.search');
    expect(countAuthorizations(museum)).toBe(1);
    now += 2_000;
    await client.get('objects.search');
    expect(countAuthorizations(museum)).toBe(2);
    expect(museum.requests.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('uses the token that another run saved instead of a renewal', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    const client = await connect(museum, setup, {
      accessToken: 'dead',
      issuedAt: Date.now(),
      expiresAt: Date.now() + 9e6,
    });
    const renewed = museum.issueToken();
    await setup.store.update('a', (profile) => ({ ...profile, accessToken: renewed }));
    await client.get('objects.search');
    expect(countAuthorizations(museum)).toBe(0);
  });

  it('requests a token with the client secret from the keyring', async () => {
    const museum = await startGuardedMuseum();
    const keyring = createMemoryKeyring();
    keyring.read = async () => museum.client.clientSecret;
    const client = await connect(museum, await setUpLogin({ keyring }), { secretInKeyring: true });
    await client.get('objects.search');
    expect(countAuthorizations(museum)).toBe(1);
  });

  it('requests a token with the client of the environment, without a profile', async () => {
    const museum = await startGuardedMuseum();
    const { clientId, clientSecret, redirectURI } = museum.client;
    const { dependencies, store } = await setUpLogin({
      environment: {
        OPAC_BASE_URL: museum.url,
        OPAC_CLIENT_ID: clientId,
        OPAC_CLIENT_SECRET: clientSecret,
        OPAC_REDIRECT_URI: redirectURI,
      },
    });
    const deployment = await resolveDeployment({}, dependencies);
    const credentials = deployment.credentials(dependencies.connect(museum.url, 'bearer'));
    expect(await credentials.authorization()).toMatch(/^Bearer /);
    expect((await store.listNames()).names).toEqual([]);
  });

  it.each([
    [
      { OPAC_CLIENT_ID: 'a' },
      'no client secret and no redirect URI',
      'OPAC_CLIENT_SECRET and OPAC_REDIRECT_URI',
    ],
    [{ OPAC_CLIENT_ID: 'a', OPAC_CLIENT_SECRET: 'b' }, 'no redirect URI', 'set OPAC_REDIRECT_URI'],
    [
      { OPAC_CLIENT_SECRET: 'b', OPAC_REDIRECT_URI: 'https://x.example/' },
      'no client id',
      'set OPAC_CLIENT_ID',
    ],
    [
      { OPAC_CLIENT_ID: 'a', OPAC_REDIRECT_URI: 'https://x.example/' },
      'no client secret',
      'set OPAC_CLIENT_SECRET',
    ],
    [
      { OPAC_CLIENT_SECRET: 'b' },
      'no client id and no redirect URI',
      'set OPAC_CLIENT_ID and OPAC_REDIRECT_URI',
    ],
  ])(
    'throws an error that lists the missing variables of the client: %o',
    async (environment, missing, hint) => {
      const { dependencies } = await setUpLogin({ environment: { OPAC_BASE_URL: BASE, ...environment } });
      const deployment = await resolveDeployment({}, dependencies);
      const credentials = deployment.credentials(() => expect.unreachable('nothing should be sent'));
      await expect(credentials.authorization()).rejects.toMatchObject({
        kind: 'auth',
        code: 'credentials-missing',
        message: `${missing} in the environment`,
        hint: expect.stringContaining(hint),
      });
    },
  );

  it('throws an error after two tokens that the service refuses', async () => {
    const museum = await startGuardedMuseum({ oauth: { tokenUses: 0 } });
    const client = await connect(museum, await setUpLogin(SECRET));
    await expect(client.get('objects.search')).rejects.toMatchObject({ kind: 'auth' });
    expect(countAuthorizations(museum)).toBe(2);
  });

  it('throws an error with a hint if a refused token cannot be renewed', async () => {
    const museum = await startGuardedMuseum();
    const client = await connect(museum, await setUpLogin(), {
      accessToken: 'dead',
      issuedAt: Date.now(),
      expiresAt: Date.now() + 9e6,
    });
    await expect(client.get('objects.search')).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringMatching(/^your login has expired \(401\)/),
      hint: 'log in again with: opac login -p a',
      code: 'token-expired',
    });
    expect(museum.requests).toHaveLength(1);
  });

  it('uses and renews tokens also if the clock is wrong by decades', async () => {
    const museum = await startGuardedMuseum({ oauth: { tokenUses: 2 } });
    for (const now of [0, Date.UTC(2200, 0, 1)]) {
      const before = countAuthorizations(museum);
      const client = await connect(museum, await setUpLogin({ ...SECRET, now: () => now }));
      for (const offset of [0, 1, 2]) await client.get('objects.search', page(offset));
      expect(countAuthorizations(museum) - before).toBe(2);
    }
  });

  it('uses a token that cannot be saved, and prints a note', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    const client = await connect(museum, setup);
    setup.store.update = () => Promise.reject(new Error('the disk is full'));
    await client.get('objects.search');
    expect(setup.messages).toEqual(['cannot save the renewed access token']);
  });

  it('does not save a token in a profile that changed in the meantime', async () => {
    const museum = await startGuardedMuseum();
    const setup = await setUpLogin(SECRET);
    const client = await connect(museum, setup);
    await setup.store.save({ name: 'a', baseUrl: BASE, scheme: 'bearer' });
    await client.get('objects.search');
    expect(await setup.store.get('a')).toEqual({ name: 'a', baseUrl: BASE, scheme: 'bearer' });
  });
});
