/** Waits for a deployment that is just coming up. */
import { OpacError } from '../service/errors.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';

interface WaitOptions {
  readonly within: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry, with the wait in milliseconds. */
  readonly onWait?: ((error: OpacError, wait: number) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Repeats `ask` while it throws an OpacError of kind `deployment` and time is left. Throws its last error. */
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
