/** The time, replaceable so that tests need not wait. */
import { setTimeout as timer } from 'node:timers/promises';

/** In milliseconds: a longer wait would end at once (Node, "setTimeout"). */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
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
