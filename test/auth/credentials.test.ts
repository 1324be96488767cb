import { describe, expect, it, vi } from 'vitest';
import { createBearerCredentials } from '../../src/auth/credentials.js';

const token = (value: string, issuedAt: number, expiresAt: number) => ({ value, issuedAt, expiresAt });
const signal = new AbortController().signal;

describe('bearerCredentials', () => {
  it.each([
    [100_000, 89_999, 'old'],
    [100_000, 90_000, 'new'],
    [3_600_000, 3_539_999, 'old'],
    [3_600_000, 3_540_000, 'new'],
  ])(
    'renews a token of %i ms a tenth or a minute before its end: after %i ms the %s one',
    async (life, age, value) => {
      const issued = 1_000_000;
      const credentials = createBearerCredentials({
        token: token('old', issued, issued + life),
        renewToken: async () => token('new', issued + age, issued + age + life),
        now: () => issued + age,
      });
      expect(await credentials.authorization(signal)).toBe(`Bearer ${value}`);
    },
  );

  it.each([
    ['takes one that is fresh', 1_000_000, 'stored'],
    ['leaves one that is stale', 100_000, 'new'],
    ['leaves one that is about to end', 505_000, 'new'],
  ])('of the tokens that another process kept, %s', async (_, expiresAt, value) => {
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

it('replaces an expired token once for all who ask, and goes on when one of them aborts', async () => {
  let obtain = (_: ReturnType<typeof token>) => {};
  const obtained = new Promise<ReturnType<typeof token>>((resolve) => {
    obtain = resolve;
  });
  const renewToken = vi.fn(() => obtained);
  const credentials = createBearerCredentials({ token: token('old', 0, 1), renewToken, now: () => 500_000 });
  const stop = new AbortController();
  const stopped = credentials.authorization(stop.signal);
  const other = credentials.authorization();
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await expect(credentials.authorization(stop.signal)).rejects.toThrow('stopped');
  obtain(token('new', 500_000, 1_000_000));
  expect(await other).toBe('Bearer new');
  expect(renewToken).toHaveBeenCalledTimes(1);
});

it('tries again after a replacement that failed', async () => {
  const renewToken = vi.fn(async () => token('new', 500_000, 1_000_000));
  renewToken.mockRejectedValueOnce(new Error('no network'));
  const credentials = createBearerCredentials({ token: token('old', 0, 1), renewToken, now: () => 500_000 });
  await expect(credentials.authorization()).rejects.toThrow('no network');
  expect(await credentials.authorization()).toBe('Bearer new');
});
