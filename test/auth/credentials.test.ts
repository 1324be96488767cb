import { describe, expect, it, vi } from 'vitest';
import { createBearerCredentials } from '../../src/auth/credentials.js';

const token = (value: string, issuedAt: number, expiresAt: number) => ({ value, issuedAt, expiresAt });
const signal = new AbortController().signal;

describe('createBearerCredentials', () => {
  it.each([
    [100_000, 89_999, 'old'],
    [100_000, 90_000, 'new'],
    [3_600_000, 3_539_999, 'old'],
    [3_600_000, 3_540_000, 'new'],
  ])(
    'renews a token before it expires: lifetime %i ms, age %i ms, returns the %s token',
    async (lifetime, age, value) => {
      const issued = 1_000_000;
      const credentials = createBearerCredentials({
        token: token('old', issued, issued + lifetime),
        renewToken: async () => token('new', issued + age, issued + age + lifetime),
        now: () => issued + age,
      });
      expect(await credentials.authorization(signal)).toBe(`Bearer ${value}`);
    },
  );

  it.each([
    ['uses it if it is valid', 1_000_000, 'stored'],
    ['renews it if it has expired', 100_000, 'new'],
    ['renews it if it expires soon', 505_000, 'new'],
  ])('loads the token that another process saved, and %s', async (_, expiresAt, value) => {
    const renewToken = vi.fn(async () => token('new', 500_000, 1_000_000));
    const credentials = createBearerCredentials({
      token: token('old', 0, 400_000),
      load: async () => token('stored', 0, expiresAt),
      renewToken,
      now: () => 500_000,
    });
    expect(await credentials.authorization(signal)).toBe(`Bearer ${value}`);
    expect(renewToken).toHaveBeenCalledTimes(value === 'new' ? 1 : 0);
    expect(await credentials.reload?.(`Bearer ${value}`)).toBeUndefined();
  });
});

it('createBearerCredentials renews an expired token once for all callers, also if one aborts', async () => {
  let issueToken = (_: ReturnType<typeof token>) => {};
  const issuedToken = new Promise<ReturnType<typeof token>>((resolve) => {
    issueToken = resolve;
  });
  const renewToken = vi.fn(() => issuedToken);
  const credentials = createBearerCredentials({ token: token('old', 0, 1), renewToken, now: () => 500_000 });
  const stop = new AbortController();
  const stopped = credentials.authorization(stop.signal);
  const other = credentials.authorization();
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await expect(credentials.authorization(stop.signal)).rejects.toThrow('stopped');
  issueToken(token('new', 500_000, 1_000_000));
  expect(await other).toBe('Bearer new');
  expect(renewToken).toHaveBeenCalledTimes(1);
});

it('createBearerCredentials renews the token at the next call if a renewal failed', async () => {
  const renewToken = vi.fn(async () => token('new', 500_000, 1_000_000));
  renewToken.mockRejectedValueOnce(new Error('no network'));
  const credentials = createBearerCredentials({ token: token('old', 0, 1), renewToken, now: () => 500_000 });
  await expect(credentials.authorization()).rejects.toThrow('no network');
  expect(await credentials.authorization()).toBe('Bearer new');
});
