import { afterEach, describe, expect, it, vi } from 'vitest';
import { openKeyring } from '../../../src/auth/store/keyring.js';
import type { Profile } from '../../../src/auth/store/profile.js';
import { loadSecret, saveSecret } from '../../../src/auth/store/secrets.js';
import { createMemoryKeyring } from '../login-setup.js';

afterEach(() => {
  vi.doUnmock('@napi-rs/keyring');
});

const PROFILE: Profile = {
  name: 'a',
  baseUrl: 'https://museum.example',
  scheme: 'bearer',
  clientId: 'id',
  secretInKeyring: true,
};

describe('the keyring', () => {
  it('is undefined if its package is missing', async () => {
    vi.doMock('@napi-rs/keyring', () => {
      throw new Error('Cannot find module');
    });
    expect(await openKeyring()).toBeUndefined();
  });

  it('is undefined if its first use fails, and selects the secret service on Linux', async () => {
    const constructed: unknown[] = [];
    vi.doMock('@napi-rs/keyring', () => ({
      AsyncEntry: class {
        constructor(...parameters: unknown[]) {
          constructed.push(parameters);
        }
        getPassword = () => Promise.reject(new Error('no secret service'));
      },
    }));
    expect(await openKeyring()).toBeUndefined();
    expect(constructed).toEqual([['opac', expect.any(String), { linux: { store: 'secret-service' } }]]);
  });

  it('stores no secret, and returns none, if it is locked', async () => {
    const locked = { ...createMemoryKeyring(), write: () => Promise.reject(new Error('locked')) };
    const notices: string[] = [];
    const options = { remember: true, insecure: false };
    const saved = await saveSecret(
      PROFILE,
      'secret',
      options,
      async () => locked,
      (message) => notices.push(message),
    );
    expect(saved).not.toHaveProperty('secretInKeyring');
    expect(notices).toHaveLength(1);
    const unreadable = { ...createMemoryKeyring(), read: () => Promise.reject(new Error('locked')) };
    expect(await loadSecret(PROFILE, async () => unreadable)).toBeUndefined();
  });

  it('contains one secret per profile', async () => {
    const keyring = createMemoryKeyring();
    const options = { remember: true, insecure: false };
    for (const name of ['a', 'b']) {
      await saveSecret(
        { ...PROFILE, name },
        `secret of ${name}`,
        options,
        async () => keyring,
        () => {},
      );
    }
    expect(await loadSecret(PROFILE, async () => keyring)).toBe('secret of a');
  });

  it('is not opened if the profile has no secret in it', async () => {
    const { secretInKeyring: _, ...profile } = PROFILE;
    expect(await loadSecret(profile, () => expect.unreachable('the keyring was opened'))).toBeUndefined();
  });
});
