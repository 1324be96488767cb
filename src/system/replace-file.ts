/** Replaces a file atomically: even after a power cut the path has the complete old file or the complete new file. */
import { constants, createReadStream, type Stats } from 'node:fs';
import { type FileHandle, lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppendFile, type NewFile } from './append-file.js';
import type { Compression } from './compression.js';
import { fileError } from './file-error.js';
import type { Digest } from './finished-file.js';
import { syncFolder } from './folders.js';
import { openExclusively, openRegularFile } from './regular-file.js';

const PIECE_BYTES = 1 << 20;

export type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface WriteOptions extends NewFile {
  readonly compression?: Compression | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReplaceOptions extends WriteOptions {
  /** The path of the new file until it is complete. Default: `path` with the ending `.opac-new`. */
  readonly temporary?: string | undefined;
  /** Called when the new file is complete, before it replaces the old file. */
  readonly onWritten?: (() => Promise<void>) | undefined;
}

/** Without `mode`, the new file has the permissions of the old file. Throws the reason of the signal, or an OpacError. */
export async function replaceFile(
  path: string,
  content: Content,
  { temporary = `${path}.opac-new`, onWritten, ...options }: ReplaceOptions = {},
): Promise<Digest> {
  try {
    // The unfinished file already has these permissions, so that users who cannot read the old file cannot read the new file.
    const mode = options.mode ?? (await readMode(path));
    const digest = await writeNewFile(temporary, content, { named: path, ...options, mode });
    await onWritten?.();
    await moveIntoPlace(temporary, path, options.mode);
    await syncFolder(dirname(path));
    return digest;
  } catch (error) {
    // Free the space, because the disk may be full.
    await rm(temporary, { force: true }).catch(() => undefined);
    options.signal?.throwIfAborted();
    throw fileError(error, 'write', path);
  }
}

/** Writes and syncs a file, but does not sync its folder. Throws the reason of the signal, or an OpacError. */
export async function writeNewFile(
  path: string,
  content: Content,
  { compression, signal, named = path, mode }: WriteOptions = {},
): Promise<Digest> {
  const pieces =
    content instanceof Uint8Array ? splitBytes(content) : typeof content === 'string' ? [content] : content;
  try {
    const file = await AppendFile.create(path, { named, mode });
    // The error of the disk. The pipeline may throw another error, because a stream ended early.
    let failure: unknown;
    try {
      const append = async (bytes: AsyncIterable<Buffer>) => {
        try {
          for await (const piece of bytes) await file.append(piece);
        } catch (error) {
          failure = error;
          throw error;
        }
      };
      const compressed = compression?.compress() ?? new PassThrough();
      await pipeline(Readable.from(pieces), compressed, append, { signal });
      await file.sync();
      return { bytes: file.bytes, sha256: file.sha256() };
    } catch (error) {
      throw failure ?? error;
    } finally {
      await file.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, 'write', named);
  }
}

/** An abort takes effect only between two pieces. */
function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Returns the permissions of a regular file; undefined if the path is something else or does not exist. */
export async function readMode(path: string): Promise<number | undefined> {
  const before = await lstat(path).catch(() => undefined);
  return before?.isFile() ? before.mode & 0o777 : undefined;
}

export async function copyToNewFile(
  source: AppendFile,
  path: string,
  { mode, signal }: Pick<WriteOptions, 'mode' | 'signal'>,
): Promise<Digest> {
  const { bytes } = source;
  try {
    const copy = await openExclusively(path, mode);
    try {
      for await (const piece of createReadStream(source.path, { highWaterMark: PIECE_BYTES, signal }))
        await copy.writeFile(piece);
      await copy.datasync();
      const { size } = await copy.stat();
      if (size !== bytes) throw new Error(`"${source.path}" has changed`);
    } finally {
      await copy.close();
    }
    return { bytes, sha256: source.sha256() };
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, 'write', path);
  }
}

/** Renames a file to `to`. Without `mode`, keeps the permissions of the old file. The caller must sync the folder. */
export async function moveIntoPlace(from: string, to: string, mode?: number): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(to).catch(() => undefined);
    // Another user of the folder may replace the path with a link at any time, but cannot replace the open file.
    handle = await openRegularFile(from, constants.O_RDONLY);
    const now = await handle.stat();
    if (before?.isFile() && mode === undefined) await keepPermissions(handle, before, now);
    await rename(from, to);
    const moved = await lstat(to);
    if (!moved.isFile() || moved.size !== now.size)
      throw new Error('another program changed it in the meantime');
  } catch (error) {
    throw fileError(error, 'write', to);
  } finally {
    await handle?.close();
  }
}

/** Users who could not read the old file cannot read the new file. Ignores errors: some file systems have no permissions. */
async function keepPermissions(handle: FileHandle, before: Stats, now: Stats): Promise<void> {
  const isOwn = before.uid === now.uid;
  if (isOwn) await handle.chown(now.uid, before.gid).catch(() => undefined);
  await handle.chmod(before.mode & (isOwn ? 0o777 : now.mode) & 0o777).catch(() => undefined);
}
