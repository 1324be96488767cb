/** The program: completes words for a shell at once, else runs a command, and gives the exit code. */
import { print } from './output/print.js';

/** Runs the program with its arguments (without `node` and the script) and gives the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first, form] = argv;
  const { printError, run } = await import('./run.js');
  // The scripts of `opac completion` ask this at each press of the key.
  if (first !== 'complete' || (form !== '--' && form !== '--line')) return run(argv);
  try {
    const { complete } = await import('./completion/complete.js');
    await print(await complete(argv.slice(1), process.env), process.stdout);
    return 0;
  } catch (error) {
    return printError(error, argv, { stderr: process.stderr, environment: process.env });
  }
}
