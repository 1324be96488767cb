/** The program: completes words for a shell, or runs a command. */
import { complete } from './completion/complete.js';
import { print } from './output/print.js';
import { printError, run } from './run.js';

/** Runs the program with its arguments (without `node` and the script) and returns the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first, form] = argv;
  // The scripts of `opac completion` call `opac complete`.
  if (first !== 'complete' || (form !== '--' && form !== '--line')) return run(argv);
  try {
    await print(await complete(argv.slice(1), process.env), process.stdout);
    return 0;
  } catch (error) {
    return printError(error, argv, { stderr: process.stderr, environment: process.env });
  }
}
