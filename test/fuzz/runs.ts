/** How often a fuzzer draws: a little at each change, a hundred times that by `npm run fuzz` (OPAC_FUZZ_TIMES), which tells. */
import { writeSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';

const TIMES = Number(process.env.OPAC_FUZZ_TIMES ?? 1);

/** A draw that `fc.pre` turns away proves nothing, and does not count; of ten draws one has to be worth it. */
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
