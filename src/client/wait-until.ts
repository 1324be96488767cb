/** Waits for a deployment that is just coming up. */
import { OpacError } from '../service/errors.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';

export interface WaitOptions {
  /** Milliseconds in which it has to answer. */
  readonly within: number;
  readonly signal?: AbortSignal | undefined;
  /** Told before each further try: what failed, and in how many milliseconds it is tried again. */
  readonly onWait?: ((error: OpacError, wait: number) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Milliseconds before the second try, doubled at each further one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/**
 * Calls `ask` until it does not fail for want of an answer, or the time is over: then its last error is thrown. An error of
 * another kind (credentials that are not taken) is an answer, and thrown at once.
 */
export async function waitUntilUp<T>(ask: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { within, signal, onWait, clock = SYSTEM_CLOCK } = options;
  const end = clock.now() + within;
  for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 2)) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      const left = end - clock.now();
      if (!(error instanceof OpacError) || error.kind !== 'deployment' || left <= 0) throw error;
      const pause = Math.min(wait, left);
      onWait?.(error, pause);
      await clock.sleep(pause, signal);
    }
  }
}
