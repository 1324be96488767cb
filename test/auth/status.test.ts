import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getAccessToken } from '../../src/auth/credentials.js';
import { resolveDeployment } from '../../src/auth/deployment.js';
import { getStatus } from '../../src/auth/status.js';
import type { Profile } from '../../src/auth/store/profile.js';
import type { Send } from '../../src/client/http-request.js';
import { OpacError } from '../../src/service/errors.js';
import { setUpLogin, startGuardedMuseum } from './login-setup.js';

async function statusWith(
  profile: Partial<Profile>,
  {
    environment = {},
    access = 'authorized' as const,
  }: { environment?: Record<string, string>; access?: 'authorized' | 'anonymous' } = {},
) {
  const museum = await startGuardedMuseum({ access });
  const { dependencies, store, folder } = await setUpLogin({ environment });
  const issuedAt = Date.now();
  await store.save({
    name: 'a',
    baseUrl: museum.url,
    scheme: 'bearer',
    ...(profile.accessToken && { issuedAt, expiresAt: issuedAt + 3_600_000 }),
    ...profile,
    ...(profile.accessToken === 'good' && { accessToken: museum.issueToken() }),
    ...(profile.basicKey === 'good' && { basicKey: museum.basicKey }),
  });
  const deployment = await resolveDeployment({}, dependencies);
  const status = await getStatus(
    deployment,
    dependencies.connect(deployment.baseUrl, deployment.scheme),
    dependencies,
  );
  return { status, file: `profile file ${join(folder, 'profiles.json')} (mode 0600)`, issuedAt };
}

