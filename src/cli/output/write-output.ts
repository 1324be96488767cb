/** Writes data to standard output, or to a file. With `--dry-run`, files are not written. */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import type { Context } from '../context.js';
import { createOutputError } from './print.js';

const CHUNK_LENGTH = 64 * 1024;

export type Texts = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
export type Clean = ((text: string) => string) | undefined;

export function isShown({ terminal, globalOptions }: Pick<Context, 'terminal' | 'globalOptions'>): boolean {
  return terminal.isTerminal && globalOptions.output === undefined;
}

/** A pipe gets the exact data. A terminal gets the result of `clean`. */
export function getDataOutput(
  context: Pick<Context, 'terminal' | 'globalOptions' | 'stdout'>,
  clean: Clean,
): Writable {
  const { stdout } = context;
  if (!clean || !isShown(context)) return stdout;
  const decoder = new StringDecoder();
  return new Writable({
    write: (chunk: Buffer, _, done) => void stdout.write(clean(decoder.write(chunk)), done),
    final: (done) => void stdout.write(clean(decoder.end()), done),
  });
}

/** `clean` makes texts safe for a terminal; undefined for texts that were drawn for a terminal. */
export async function writeOutput(
  context: Pick<Context, 'globalOptions' | 'stdout' | 'signal' | 'note' | 'terminal'>,
  texts: Texts,
  clean?: Clean,
): Promise<void> {
  const { globalOptions, signal, note } = context;
  const { output: file, dryRun, force } = globalOptions;
  if (file !== undefined) {
    if (dryRun) return note(`"${file}" is not written, because of --dry-run`);
    const { writeFile } = await import('./write-file.js');
    return writeFile(file, joinChunks(texts), force, signal);
  }
  try {
    const output = getDataOutput(context, clean);
    await pipeline(Readable.from(joinChunks(texts)), output, { end: output !== context.stdout, signal });
  } catch (error) {
    throw createOutputError(error, 'internal');
  }
}

export function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

/** Joins short texts: one write per line would be slow. */
async function* joinChunks(texts: Texts): AsyncGenerator<string | Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    if (typeof text !== 'string') {
      yield text;
      continue;
    }
    waiting += text;
    if (waiting.length < CHUNK_LENGTH) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
