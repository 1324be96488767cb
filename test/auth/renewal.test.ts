/** A stored token is only valid together with the times at which it was issued and expires. */
import { expect, it } from 'vitest';
import { readStoredToken } from '../../src/auth/renewal.js';

const PROFILE = { name: 'museum', baseUrl: 'https://museum.example', scheme: 'bearer' } as const;
const TOKEN = { accessToken: 'abc', issuedAt: 1, expiresAt: 2 };

it('readStoredToken returns a token with both times', () => {
  expect(readStoredToken({ ...PROFILE, ...TOKEN })).toEqual({ value: 'abc', issuedAt: 1, expiresAt: 2 });
});

it.each(['accessToken', 'issuedAt', 'expiresAt'] as const)(
  'readStoredToken returns undefined without %s',
  (name) => {
    const { [name]: _, ...rest } = TOKEN;
    expect(readStoredToken({ ...PROFILE, ...rest })).toBeUndefined();
  },
);
