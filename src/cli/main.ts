/** The program: prints its version, completes words for a shell, or runs a command. */
import { VERSION } from '../service/version.js';

/** Returns the exit code. Never throws. `argv` begins with the word after `opac`. */
export async function main(argv: readonly string[]): Promise<number> {
  const version = getVersionText(argv);
  const { printError, run } = await import('./run.js');
  const [first, form] = argv;
  // The scripts of `opac completion` call `opac complete`.
  const isCompletion = first === 'complete' && (form === '--' || form === '--line');
  if (version === undefined && !isCompletion) return run(argv);
  try {
    const [{ complete }, { print }] = await Promise.all([
      import('./completion/complete.js'),
      import('./output/print.js'),
    ]);
    await print(version ?? (await complete(argv.slice(1), process.env)), process.stdout);
    return 0;
  } catch (error) {
    return printError(error, argv, { stderr: process.stderr, environment: process.env });
  }
}

const VERSION_WORDS = ['--version', '-V', '--verbose'];

function getVersionText(argv: readonly string[]): string | undefined {
  if (argv.every((word) => word === '--verbose') || !argv.every((word) => VERSION_WORDS.includes(word)))
    return undefined;
  const { arch, platform, versions } = process;
  const details = argv.includes('--verbose') ? `Node.js ${versions.node}\n${platform} ${arch}\n` : '';
  return `${VERSION}\n${details}`;
}
