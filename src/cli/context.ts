/** What a command works with: streams, clock, settings, and what leads to the deployment, created on demand. */

import type { Readable, Writable } from 'node:stream';
import type { ProfileStore } from '../auth/store/profile-store.js';
import type { Client } from '../client/client.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { Format, GlobalOptions } from './options/global.js';
import type { ErrorOutput } from './output/terminal/error-output.js';
import type { Terminal } from './output/terminal/terminal.js';

/** The process around the program, which tests replace. */
export interface Runtime {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Shows help on a terminal; returns false if the help must be printed. Undefined: print all help. */
  readonly showInPager?: (text: string) => boolean;
}

export type DryRunLog = string[];

export interface Context extends Omit<Runtime, 'stderr'> {
  readonly stderr: ErrorOutput;
  readonly globalOptions: GlobalOptions;
  /** The command as it was typed; it holds no secret, because no argument takes one. */
  readonly commandLine: string;
  readonly dryRunLog: DryRunLog | undefined;
  readonly terminal: Terminal;
  /** Of standard error; not a terminal in CI, where nobody watches. */
  readonly errorTerminal: Terminal;
  readonly format: Format | undefined;
  /** Prints a line on standard error, unless `--quiet`. */
  readonly note: (text: string) => void;
  /** The same, only with `--verbose` or `--debug`. */
  readonly noteVerbose: (text: string) => void;
  /** Sends messages to `say` from now on: a progress line must not be drawn into. */
  readonly redirectMessages: (say: (line: string) => void) => void;
  /** Throws a UsageError when no deployment is named and no profile is current. */
  readonly client: () => Promise<Client>;
  /** The files of `--from`. */
  readonly files: () => Promise<RecordFiles>;
  readonly profiles: () => Promise<ProfileStore>;
  /** The text of a file, or of standard input for `-`. */
  readonly readText: (file: string) => Promise<string>;
  /** Runs when the command has ended or failed; the last task first. */
  readonly addCleanup: (task: () => Promise<void>) => void;
}
