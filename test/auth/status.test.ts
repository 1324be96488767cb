import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getAccessToken } from '../../src/auth/credentials.js';
import { findDeployment } from '../../src/auth/deployment.js';
import { getStatus } from '../../src/auth/status.js';
import type { Profile } from '../../src/auth/store/profile.js';
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
  await store.put({
    name: 'a',
    baseUrl: museum.url,
    scheme: 'bearer',
    ...(profile.accessToken && { issuedAt, expiresAt: issuedAt + 3_600_000 }),
    ...profile,
    ...(profile.accessToken === 'good' && { accessToken: museum.issueToken() }),
    ...(profile.basicKey === 'good' && { basicKey: museum.basicKey }),
  });
  const deployment = await findDeployment({}, dependencies);
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
    ['a token that is rejected', { accessToken: 'dead' }],
    ['a key that is rejected', { scheme: 'basic', basicKey: 'wrong' }],
    ['no token at all', {}],
    ['no credentials where they are needed', { scheme: 'anonymous' }],
  ] as const)('of %s says what to do', async (_, profile) => {
    const { status } = await statusWith(profile);
    expect(status).toMatchObject({
      works: false,
      elapsed: undefined,
      error: { hint: expect.stringContaining('opac login') },
    });
  });

  it('of a deployment that cannot be reached', async () => {
    const { dependencies, store } = await setUpLogin();
    await store.put({ name: 'a', baseUrl: 'http://127.0.0.1:1', scheme: 'anonymous' });
    const deployment = await findDeployment({}, dependencies);
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
    const inKeyring = await statusWith({ accessToken: 'good', secretInKeyring: true });
    expect(inKeyring.status.kept.clientSecret).toBe('keyring');
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
    const { credentials } = await findDeployment({}, dependencies);
    expect(await getAccessToken(credentials(dependencies.connect('https://x.example', 'bearer')))).toBe(
      'abc',
    );
  });

  it('is refused where the scheme has none', async () => {
    const { dependencies } = await setUpLogin({
      environment: { OPAC_BASE_URL: 'https://x.example', OPAC_BASIC_KEY: 'abc' },
    });
    const { credentials } = await findDeployment({}, dependencies);
    await expect(
      getAccessToken(credentials(dependencies.connect('https://x.example', 'basic'))),
    ).rejects.toMatchObject({ kind: 'usage' });
  });
});
