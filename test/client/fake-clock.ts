/** A clock that does not move until code sleeps. Then it jumps to the end of the earliest sleep. */
import type { Clock } from '../../src/system/clock.js';

export interface FakeClock extends Clock {
  /** The length of every requested sleep, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Moves the clock forward, as if work took this time. */
  pass(milliseconds: number): void;
}

export function createFakeClock(start = Date.UTC(2024, 0, 1)): FakeClock {
  let now = start;
  const sleeps: number[] = [];
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    sleeps,
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        sleeps.push(milliseconds);
        const sleeper = { until: now + milliseconds, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal.reason);
        });
        // All work that does not sleep runs first.
        setImmediate(() => {
          if (!sleepers.includes(sleeper)) return;
          const next = sleepers.reduce((earliest, other) =>
            other.until < earliest.until ? other : earliest,
          );
          sleepers.splice(sleepers.indexOf(next), 1);
          now = Math.max(now, next.until);
          next.wake();
        });
      }),
  };
}
