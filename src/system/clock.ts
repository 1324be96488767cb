/** The current time and timers. Tests use another clock, so that they do not have to wait. */
import { setTimeout as timer } from 'node:timers/promises';

/** A timer with a longer delay would end immediately (Node.js documentation, "setTimeout"). */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  // This time never goes back, even if a user sets back the clock of the machine.
  now: () => performance.timeOrigin + performance.now(),
  async sleep(milliseconds, signal) {
    try {
      for (let left = milliseconds; ; left -= MAX_TIMER_MS) {
        await timer(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {});
        if (left <= MAX_TIMER_MS) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
