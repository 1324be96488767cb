/** Programs of this machine that some tests need. */
import { spawnSync } from 'node:child_process';

/** Returns true if all programs exist. Otherwise, prints `leftOut`, which names the omitted tests. */
export function have(programs: readonly string[], leftOut: string): boolean {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length > 0)
    process.stderr.write(`omitted, because these programs are missing (${missing.join(', ')}): ${leftOut}\n`);
  return missing.length === 0;
}
