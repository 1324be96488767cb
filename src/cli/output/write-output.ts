/** Writes data to standard output, or to a file that appears only when it is complete. With `--dry-run` no file is written. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { OpacError, UsageError } from '../../service/errors.js';
import type { Context } from '../context.js';

const CHUNK = 64 * 1024;

export type Clean = ((text: string) => string) | undefined;

export function isShown({ terminal, globalOptions }: Pick<Context, 'terminal' | 'globalOptions'>): boolean {
  return terminal.isTerminal && globalOptions.output === undefined;
}

/** Standard output for data, which stays exact in a pipe. A terminal gets it by `clean`, so that it acts on nothing in it. */
export function dataOutput(
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

/** `clean`: what makes the texts safe on a terminal, for texts that were not drawn for one. */
export async function writeOutput(
  context: Pick<Context, 'globalOptions' | 'stdout' | 'signal' | 'note' | 'terminal'>,
  texts: AsyncIterable<string | Uint8Array>,
  clean?: Clean,
): Promise<void> {
  const { globalOptions, signal, note } = context;
  if (globalOptions.output === undefined) {
    try {
      const output = dataOutput(context, clean);
      await pipeline(Readable.from(joinChunks(texts)), output, { end: output !== context.stdout, signal });
    } catch (error) {
      const { outputError } = await import('./output-error.js');
      throw outputError(error, 'internal');
    }
    return;
  }
  if (globalOptions.dryRun) return note(`"${globalOptions.output}" is not written: --dry-run`);
  await writeFileAtomically(globalOptions.output, texts, globalOptions.force, signal);
}

/** Replaces a file when the new one is complete; another run that writes the target keeps it. */
async function writeFileAtomically(
  file: string,
  texts: AsyncIterable<string | Uint8Array>,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const manifest = await manifestOf(file, force);
  const [
    { fileError },
    { openOutput },
    { getPathType },
    { acquireLock },
    { replaceFile },
    { createExportPaths },
  ] = await Promise.all([
    import('../../system/file-error.js'),
    import('../../system/open-output.js'),
    import('../../system/output-path.js'),
    import('../../system/lock.js'),
    import('../../system/replace-file.js'),
    import('../../export/export-paths.js'),
  ]);
  const { compression, lock: lockPath } = createExportPaths(file);
  // A manifest must never stand beside a file that it does not describe.
  const removeManifest = async () => {
    if (manifest === undefined) return;
    await rm(manifest, { force: true }).catch((error) =>
      Promise.reject(fileError(error, 'remove', manifest)),
    );
  };
  const occupant = await getPathType(file);
  if (occupant === 'folder') throw new OpacError('internal', `cannot write "${file}": it is a folder`);
  // A pipe or a device (/dev/stdout, /dev/null) must not be replaced by a file.
  if (occupant === 'stream') {
    try {
      const output = await openOutput(file, signal);
      const compressed = compression?.compress() ?? new PassThrough();
      await pipeline(Readable.from(joinChunks(texts)), compressed, output, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw fileError(error, 'write', file);
    }
    return removeManifest();
  }
  const lock = await acquireLock(lockPath, file, { signal, advice: 'choose another file, or ' });
  try {
    await replaceFile(file, joinChunks(texts), { compression, signal, onWritten: removeManifest });
  } finally {
    await lock.release();
  }
}

/** The manifest of the export that has the file. Throws a UsageError when there is one, and it must not be replaced. */
async function manifestOf(file: string, force: boolean): Promise<string | undefined> {
  const [{ manifestPath }, { pathExists }] = await Promise.all([
    import('../../export/export-paths.js'),
    import('../../system/error-code.js'),
  ]);
  const ofSplit = manifestPath(file.replace(/-\d{3,}(?=\.[^/\\]*$|$)/, ''));
  const own = manifestPath(file);
  const isOwn = await pathExists(own);
  const manifest = isOwn || !(await namesFile(ofSplit, file)) ? own : ofSplit;
  if (!isOwn && manifest === own) return undefined;
  if (force) return manifest;
  throw new UsageError(
    manifest === own
      ? `"${file}" is an export with a manifest`
      : `"${file}" is part of a split export with a manifest, "${manifest}"`,
    'choose another name, or replace it and remove the manifest with --force',
  );
}

async function namesFile(manifest: string, file: string): Promise<boolean> {
  const { readManifest } = await import('../../export/verify/manifest.js');
  const { files } = (await readManifest(manifest).catch(() => undefined)) ?? { files: [] };
  return files.some(({ name }) => name === basename(file));
}

/** True for the error of a closed pipe: `| head`. */
export function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

async function* joinChunks(texts: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
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
