import { afterEach, describe, expect, it, vi } from 'vitest';
import { openKeyring } from '../../../src/auth/store/keyring.js';
import type { Profile } from '../../../src/auth/store/profile.js';
import { loadSecret, saveSecret } from '../../../src/auth/store/secrets.js';
import { memoryKeyring } from '../login-setup.js';

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
  it('is none, and no error, where the package is missing or the secret service is', async () => {
    vi.doMock('@napi-rs/keyring', () => {
      throw new Error('Cannot find module');
    });
    expect(await openKeyring()).toBeUndefined();
  });

  it('is none where it fails at the first use, and the secret service is asked for by name', async () => {
    const asked: unknown[] = [];
    vi.doMock('@napi-rs/keyring', () => ({
      AsyncEntry: class {
        constructor(...given: unknown[]) {
          asked.push(given);
        }
        getPassword = () => Promise.reject(new Error('no secret service'));
      },
    }));
    expect(await openKeyring()).toBeUndefined();
    expect(asked).toEqual([['opac', expect.any(String), { linux: { store: 'secret-service' } }]]);
  });

  it('that is locked later is as none', async () => {
    const locked = { ...memoryKeyring(), write: () => Promise.reject(new Error('locked')) };
    const notices: string[] = [];
    const wish = { remember: true, insecure: false };
    const kept = await saveSecret(
      PROFILE,
      'secret',
      wish,
      async () => locked,
      (message) => notices.push(message),
    );
    expect(kept).not.toHaveProperty('secretInKeyring');
    expect(notices).toHaveLength(1);
    const unreadable = { ...memoryKeyring(), read: () => Promise.reject(new Error('locked')) };
    expect(await loadSecret(PROFILE, async () => unreadable)).toBeUndefined();
  });

  it('keeps the secrets of different profiles apart', async () => {
    const keyring = memoryKeyring();
    const wish = { remember: true, insecure: false };
    for (const name of ['a', 'b']) {
      await saveSecret(
        { ...PROFILE, name },
        `secret of ${name}`,
        wish,
        async () => keyring,
        () => {},
      );
    }
    expect(await loadSecret(PROFILE, async () => keyring)).toBe('secret of a');
  });

  it('is not asked for a secret that it does not hold', async () => {
    const { secretInKeyring: _, ...profile } = PROFILE;
    expect(await loadSecret(profile, () => expect.unreachable('the keyring was opened'))).toBeUndefined();
  });
});
