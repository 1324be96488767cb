/** Says at the end of the tests how much of what they printed was searched for secrets (test/printed.ts). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

export default class PrintedTotal implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'opac-printed-'));
  readonly #counts = join(this.#folder, 'counts');

  /** The processes of the tests begin after this, with its environment. */
  onInit(): void {
    writeFileSync(this.#counts, '');
    process.env.OPAC_TESTS_PRINTED = this.#counts;
  }

  onTestRunEnd(): void {
    const counts = readFileSync(this.#counts, 'utf8').split('\n').slice(0, -1).map(Number);
    const bytes = counts.reduce((sum, count) => sum + count, 0);
    rmSync(this.#folder, { recursive: true, force: true });
    const [runs, printed] = [counts.length, bytes].map((number) => number.toLocaleString('en'));
    process.stdout.write(`searched for secrets: ${printed} bytes that ${runs} runs of the program printed\n`);
  }
}
