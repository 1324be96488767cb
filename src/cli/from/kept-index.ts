/**
 * Exported files with an index in the cache folder, so that only the first command reads them whole. An index is trusted only
 * as the user's own file, whole, and made of these very files by this version; else it is made again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants, fstatSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RecordsPlace } from '../../mock/files/kept-records.js';
import { keepRecords, openKeptRecords, type RecordMuseum } from '../../mock/museum.js';
import { UsageError } from '../../service/errors.js';
import { VERSION } from '../../service/version.js';
import { openOurs } from '../../system/our-file.js';
import { checkedRecords } from './checked-records.js';
import { readAt, SectionFileReader, SectionFileWriter } from './section-file.js';

export interface KeptIndex {
  readonly museum: RecordMuseum;
  /** Throws a UsageError when a file is not what it was when it was opened. */
  assertUnchanged(): void;
  /** Removes the index. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Raised whenever the index, or what is kept in it, takes another form between two versions. */
const FORM = 1;

const MEGABYTE = 1024 * 1024;

/** Bytes of files that are read as fast without an index, and of all indexes together. */
const LEAST = MEGABYTE;
const MOST = 2048 * MEGABYTE;

/** Bytes at either end of a file that tell it from another of the same size and time. */
const SAMPLE = 64 * 1024;

/** Milliseconds that no process needs to make an index. */
const LONGEST = 60 * 60 * 1000;

/** Milliseconds: a file that changed just now can change again within the same tick of its file system. */
const TICK = 2000;

/** The index of these files, made when there is none; undefined where none can be kept. */
export async function openKeptIndex(
  paths: readonly string[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<KeptIndex | undefined> {
  const handles: FileHandle[] = [];
  const close = async () => {
    for (const handle of handles.splice(0)) await handle.close();
  };
  try {
    if (!isOurs(await lstat(folder), 'isDirectory')) return undefined;
    for (const path of paths) handles.push(await open(path));
    const { key, name, changed, size } = await identityOf(paths, handles);
    if (size < LEAST) throw new RangeError('the files are read as fast without an index');
    const target = join(folder, name);
    const kept = await readIndex(target, key);
    if (!kept && Date.now() - changed < TICK) throw new RangeError('the files are too new to be told apart');
    const { place, handle } = kept ?? (await makeIndex(target, key, paths, signal));
    handles.push(handle);
    const files = handles.slice(0, paths.length).map(({ fd }) => fd);
    const reader = new SectionFileReader(handle.fd);
    return {
      museum: openKeptRecords(place, files.length, reader, (file, ...range) =>
        readAt(files[file] as number, ...range),
      ),
      assertUnchanged: unchangedSince(files, paths),
      forget: () => rm(target, { force: true }),
      close,
    };
  } catch {
    await close();
    signal?.throwIfAborted();
    // Whatever it was: reading the files without an index tells of what is wrong with them.
    return undefined;
  }
}

type Found = Awaited<ReturnType<typeof lstat>>;

/** Whether it is a file or a folder, not a link to one, that only this user can write to. */
function isOurs(found: Found, is: 'isFile' | 'isDirectory'): boolean {
  const { uid, mode } = found;
  return (
    found[is]() &&
    (process.platform === 'win32' || (uid === process.getuid?.() && (Number(mode) & 0o022) === 0))
  );
}

/** What tells these files from others and from what they were, and the name of their index. */
async function identityOf(paths: readonly string[], handles: readonly FileHandle[]) {
  const real = await Promise.all(paths.map((path) => realpath(path)));
  // Which texts are the same without accents depends on the version of Unicode.
  const parts: unknown[] = [VERSION, FORM, process.versions.unicode, process.arch];
  let [changed, size] = [0, 0];
  for (const [number, handle] of handles.entries()) {
    const { ino, mtimeNs, ctimeNs, ...found } = await handle.stat({ bigint: true });
    const length = Number(found.size);
    const sample = Math.min(SAMPLE, length);
    const ends = Buffer.concat([readAt(handle.fd, 0, sample), readAt(handle.fd, length - sample, sample)]);
    parts.push([real[number], ...[ino, length, mtimeNs, ctimeNs].map(String), hash(ends)]);
    changed = Math.max(changed, Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n));
    size += length;
  }
  return { key: JSON.stringify(parts), name: `records-${hash(real.join('\0'))}.index`, changed, size };
}

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex').slice(0, 32);

interface Contents {
  readonly key: string;
  readonly place: RecordsPlace;
}

interface OpenIndex {
  readonly place: RecordsPlace;
  readonly handle: FileHandle;
}

/** Undefined unless a whole index with that key is there. */
async function readIndex(target: string, key: string): Promise<OpenIndex | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await openOurs(target, constants.O_RDONLY);
    const found = await handle.stat();
    const { key: keyOfIndex, place } = new SectionFileReader(handle.fd).contents(found.size) as Contents;
    if (isOurs(found, 'isFile') && keyOfIndex === key) {
      // The least recently used goes first. A folder that cannot be written to keeps its times.
      await handle.utimes(new Date(), new Date()).catch(() => undefined);
      return { place, handle };
    }
  } catch {
    // There is none, or what is there is no index.
  }
  await handle?.close();
  return undefined;
}

/** Throws what reading the files throws, the error of the file system, and a RangeError for files that change meanwhile. */
async function makeIndex(
  target: string,
  key: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<OpenIndex> {
  const part = `${target}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const handle = await open(part, 'wx+', 0o600);
  try {
    const writer = new SectionFileWriter(handle.fd, MOST);
    const place = await keepRecords(checkedRecords(paths, signal), paths, writer);
    writer.end({ key, place } satisfies Contents);
    if ((await currentKey(paths)) !== key) throw new RangeError('the files have changed');
    await rename(part, target);
    await removeOldest(target);
    return { place, handle };
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
}

async function currentKey(paths: readonly string[]): Promise<string> {
  const handles = await Promise.all(paths.map((path) => open(path)));
  try {
    return (await identityOf(paths, handles)).key;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Removes what makes the indexes too large together, and what a killed process left. */
async function removeOldest(made: string): Promise<void> {
  const folder = dirname(made);
  const names = (await readdir(folder)).filter((name) => /^records-\w+\.index/.test(name));
  const found = await Promise.all(
    names.map(async (name) => ({ name, stat: await lstat(join(folder, name)).catch(() => undefined) })),
  );
  let left = MOST;
  for (const { name, stat } of found.sort(
    (one, other) => Number(other.stat?.mtimeMs) - Number(one.stat?.mtimeMs),
  )) {
    if (!stat) continue;
    left -= stat.size;
    const isLeft = !name.endsWith('.index') && Date.now() - stat.mtimeMs > LONGEST;
    if (isLeft || (left < 0 && name !== basename(made))) await rm(join(folder, name), { force: true });
  }
}

function unchangedSince(files: readonly number[], paths: readonly string[]): () => void {
  const versions = () =>
    files.map((file) => {
      const { size, mtimeNs } = fstatSync(file, { bigint: true });
      return `${size} ${mtimeNs}`;
    });
  const before = versions();
  return () => {
    const now = versions();
    const changed = paths.find((_, file) => now[file] !== before[file]);
    if (changed !== undefined)
      throw new UsageError(`"${changed}" changed while it was read`, 'ask again when it is whole');
  };
}