describe('the status', () => {
  it('of a token that works', async () => {
    const { status, file, issuedAt } = await statusWith({
      accessToken: 'good',
      clientId: 'id',
      challengeForm: 'S256',
    });
    expect(status).toMatchObject({
      profile: 'a',
      scheme: 'bearer',
      clientId: 'id',
      challengeForm: 'S256',
      works: true,
      error: undefined,
      expires: new Date(issuedAt + 3_600_000),
      kept: { accessToken: file, basicKey: 'not stored', clientSecret: 'not stored' },
    });
    expect(status.elapsed).toBeGreaterThan(0);
  });

  it('of a basic key that works', async () => {
    const { status, file } = await statusWith({ scheme: 'basic', basicKey: 'good' });
    expect(status).toMatchObject({ works: true, expires: undefined, kept: { basicKey: file } });
  });

  it.each([
    ['a token that is rejected', { accessToken: 'dead' }, 'log in again with: opac login -p a'],
    [
      'a key that is rejected',
      { scheme: 'basic', basicKey: 'wrong' },
      'log in with "opac login -p a --basic-key"',
    ],
    ['no token at all', {}, 'profile "a" has no credentials; log in with "opac login -p a"'],
    ['no credentials where they are needed', { scheme: 'anonymous' }, 'log in with "opac login"'],
  ] as const)('of %s says what to do', async (_, profile, hint) => {
    const { status } = await statusWith(profile);
    expect(status).toMatchObject({ works: false, elapsed: undefined, error: { hint } });
  });

  it('of a deployment that no profile is of, and of a client of the environment', async () => {
    const museum = await startGuardedMuseum({ access: 'anonymous' });
    const environment = {
      OPAC_BASE_URL: museum.url,
      OPAC_CLIENT_ID: 'id',
      OPAC_REDIRECT_URI: 'https://x.example/',
    };
    const { dependencies } = await setUpLogin({ environment: { ...environment, OPAC_BASIC_KEY: 'k' } });
    const deployment = await resolveDeployment({}, dependencies);
    const status = await getStatus(deployment, dependencies.connect(museum.url, 'basic'), dependencies);
    expect(status).toEqual({
      profile: undefined,
      baseUrl: museum.url,
      scheme: 'basic',
      clientId: 'id',
      redirectURI: 'https://x.example/',
      challengeForm: undefined,
      expires: undefined,
      works: true,
      elapsed: expect.any(Number),
      error: undefined,
      kept: {
        accessToken: 'not stored',
        basicKey: 'environment (OPAC_BASIC_KEY)',
        clientSecret: 'not stored',
      },
    });
  });

  it('of a place that is no deployment names its address', async () => {
    const { dependencies } = await setUpLogin();
    for (const [answer, asked] of [
      ['{}', 1],
      ['<html>', 1],
      ['', 2],
    ] as const) {
      const paths: string[] = [];
      const send: Send = async ({ path }) => {
        paths.push(path);
        const status = answer === '' ? 404 : 200;
        return { status, headers: {}, bytes: Buffer.from(answer), elapsed: 7, retries: 0 } as never;
      };
      const deployment = await resolveDeployment({ baseUrl: 'https://x.example' }, dependencies);
      const { works, elapsed, error } = await getStatus(deployment, send, dependencies);
      expect([works, elapsed, error?.hint]).toEqual(
        answer === '{}'
          ? [true, 7, undefined]
          : [false, undefined, 'check that https://x.example is the right base URL'],
      );
      expect(paths).toEqual(['/opacrecords', '/opacobjects'].slice(0, asked));
    }
  });

  it('is not asked for after the signal', async () => {
    const { dependencies } = await setUpLogin();
    const deployment = await resolveDeployment({ baseUrl: 'https://x.example' }, dependencies);
    const stop = new AbortController();
    const send = () => {
      stop.abort(new Error('stopped'));
      return Promise.reject(new OpacError('deployment', 'it failed'));
    };
    await expect(getStatus(deployment, send, dependencies, stop.signal)).rejects.toThrow('stopped');
    const broken = () => Promise.reject(new TypeError('a fault of ours'));
    await expect(getStatus(deployment, broken, dependencies)).rejects.toThrow('a fault of ours');
  });

  it('of a deployment that cannot be reached', async () => {
    const { dependencies, store } = await setUpLogin();
    await store.save({ name: 'a', baseUrl: 'http://127.0.0.1:1', scheme: 'anonymous' });
    const deployment = await resolveDeployment({}, dependencies);
    const status = await getStatus(
      deployment,
      dependencies.connect(deployment.baseUrl, 'anonymous'),
      dependencies,
    );
    expect(status).toMatchObject({ works: false, error: { message: expect.stringContaining('127.0.0.1') } });
  });

  it('says where each secret lies', async () => {
    const kept = { clientSecret: 'x', clientId: 'id', redirectURI: 'https://x.example' };
    const inFile = await statusWith({ accessToken: 'good', ...kept });
    expect(inFile.status.kept.clientSecret).toBe(inFile.file);
    expect(inFile.status.redirectURI).toBe('https://x.example');
    const keyring = { accessToken: 'good', secretInKeyring: true };
    expect((await statusWith(keyring)).status.kept.clientSecret).toBe('keyring');
    const given = await statusWith(keyring, { environment: { OPAC_CLIENT_SECRET: 's' } });
    expect(given.status.kept.clientSecret).toBe('environment (OPAC_CLIENT_SECRET)');
    const environment = { OPAC_ACCESS_TOKEN: 't', OPAC_CLIENT_SECRET: 's' };
    const fromEnvironment = await statusWith(
      { accessToken: 'good', ...kept },
      { environment, access: 'anonymous' },
    );
    expect(fromEnvironment.status).toMatchObject({
      works: true,
      expires: undefined,
      kept: {
        accessToken: 'environment (OPAC_ACCESS_TOKEN)',
        clientSecret: 'environment (OPAC_CLIENT_SECRET)',
      },
    });
  });
});

describe('the access token for other programs', () => {
  it('is the token alone', async () => {
    const { dependencies } = await setUpLogin({
      environment: { OPAC_BASE_URL: 'https://x.example', OPAC_ACCESS_TOKEN: 'abc' },
    });
    const { credentials } = await resolveDeployment({}, dependencies);
    expect(await getAccessToken(credentials(dependencies.connect('https://x.example', 'bearer')))).toBe(
      'abc',
    );
  });

  it('is refused where the scheme has none', async () => {
    const { dependencies } = await setUpLogin({
      environment: { OPAC_BASE_URL: 'https://x.example', OPAC_BASIC_KEY: 'abc' },
    });
    const { credentials } = await resolveDeployment({}, dependencies);
    await expect(
      getAccessToken(credentials(dependencies.connect('https://x.example', 'basic'))),
    ).rejects.toMatchObject({
      kind: 'usage',
      message: 'the basic scheme has no access token',
      hint: 'log in with "opac login"',
    });
  });
});
