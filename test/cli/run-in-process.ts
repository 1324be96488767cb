/** Runs the program in this process with streams in memory and an environment of its own. */
import { Readable, Writable } from 'node:stream';
import type { Runtime } from '../../src/cli/context.js';
import { runWith } from '../../src/cli/run.js';
import { expectNoSecret } from '../printed.js';

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Readable;
  readonly signal?: AbortSignal;
  /** Standard output and standard error are a terminal of that many columns. */
  readonly columns?: number;
  readonly showInPager?: (text: string) => boolean;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. Nothing of the machine's own environment is seen by it. */
export async function opac(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const stdout = new Memory(options.columns);
  const stderr = new Memory(options.columns);
  const world: Runtime = {
    stdin: options.stdin instanceof Readable ? options.stdin : Readable.from([options.stdin ?? '']),
    stdout,
    stderr,
    environment: { OPAC_CONFIG_DIR: '/nowhere', LANG: 'C.UTF-8', ...options.environment },
    now: Date.now,
    signal: options.signal ?? new AbortController().signal,
    ...(options.showInPager && { showInPager: options.showInPager }),
  };
  const code = await runWith(world, argv);
  const ended = { code, stdout: stdout.text, stderr: stderr.text };
  const stdin = typeof options.stdin === 'string' ? options.stdin : '';
  expectNoSecret({ ...ended, words: argv, environment: world.environment, stdin });
  return ended;
}

/** A stream that keeps what was written, and says that it is a terminal when it was given a width. */
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
