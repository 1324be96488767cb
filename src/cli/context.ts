/** The context of a command: streams, clock, options and client. */
import type { Readable, Writable } from 'node:stream';
import type { ProfileStore } from '../auth/store/profile-store.js';
import type { Client } from '../client/client.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { Format, GlobalOptions } from './options/global.js';
import type { ErrorOutput } from './output/terminal/error-output.js';
import type { Terminal } from './output/terminal/terminal.js';

/** The parts of the process that the program uses. Tests replace them. */
export interface Runtime {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. In a `Context`, also by `--deadline` and when the command ends. */
  readonly signal: AbortSignal;
  /** Returns false if opac must print the text instead. If undefined, opac never uses a pager. */
  readonly showInPager?: (text: string) => boolean;
}

export type DryRunLog = string[];

/** Returns a function that calls `create` once, and then always returns the result. */
export function createOnce<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

export interface Context extends Omit<Runtime, 'stderr'> {
  readonly stderr: ErrorOutput;
  readonly globalOptions: GlobalOptions;
  /** The command as the user typed it, without secrets. */
  readonly commandLine: string;
  readonly dryRunLog: DryRunLog | undefined;
  readonly terminal: Terminal;
  /** In CI, opac treats standard error as a file, not as a terminal. */
  readonly errorTerminal: Terminal;
  readonly format: Format | undefined;
  /** Prints a line on standard error, but not with `--quiet`. */
  readonly note: (text: string) => void;
  /** Prints `warning: <text>` on standard error, also with `--quiet`. */
  readonly warn: (text: string) => void;
  /** Prints a line on standard error with `--verbose` or `--debug`. */
  readonly noteVerbose: (text: string) => void;
  /** Sends all further messages to `say`, for example so that they do not overwrite a progress line. */
  readonly redirectMessages: (say: (line: string) => void) => void;
  /** Throws an OpacError of kind `auth` if no option, variable or profile selects a deployment. */
  readonly client: () => Promise<Client>;
  /** The files of `--from`. */
  readonly files: () => Promise<RecordFiles>;
  readonly profiles: () => Promise<ProfileStore>;
  /** Reads a file; `-` is standard input. */
  readonly readText: (file: string) => Promise<string>;
  /** Like `readText`, but also reads workbooks and Windows-1252. The text of a workbook begins with `sep=,`. */
  readonly readList: (file: string) => Promise<string>;
  /** Adds a task that runs after the command, also if the command fails. The tasks run in reverse order. */
  readonly addCleanup: (task: () => Promise<void>) => void;
}
