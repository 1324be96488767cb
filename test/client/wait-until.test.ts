/** Waiting for a deployment that is starting. */
import { describe, expect, it } from 'vitest';
import type { RetryEvent } from '../../src/client/layers/retry.js';
import { waitUntilAvailable } from '../../src/client/wait-until.js';
import { type ErrorKind, OpacError } from '../../src/service/errors.js';
import { createFakeClock } from './fake-clock.js';

/** Creates a function that fails `times` times. Each failure takes 100 ms on the clock. */
function createFailing(
  times: number,
  clock: ReturnType<typeof createFakeClock>,
  kind: ErrorKind = 'deployment',
) {
  let calls = 0;
  return async () => {
    if (calls++ >= times) return calls;
    clock.pass(100);
    throw new OpacError(kind, `failure ${calls}`);
  };
}

describe('waitUntilAvailable', () => {
  it('retries after growing waits, and reports them to onRetry', async () => {
    const clock = createFakeClock();
    const events: unknown[] = [];
    const onRetry = ({ message, retry, wait, waited }: RetryEvent) =>
      events.push([message, retry, wait, waited]);
    const calls = await waitUntilAvailable(createFailing(7, clock), { timeout: 60_000, clock, onRetry });
    expect(calls).toBe(8);
    expect(clock.sleeps).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(events.slice(0, 2)).toEqual([
      ['failure 1', 1, 500, 600],
      ['failure 2', 2, 1000, 1700],
    ]);
  });

  it('throws the last error after the timeout, and makes the last attempt at its end', async () => {
    const clock = createFakeClock();
    const begin = clock.now();
    const waiting = waitUntilAvailable(createFailing(99, clock), { timeout: 5000, clock });
    await expect(waiting).rejects.toThrow('failure 5');
    expect(clock.sleeps).toEqual([500, 1000, 2000, 1100]);
    expect(clock.now() - begin).toBe(5100);
  });

  it('does not retry after an abort or an internal error', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const onRetry = () => controller.abort(new Error('enough'));
    const waiting = waitUntilAvailable(createFailing(9, clock), {
      timeout: 5000,
      clock,
      onRetry,
      signal: controller.signal,
    });
    await expect(waiting).rejects.toThrow('enough');
    const again = waitUntilAvailable(createFailing(9, clock), {
      timeout: 5000,
      clock,
      signal: controller.signal,
    });
    await expect(again).rejects.toThrow('enough');
    expect(clock.sleeps).toEqual([]);
    const broken = async () => {
      throw Object.assign(new Error('broken'), { kind: 'deployment' });
    };
    await expect(waitUntilAvailable(broken, { timeout: 5000, clock })).rejects.toThrow('broken');
    expect(clock.sleeps).toEqual([]);
  });

  it('makes one attempt if the timeout leaves no time for a wait', async () => {
    const clock = createFakeClock();
    await expect(waitUntilAvailable(createFailing(9, clock), { timeout: 100, clock })).rejects.toThrow(
      'failure 1',
    );
    expect(clock.sleeps).toEqual([]);
  });

  it('does not retry if the service responds with an error', async () => {
    for (const kind of ['auth', 'not-found', 'usage'] as const) {
      const clock = createFakeClock();
      await expect(
        waitUntilAvailable(createFailing(9, clock, kind), { timeout: 5000, clock }),
      ).rejects.toThrow('failure 1');
      expect(clock.sleeps).toEqual([]);
    }
  });
});
