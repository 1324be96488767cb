/** The program: reads its arguments, runs one command, gives the exit code. */
import { VERSION } from '../service/version.js';

/** Runs the program with its arguments (without `node` and the script) and gives the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  // Asked by the scripts of `opac completion` at each press of the key.
  if (argv[0] === 'complete' && (argv[1] === '--' || argv[1] === '--line')) {
    const { complete } = await import('./completion/complete.js');
    process.stdout.write(await complete(argv.slice(1), process.env));
    return 0;
  }
  const { run } = await import('./run.js');
  return run(argv);
}
