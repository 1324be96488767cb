/** The program: reads its arguments, runs one command, gives the exit code. */
import { VERSION } from '../service/version.js';

/** Runs the program with its arguments (without `node` and the script) and gives the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { run } = await import('./run.js');
  return run(argv);
}
