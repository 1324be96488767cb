/** Creates the context of one command. */
import { addAbortSignal } from 'node:stream';
import { OpacError, UsageError } from '../service/errors.js';
import { redactKnownSecrets } from '../service/redact.js';
import { type Context, createOnce, type DryRunLog, type Runtime } from './context.js';
import { formatShellWord } from './description/shell-words.js';
import type { GlobalOptions } from './options/global.js';
import { findRequestedFormat } from './options/output-kind.js';
import { createErrorOutput } from './output/terminal/error-output.js';
import { detectErrorTerminal, detectTerminal } from './output/terminal/terminal.js';

/** `end` closes everything that the context opened. */
export function createContext(
  world: Runtime,
  globalOptions: GlobalOptions,
  argv: readonly string[],
  profiles: Context['profiles'],
  dryRunLog: DryRunLog | undefined,
): { readonly context: Context; readonly end: () => Promise<void> } {
  const tasks: (() => Promise<void>)[] = [];
  // Aborts requests in progress when the command has ended, for example because the reader of its output closed the pipe.
  const ending = new AbortController();
  const errorTerminal = detectErrorTerminal(world.stderr, world.environment, globalOptions.color);
  const stderr = createErrorOutput(world.stderr, errorTerminal);
  let say: (line: string) => void = stderr.say;
  const context: Context = {
    ...world,
    stderr,
    signal: AbortSignal.any([world.signal, ending.signal]),
    globalOptions,
    commandLine: redactKnownSecrets(['opac', ...argv].map(formatShellWord).join(' ')),
    dryRunLog,
    terminal: detectTerminal(world.stdout, world.environment, globalOptions.color),
    errorTerminal,
    format: findRequestedFormat(globalOptions),
    note: (line) => {
      if (!globalOptions.quiet) say(line);
    },
    warn: (text) => say(`warning: ${text}`),
    noteVerbose: (line) => {
      if (globalOptions.verbose || globalOptions.debug) say(line);
    },
    redirectMessages: (write) => {
      say = write;
    },
    client: createOnce(() => import('./connect.js').then(({ connect }) => connect(context))),
    files: createOnce(async () => {
      const { findRecordFiles } = await import('./options/files/record-files.js');
      const found = await findRecordFiles(globalOptions.from, context.signal);
      found.warnings.forEach(context.warn);
      return found;
    }),
    profiles,
    readText: async (file) => (await importInputFile()).decodeText(await readBytes(file, world), file),
    readList: async (file) =>
      (await importInputFile()).decodeList(await readBytes(file, world), file, context.note, context.signal),
    addCleanup: (task) => void tasks.unshift(task),
  };
  const end = async () => {
    ending.abort(new OpacError('interrupted', 'the command has ended'));
    for (const task of tasks.splice(0)) await task();
  };
  return { context, end };
}

const importInputFile = () => import('./options/files/input-file.js');

async function readBytes(file: string, { stdin, signal }: Runtime): Promise<Buffer> {
  const { readInput, readInputFile } = await importInputFile();
  if (file !== '-') return readInputFile(file, signal);
  // The signal ends the read, because standard input may never end.
  return readInput(addAbortSignal(signal, stdin), file).catch((error) => {
    signal.throwIfAborted();
    throw error instanceof UsageError ? error : new UsageError('cannot read "-"');
  });
}
