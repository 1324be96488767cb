/** A token that a profile keeps counts only with the times that say whether it still lives. */
import { expect, it } from 'vitest';
import { readStoredToken } from '../../src/auth/renewal.js';

const PROFILE = { name: 'museum', baseUrl: 'https://museum.example', scheme: 'bearer' } as const;
const TOKEN = { accessToken: 'abc', issuedAt: 1, expiresAt: 2 };

it('is read where all of it is there', () => {
  expect(readStoredToken({ ...PROFILE, ...TOKEN })).toEqual({ value: 'abc', issuedAt: 1, expiresAt: 2 });
});

it.each(['accessToken', 'issuedAt', 'expiresAt'] as const)('is none without %s', (name) => {
  const { [name]: _, ...rest } = TOKEN;
  expect(readStoredToken({ ...PROFILE, ...rest })).toBeUndefined();
});
