import { expect, it } from 'vitest';
import { MAX_TIMER_MS, SYSTEM_CLOCK } from '../../src/system/clock.js';

it.each([MAX_TIMER_MS, MAX_TIMER_MS + 1, 365 * 24 * 60 * 60 * 1000, Number.POSITIVE_INFINITY])(
  'a sleep of %i ms is not over at once, as a timer of Node would be',
  async (milliseconds) => {
    const stop = new AbortController();
    const asleep = SYSTEM_CLOCK.sleep(milliseconds, stop.signal).then(
      () => 'over',
      () => 'ended by the signal',
    );
    // A timer that overflows takes 1 ms.
    await SYSTEM_CLOCK.sleep(20);
    stop.abort();
    expect(await asleep).toBe('ended by the signal');
  },
);

it('a sleep ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const asleep = SYSTEM_CLOCK.sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
  await expect(SYSTEM_CLOCK.sleep(60_000, stop.signal)).rejects.toThrow('enough');
});
