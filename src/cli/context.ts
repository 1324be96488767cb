/** What a command is given to work with: streams, clock, settings, and the way to the deployment, each made when asked for. */

import type { Readable, Writable } from 'node:stream';
import type { ProfileStore } from '../auth/store/profiles.js';
import type { Client } from '../client/client.js';
import type { Format, GlobalOptions } from './options/global.js';
import type { Terminal } from './output/terminal/terminal.js';

/** The world around the program, so that a test can put another in its place. */
export interface World {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
}

/** Lines of a shell script. */
export type DryRunLog = string[];

export interface Context extends World {
  readonly settings: GlobalOptions;
  /** The command as it was typed. It can hold no secret: none is taken as an argument. */
  readonly commandLine: string;
  /** With `--dry-run`: where requests are written down instead of being sent. */
  readonly dryRunLog: DryRunLog | undefined;
  /** Of standard output. */
  readonly terminal: Terminal;
  /** Of standard error. */
  readonly errorTerminal: Terminal;
  /** The format asked for, by `--format` or by the ending of `--output`. */
  readonly format: Format | undefined;
  /** Says something to the person, on standard error; nothing with `--quiet`. */
  readonly note: (text: string) => void;
  /** The same with `--verbose` alone. */
  readonly detail: (text: string) => void;
  /** From now on what is said goes by this way: for what draws on the terminal and must not be drawn into. */
  readonly redirectMessages: (say: (line: string) => void) => void;
  /** The client for the deployment asked for. Throws a UsageError when none was named and no profile is in use. */
  readonly client: () => Promise<Client>;
  /** The profiles of this user. */
  readonly profiles: () => Promise<ProfileStore>;
  /** The text of a file, or of standard input for `-`. */
  readonly readText: (file: string) => Promise<string>;
  /** Runs when the command has ended, whatever its end; the last one first. */
  readonly atEnd: (task: () => Promise<void>) => void;
}
