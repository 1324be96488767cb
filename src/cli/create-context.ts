/** Creates the context of one command, and ends it. */
import { addAbortSignal } from 'node:stream';
import type { Client } from '../client/client.js';
import { OpacError, UsageError } from '../service/errors.js';
import { redactSecrets } from '../service/redact.js';
import { shellWord } from './command/shell-words.js';
import type { Context, DryRunLog, World } from './context.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { GlobalOptions } from './options/global.js';
import { requestedFormat } from './options/output-kind.js';
import { errorOutput } from './output/terminal/error-output.js';
import { errorTerminalOf, terminalOf } from './output/terminal/terminal.js';

/** The context of one command, and the function that closes everything it opened. */
export function createContext(
  world: World,
  settings: GlobalOptions,
  argv: readonly string[],
  profiles: Context['profiles'],
  dryRunLog: DryRunLog | undefined,
): { readonly context: Context; readonly end: () => Promise<void> } {
  const tasks: (() => Promise<void>)[] = [];
  // Aborts what is still waiting when the command has ended, such as pages for a closed pipe.
  const ending = new AbortController();
  let client: Promise<Client> | undefined;
  let files: Promise<RecordFiles> | undefined;
  const errorTerminal = errorTerminalOf(world.stderr, world.environment, { color: settings.color });
  const stderr = errorOutput(world.stderr, errorTerminal);
  let say: (line: string) => void = stderr.say;
  const context: Context = {
    ...world,
    stderr,
    signal: AbortSignal.any([world.signal, ending.signal]),
    settings,
    commandLine: redactSecrets(['opac', ...argv].map(shellWord).join(' ')),
    dryRunLog,
    terminal: terminalOf(world.stdout, world.environment, { color: settings.color }),
    errorTerminal,
    format: requestedFormat(settings),
    note: (line) => {
      if (!settings.quiet) say(line);
    },
    detail: (line) => {
      if (settings.verbose || settings.debug) say(line);
    },
    redirectMessages: (way) => {
      say = way;
    },
    client: () => {
      client ??= import('./connect.js').then(({ connect }) => connect(context));
      return client;
    },
    files: () => {
      files ??= import('./options/files/record-files.js').then(({ findRecordFiles }) =>
        findRecordFiles(settings.from, context.note, context.signal),
      );
      return files;
    },
    profiles,
    readText: (file) => readText(file, world),
    atEnd: (task) => void tasks.unshift(task),
  };
  const end = async () => {
    ending.abort(new OpacError('interrupted', 'the command has ended'));
    for (const task of tasks.splice(0)) await task();
  };
  return { context, end };
}

async function readText(file: string, { stdin, signal }: World): Promise<string> {
  const { decodeText, readInput, readInputFile } = await import('./options/files/input-file.js');
  if (file !== '-') return decodeText(await readInputFile(file, signal), file);
  // Whoever writes there may never end.
  const bytes = await readInput(addAbortSignal(signal, stdin), file).catch((error) => {
    signal.throwIfAborted();
    throw error instanceof UsageError ? error : new UsageError('cannot read "-"');
  });
  return decodeText(bytes, file);
}
