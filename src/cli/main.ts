/** The program: answers at once what needs no command, else runs one, and gives the exit code. */
import { VERSION } from '../service/version.js';
import { print } from './output/print.js';

/** Runs the program with its arguments (without `node` and the script) and gives the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const text = await textFor(argv);
  if (text === undefined) {
    const { run } = await import('./run.js');
    return run(argv);
  }
  try {
    await print(text, process.stdout);
    return 0;
  } catch (error) {
    const { report } = await import('./run.js');
    return report(error, argv, { stderr: process.stderr, environment: process.env });
  }
}

/** What needs no command, and so none of the code that commands load; undefined for all else. */
async function textFor(argv: readonly string[]): Promise<string | undefined> {
  const [first, second] = argv;
  // The scripts of `opac completion` ask this at each press of the key.
  if (first === 'complete' && (second === '--' || second === '--line')) {
    const { complete } = await import('./completion/complete.js');
    return complete(argv.slice(1), process.env);
  }
  if (second !== undefined) return undefined;
  if (first === '--version' || first === '-V') return `${VERSION}\n`;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const { builtHelp } = await import('./help/built.js');
    return builtHelp(process.stdout, process.env);
  }
  return undefined;
}
