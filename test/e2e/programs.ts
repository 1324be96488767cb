/** Programs of this machine that some tests need. */
import { spawnSync } from 'node:child_process';

/** Returns true if all programs exist. Otherwise, prints `omittedTests`, which describes the tests that cannot run. */
export function hasPrograms(programs: readonly string[], omittedTests: string): boolean {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length > 0)
    process.stderr.write(
      `omitted, because these programs are missing (${missing.join(', ')}): ${omittedTests}\n`,
    );
  return missing.length === 0;
}
