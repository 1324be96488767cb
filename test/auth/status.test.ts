import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getAccessToken } from '../../src/auth/credentials.js';
import { resolveDeployment } from '../../src/auth/deployment.js';
import { getStatus } from '../../src/auth/status.js';
import type { Profile } from '../../src/auth/store/profile.js';
import type { Send } from '../../src/client/http-request.js';
import { OpacError } from '../../src/service/errors.js';
import { setUpLogin, startGuardedMuseum } from './login-setup.js';

async function getStatusWith(
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

describe('getStatus', () => {
  it('reports a working token', async () => {
    const { status, file, issuedAt } = await getStatusWith({
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

  it('reports a working basic key', async () => {
    const { status, file } = await getStatusWith({ scheme: 'basic', basicKey: 'good' });
    expect(status).toMatchObject({ works: true, expires: undefined, kept: { basicKey: file } });
  });

  it.each([
    ['a refused token', { accessToken: 'dead' }, 'log in again with: opac login -p a'],
    ['a refused key', { scheme: 'basic', basicKey: 'wrong' }, 'log in with "opac login -p a --basic-key"'],
    ['a profile without a token', {}, 'profile "a" has no credentials; log in with "opac login -p a"'],
    [
      'an anonymous profile of a deployment that requires credentials',
      { scheme: 'anonymous' },
      'log in with "opac login"',
    ],
  ] as const)('returns an error with a hint for %s', async (_, profile, hint) => {
    const { status } = await getStatusWith(profile);
    expect(status).toMatchObject({ works: false, elapsed: undefined, error: { hint } });
  });

  it('reports a deployment and a client from the environment, without a profile', async () => {
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

  it('suggests checking the base URL after a web page, or 404 for records and objects', async () => {
    const { dependencies } = await setUpLogin();
    for (const [body, requests] of [
      ['{}', 1],
      ['<html>', 1],
      ['', 2],
    ] as const) {
      const paths: string[] = [];
      const send: Send = async ({ path }) => {
        paths.push(path);
        const status = body === '' ? 404 : 200;
        return { status, headers: {}, bytes: Buffer.from(body), elapsed: 7, retries: 0 } as never;
      };
      const deployment = await resolveDeployment({ baseUrl: 'https://x.example' }, dependencies);
      const { works, elapsed, error } = await getStatus(deployment, send, dependencies);
      expect([works, elapsed, error?.hint]).toEqual(
        body === '{}'
          ? [true, 7, undefined]
          : [false, undefined, 'check that https://x.example is the right base URL'],
      );
      expect(paths).toEqual(['/opacrecords', '/opacobjects'].slice(0, requests));
    }
  });

  it('throws the reason of the signal, and errors that are not OpacErrors', async () => {
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

  it('reports an error if the deployment is not reachable', async () => {
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

  it('reports where each secret is stored', async () => {
    const client = { clientSecret: 'x', clientId: 'id', redirectURI: 'https://x.example' };
    const inFile = await getStatusWith({ accessToken: 'good', ...client });
    expect(inFile.status.kept.clientSecret).toBe(inFile.file);
    expect(inFile.status.redirectURI).toBe('https://x.example');
    const keyring = { accessToken: 'good', secretInKeyring: true };
    expect((await getStatusWith(keyring)).status.kept.clientSecret).toBe('keyring');
    const withVariable = await getStatusWith(keyring, { environment: { OPAC_CLIENT_SECRET: 's' } });
    expect(withVariable.status.kept.clientSecret).toBe('environment (OPAC_CLIENT_SECRET)');
    const environment = { OPAC_ACCESS_TOKEN: 't', OPAC_CLIENT_SECRET: 's' };
    const fromEnvironment = await getStatusWith(
      { accessToken: 'good', ...client },
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

describe('getAccessToken', () => {
  it('returns the token without its scheme', async () => {
    const { dependencies } = await setUpLogin({
      environment: { OPAC_BASE_URL: 'https://x.example', OPAC_ACCESS_TOKEN: 'abc' },
    });
    const { credentials } = await resolveDeployment({}, dependencies);
    expect(await getAccessToken(credentials(dependencies.connect('https://x.example', 'bearer')))).toBe(
      'abc',
    );
  });

  it('throws an error with a hint for the basic scheme', async () => {
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
