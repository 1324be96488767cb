/** Waiting for a deployment that is just coming up. */
import { describe, expect, it } from 'vitest';
import type { RetryEvent } from '../../src/client/layers/retry.js';
import { waitUntilAvailable } from '../../src/client/wait-until.js';
import { type ErrorKind, OpacError } from '../../src/service/errors.js';
import { fakeClock } from './fake-clock.js';

/** Fails so many times, each time taking that long. */
function failing(times: number, clock: ReturnType<typeof fakeClock>, kind: ErrorKind = 'deployment') {
  let asked = 0;
  return async () => {
    if (asked++ >= times) return asked;
    clock.pass(100);
    throw new OpacError(kind, `failure ${asked}`);
  };
}

describe('a deployment that is coming up', () => {
  it('is asked again at growing distances, with one call each time', async () => {
    const clock = fakeClock();
    const told: unknown[] = [];
    const onRetry = ({ message, retry, wait, waited }: RetryEvent) =>
      told.push([message, retry, wait, waited]);
    const asked = await waitUntilAvailable(failing(7, clock), { timeout: 60_000, clock, onRetry });
    expect(asked).toBe(8);
    expect(clock.sleeps).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(told.slice(0, 2)).toEqual([
      ['failure 1', 1, 500, 600],
      ['failure 2', 2, 1000, 1700],
    ]);
  });

  it('is given up when the time is over, after a last try at its end', async () => {
    const clock = fakeClock();
    const begin = clock.now();
    const waiting = waitUntilAvailable(failing(99, clock), { timeout: 5000, clock });
    await expect(waiting).rejects.toThrow('failure 5');
    expect(clock.sleeps).toEqual([500, 1000, 2000, 1100]);
    expect(clock.now() - begin).toBe(5100);
  });

  it('is not asked again after an abort, nor after a fault of the program', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const onRetry = () => controller.abort(new Error('enough'));
    const waiting = waitUntilAvailable(failing(9, clock), {
      timeout: 5000,
      clock,
      onRetry,
      signal: controller.signal,
    });
    await expect(waiting).rejects.toThrow('enough');
    const again = waitUntilAvailable(failing(9, clock), { timeout: 5000, clock, signal: controller.signal });
    await expect(again).rejects.toThrow('enough');
    expect(clock.sleeps).toEqual([]);
    const broken = async () => {
      throw Object.assign(new Error('broken'), { kind: 'deployment' });
    };
    await expect(waitUntilAvailable(broken, { timeout: 5000, clock })).rejects.toThrow('broken');
    expect(clock.sleeps).toEqual([]);
  });

  it('is asked once where there is no time', async () => {
    const clock = fakeClock();
    await expect(waitUntilAvailable(failing(9, clock), { timeout: 100, clock })).rejects.toThrow('failure 1');
    expect(clock.sleeps).toEqual([]);
  });

  it('is not asked again when it responds, whatever it says', async () => {
    for (const kind of ['auth', 'not-found', 'usage'] as const) {
      const clock = fakeClock();
      await expect(waitUntilAvailable(failing(9, clock, kind), { timeout: 5000, clock })).rejects.toThrow(
        'failure 1',
      );
      expect(clock.sleeps).toEqual([]);
    }
  });
});
