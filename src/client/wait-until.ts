/** Waits for a deployment that is just coming up. */
import { OpacError } from '../service/errors.js';
import { type Clock, SYSTEM_CLOCK } from '../system/clock.js';
import type { Retrying } from './layers/retry.js';

interface WaitOptions {
  readonly within: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry; how many there will be is not known. */
  readonly onRetry?: ((retrying: Retrying) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Repeats `ask` while it throws an OpacError of kind `deployment` and time is left. Throws its last error. */
export async function waitUntilUp<T>(ask: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { within, signal, onRetry, clock = SYSTEM_CLOCK } = options;
  const begin = clock.now();
  for (let retry = 1; ; retry++) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      const passed = clock.now() - begin;
      if (!(error instanceof OpacError) || error.kind !== 'deployment' || passed >= within) throw error;
      const wait = Math.min(FIRST_WAIT * 2 ** (retry - 1), LONGEST_WAIT, within - passed);
      const retries = Number.POSITIVE_INFINITY;
      onRetry?.({ message: error.message, retry, retries, wait, waited: passed + wait });
      await clock.sleep(wait, signal);
    }
  }
}
