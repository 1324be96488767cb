/** Waits must not become longer if the clock of the machine is set back while a command runs. */
import { expect, it, vi } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/system/clock.js';

it('SYSTEM_CLOCK never goes back', () => {
  const before = SYSTEM_CLOCK.now();
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000);
  const date = vi.spyOn(Date, 'now').mockReturnValue(before - 3_600_000);
  try {
    expect(SYSTEM_CLOCK.now()).toBeGreaterThanOrEqual(before);
  } finally {
    date.mockRestore();
  }
});
