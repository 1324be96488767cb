import { expect, it } from 'vitest';
import { MAX_TIMER_MS, SYSTEM_CLOCK } from '../../src/system/clock.js';

it.each([MAX_TIMER_MS, MAX_TIMER_MS + 1, 365 * 24 * 60 * 60 * 1000, Number.POSITIVE_INFINITY])(
  'does not end a sleep of %s ms at once, although timers of Node overflow',
  async (milliseconds) => {
    const stop = new AbortController();
    const asleep = SYSTEM_CLOCK.sleep(milliseconds, stop.signal).then(
      () => 'over',
      () => 'ended by the signal',
    );
    // A timer of Node that overflows ends after 1 ms.
    await SYSTEM_CLOCK.sleep(20);
    stop.abort();
    expect(await asleep).toBe('ended by the signal');
  },
);

it('rejects a sleep with the reason of the signal', async () => {
  const stop = new AbortController();
  const asleep = SYSTEM_CLOCK.sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
  await expect(SYSTEM_CLOCK.sleep(60_000, stop.signal)).rejects.toThrow('enough');
});
