/** A clock that stands still until somebody sleeps, and then jumps to the end of the earliest sleep. */
import type { Clock } from '../../src/system/clock.js';

export interface FakeClock extends Clock {
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Moves time on by hand, as if something took that long. */
  pass(milliseconds: number): void;
}

export function fakeClock(start = Date.UTC(2024, 0, 1)): FakeClock {
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
        // Everything that can happen without time passing happens first.
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
