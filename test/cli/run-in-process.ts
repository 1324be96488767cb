/** Runs opac in this process, with streams in memory and its own environment. */
import { Readable, Writable } from 'node:stream';
import type { Runtime } from '../../src/cli/context.js';
import { runWith } from '../../src/cli/run.js';
import { expectNoSecret } from '../secret-search.js';

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Readable;
  readonly signal?: AbortSignal;
  /** Width of the terminal. If undefined, standard output and standard error are not a terminal. */
  readonly columns?: number;
  readonly showInPager?: (text: string) => boolean;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end, without the environment of this process. Throws an error if opac prints a secret. */
export async function opac(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const stdout = new Memory(options.columns);
  const stderr = new Memory(options.columns);
  const runtime: Runtime = {
    stdin: options.stdin instanceof Readable ? options.stdin : Readable.from([options.stdin ?? '']),
    stdout,
    stderr,
    environment: { OPAC_CONFIG_DIR: '/nowhere', LANG: 'C.UTF-8', ...options.environment },
    now: Date.now,
    signal: options.signal ?? new AbortController().signal,
    ...(options.showInPager && { showInPager: options.showInPager }),
  };
  const code = await runWith(runtime, argv);
  const result = { code, stdout: stdout.text, stderr: stderr.text };
  const stdin = typeof options.stdin === 'string' ? options.stdin : '';
  expectNoSecret({ ...result, words: argv, environment: runtime.environment, stdin });
  return result;
}

/** A stream that stores its text. If it has a width, it is a terminal. */
class Memory extends Writable {
  text = '';
  readonly isTTY: boolean;
  declare readonly columns?: number;

  constructor(columns: number | undefined) {
    super({ decodeStrings: false });
    this.isTTY = columns !== undefined;
    if (columns !== undefined) this.columns = columns;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
