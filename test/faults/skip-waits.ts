/** Makes the clock of opac jump to the end of each wait. */
import { SYSTEM_CLOCK } from '../../src/system/clock.js';

/** Returns a function that restores the clock. */
export function skipWaits(): () => void {
  const real = { ...SYSTEM_CLOCK };
  let skipped = 0;
  SYSTEM_CLOCK.now = () => real.now() + skipped;
  SYSTEM_CLOCK.sleep = async (milliseconds, signal) => {
    skipped += milliseconds;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  };
  return () => void Object.assign(SYSTEM_CLOCK, real);
}
