/** Waits for a deployment that is starting. */
import { OpacError } from '../service/errors.js';
import { type Clock, SYSTEM_CLOCK } from '../system/clock.js';
import type { RetryEvent } from './layers/retry.js';

interface WaitOptions {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((retrying: RetryEvent) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const INITIAL_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/** Repeats the request for up to `timeout` milliseconds while it throws an OpacError of kind `deployment`. */
export async function waitUntilAvailable<T>(request: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { timeout, signal, onRetry, clock = SYSTEM_CLOCK } = options;
  const begin = clock.now();
  for (let retry = 1; ; retry++) {
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      const passed = clock.now() - begin;
      if (!(error instanceof OpacError) || error.kind !== 'deployment' || passed >= timeout) throw error;
      const wait = Math.min(INITIAL_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS, timeout - passed);
      const retries = Number.POSITIVE_INFINITY;
      onRetry?.({ message: error.message, retry, retries, wait, waited: passed + wait });
      await clock.sleep(wait, signal);
    }
  }
}
