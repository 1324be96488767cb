/** The number of draws of a fuzz test. `npm run fuzz` draws OPAC_FUZZ_TIMES (100) times as often, and prints the numbers. */
import { writeSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';

const TIMES = Number(process.env.OPAC_FUZZ_TIMES ?? 1);

/** A draw that `fc.pre` rejects does not count. The test fails if there are more than ten rejected draws per counted draw. */
export function runs(usual: number): { readonly numRuns: number; readonly maxSkipsPerRun: number } {
  const numRuns = Math.ceil(usual * TIMES);
  const { currentTestName } = expect.getState();
  if (TIMES > 1) {
    onTestFinished(({ task }) => {
      writeSync(1, `${String(numRuns).padStart(8)} draws, ${task.result?.state}: ${currentTestName}\n`);
    });
  }
  return { numRuns, maxSkipsPerRun: 10 };
}
