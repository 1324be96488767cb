/** Spawns the built program, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/opac.js', import.meta.url));
const { PROGRAM } = process.env;

/** The program under test: the built package, or the executable that PROGRAM names. */
export const COMMAND: readonly [string, ...string[]] = PROGRAM ? [PROGRAM] : [process.execPath, BIN];

/** A shell script that runs the program, for a test that needs a command called `opac`. */
export const SCRIPT = `exec ${COMMAND.map((word) => `"${word}"`).join(' ')} "$@"`;

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly folder?: string;
  /** Maximum size of the files that opac writes, to simulate a full disk. In bytes, rounded down to blocks of 512. */
  readonly largestFile?: number;
}

/** Limits the size of files to the first argument, in blocks of 512 bytes (POSIX). Then runs the program in the others. */
const WITH_LIMIT = ['sh', '-c', 'ulimit -f "$1"; shift; exec "$@"', 'sh'];

/** Creates an empty folder, and removes it when the test ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `opac` with `environment` and PATH, but without other variables of this process. Kills it when the test ends. */
export function start(
  words: readonly string[],
  { environment = {}, folder, largestFile }: RunOptions = {},
): ChildProcess {
  const limit = largestFile === undefined ? [] : [...WITH_LIMIT, String(Math.floor(largestFile / 512))];
  const [program = '', ...rest] = [...limit, ...COMMAND, ...words];
  const child = spawn(program, rest, {
    cwd: folder,
    // A deprecated call is a bug in opac, so it must fail the test.
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: '--throw-deprecation',
      NODE_DISABLE_COMPILE_CACHE: '1',
      OPAC_CONFIG_DIR: '/nowhere',
      ...environment,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs `opac` to its end. */
export async function opac(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = start(words, options);
  child.stdin?.end(options.stdin ?? '');
  return waitForEnd(child);
}

/** Waits for the end of a process. Returns its exit code and its output. */
export async function waitForEnd(child: ChildProcess): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}

/** Splits a command line of the help or the documents into words, as a POSIX shell would for plain and quoted words. */
export function splitCommandLine(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}
