/** Spawns the built program, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const BIN = fileURLToPath(new URL('../../bin/opac.js', import.meta.url));

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly folder?: string;
  /** Bytes that its files may not grow past, as if the disk ended there; rounded down to blocks of 512. */
  readonly largestFile?: number;
}

/** Sets the limit that is its first argument, and becomes the program that the others are. POSIX counts in blocks of 512 bytes. */
const WITH_LIMIT = ['sh', '-c', 'ulimit -f "$1"; shift; exec "$@"', 'sh'];

/** A new empty folder, removed when the test has ended. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `opac` with only the environment a test gives it; the process is killed when the test has ended. */
export function start(
  words: readonly string[],
  { environment = {}, folder, largestFile }: RunOptions = {},
): ChildProcess {
  const limit = largestFile === undefined ? [] : [...WITH_LIMIT, String(Math.floor(largestFile / 512))];
  const [program = '', ...rest] = [...limit, process.execPath, BIN, ...words];
  const child = spawn(program, rest, {
    cwd: folder,
    // Deprecated calls are faults of ours, so they must fail the test.
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: '--throw-deprecation',
      OPAC_CONFIG_DIR: '/nowhere',
      ...environment,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs `opac` to its end. */
export async function opac(words: readonly string[], surroundings: RunOptions = {}): Promise<RunResult> {
  const child = start(words, surroundings);
  child.stdin?.end(surroundings.stdin ?? '');
  return ended(child);
}

/** Waits for the end of a process and gives what it printed. */
export async function ended(child: ChildProcess): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}

/** Splits a command line of the help or the documents into words, as a POSIX shell would for plain and quoted words. */
export function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}
