/** Where data goes: standard output, or a file that is there whole or not at all. */
import { createWriteStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OpacError } from '../../service/errors.js';
import type { Context } from '../context.js';

/** Small pieces are gathered before they are written. */
const CHUNK = 64 * 1024;

/** Writes all text to where the settings say. Throws an OpacError when that does not take it. */
export async function writeAll(
  { settings, stdout, signal }: Context,
  texts: AsyncIterable<string | Buffer>,
): Promise<void> {
  if (settings.output === undefined) {
    try {
      await pipeline(Readable.from(gathered(texts)), stdout, { end: false, signal });
    } catch (error) {
      const { outputError } = await import('./output-error.js');
      throw outputError(error, 'internal');
    }
    return;
  }
  await writeFileWhole(settings.output, texts, signal);
}

/** Writes a part file beside the target, and gives it the target's name when it is whole. */
async function writeFileWhole(
  file: string,
  texts: AsyncIterable<string | Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const [{ compressionOf }, { fileError }] = await Promise.all([
    import('../../export/files/compression.js'),
    import('../../export/files/file-error.js'),
  ]);
  const [existing, itself] = await Promise.all(
    [stat(file), lstat(file)].map((asked) => asked.catch(() => undefined)),
  );
  if (existing?.isDirectory()) throw new OpacError('internal', `cannot write "${file}": it is a folder`);
  // A link, a pipe or a device (/dev/stdout, /dev/null) is written to, and must not be replaced by a file.
  const part = itself === undefined || itself.isFile() ? `${file}.part` : file;
  const compression = compressionOf(file);
  const source = Readable.from(gathered(texts));
  const target = createWriteStream(part);
  // What makes the data may fail as well, and that is not the file's fault.
  const failed = new Promise<never>((_, reject) =>
    target.once('error', (error) => reject(signal.aborted ? signal.reason : fileError(error, 'write', part))),
  );
  const written = compression
    ? pipeline(source, compression.compress(), target, { signal })
    : pipeline(source, target, { signal });
  try {
    await Promise.race([written, failed]);
    if (part !== file)
      await rename(part, file).catch((error) => Promise.reject(fileError(error, 'write', file)));
  } catch (error) {
    const isKept = error instanceof OpacError && error.kind === 'internal';
    if (!isKept && part !== file) await rm(part, { force: true });
    throw error;
  } finally {
    failed.catch(() => {});
    written.catch(() => {});
  }
}

/** True for the error of a reader that went away: `| head`. */
export function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

async function* gathered(texts: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  let waiting = '';
  for await (const text of texts) {
    if (typeof text !== 'string') {
      yield text;
      continue;
    }
    waiting += text;
    if (waiting.length < CHUNK) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
