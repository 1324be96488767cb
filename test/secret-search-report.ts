/** Prints at the end of the tests how much of their output was searched for secrets (test/secret-search.ts). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

export default class PrintedTotal implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'opac-printed-'));
  readonly #counts = join(this.#folder, 'counts');

  /** The processes of the tests start after this call, and inherit the environment. */
  onInit(): void {
    writeFileSync(this.#counts, '');
    process.env.OPAC_TESTS_PRINTED = this.#counts;
  }

  onTestRunEnd(): void {
    const lines = readFileSync(this.#counts, 'utf8').split('\n').slice(0, -1);
    rmSync(this.#folder, { recursive: true, force: true });
    const sum = (what: string) => {
      const counts = lines.flatMap((line) => (line.startsWith(what) ? [Number(line.split(' ')[1])] : []));
      const bytes = counts.reduce((total, count) => total + count, 0);
      return [bytes, counts.length].map((number) => number.toLocaleString('en')) as [string, string];
    };
    const [printed, runs] = sum('printed');
    const [left, files] = sum('left');
    process.stdout.write(
      `searched for secrets: ${printed} bytes that ${runs} runs printed, and ${left} bytes in ${files} files that they left\n`,
    );
  }
}
