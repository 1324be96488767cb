/** Writes a file that appears only when it is complete. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertNotOwnName, createExportPaths, manifestPath } from '../../export/export-paths.js';
import { readManifest } from '../../export/verify/manifest.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { pathExists } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { acquireLock } from '../../system/lock.js';
import { openOutput } from '../../system/open-stream.js';
import { createLinkError, getPathType } from '../../system/output-path.js';
import { replaceFile } from '../../system/replace-file.js';

/**
 * Throws a UsageError if the file is an export with a manifest, unless `force` is true: then also deletes the manifest. Throws an
 * OpacError if another run is writing the file.
 */
export async function writeFile(
  file: string,
  data: AsyncIterable<string | Uint8Array>,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  assertNotOwnName(file);
  const manifest = await findManifest(file, force);
  const { compression, lock: lockPath } = createExportPaths(file);
  // A manifest must not exist next to a file that it does not describe.
  const deleteManifest = async () => {
    if (manifest === undefined) return;
    await rm(manifest, { force: true }).catch((error) =>
      Promise.reject(fileError(error, 'remove', manifest)),
    );
  };
  const pathType = await getPathType(file);
  if (pathType === 'link') throw createLinkError(file);
  if (pathType === 'foreign')
    throw new UsageError(`"${file}" is a pipe or device of another user`, 'choose another file');
  if (pathType === 'folder') throw new OpacError('internal', `cannot write "${file}": it is a folder`);
  // A file must not replace a pipe or a device (/dev/stdout, /dev/null).
  if (pathType === 'stream') {
    try {
      const output = await openOutput(file, signal);
      await pipeline(Readable.from(data), compression?.compress() ?? new PassThrough(), output, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw fileError(error, 'write', file);
    }
    return deleteManifest();
  }
  const lock = await acquireLock(lockPath, file, { signal, advice: 'choose another file, or ' });
  try {
    const onWritten = async () => {
      lock.assertHeld();
      await deleteManifest();
    };
    await replaceFile(file, data, { compression, signal, onWritten });
  } finally {
    await lock.release();
  }
}

/** Returns the path of the manifest that describes `file`, if any. If it exists and `force` is false, throws a UsageError. */
async function findManifest(file: string, force: boolean): Promise<string | undefined> {
  const own = manifestPath(file);
  const hasOwn = await pathExists(own);
  const ofSplit = manifestPath(file.replace(/-\d{3,}(?=\.[^/\\]*$|$)/, ''));
  if (!hasOwn && !(await isListedIn(ofSplit, file))) return undefined;
  const manifest = hasOwn ? own : ofSplit;
  if (force) return manifest;
  throw new UsageError(
    hasOwn
      ? `"${file}" is an export with a manifest`
      : `"${file}" belongs to a split export with the manifest "${manifest}"`,
    'choose another name, or replace the file and delete the manifest with --force',
  );
}

async function isListedIn(manifest: string, file: string): Promise<boolean> {
  const { files } = (await readManifest(manifest).catch(() => undefined)) ?? { files: [] };
  return files.some(({ name }) => name === basename(file));
}
