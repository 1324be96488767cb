/** The partial file of an export: the original records as NDJSON. */
import { open } from 'node:fs/promises';
import { getRecordKey, IdentityScanner } from '../../records/json/id-scan.js';
import type { Kind } from '../../service/kinds.js';
import { AppendFile } from '../../system/append-file.js';
import { syncFolder } from '../../system/folders.js';
import { readMode } from '../../system/replace-file.js';
import type { RecordBytes, Records } from '../convert/converter.js';
import { type ExportPaths, getFirstFile } from '../export-paths.js';
import type { Checkpoint } from './checkpoint.js';

const LINE_FEED = 0x0a;

export async function openPartialFile(
  target: ExportPaths,
  checkpoint: Checkpoint | undefined,
  signal?: AbortSignal,
): Promise<AppendFile> {
  const partialFile = checkpoint
    ? await AppendFile.resume(target.partialFile, {
        bytes: checkpoint.bytes,
        sha256: checkpoint.sha256,
        signal,
      })
    : await AppendFile.create(target.partialFile, { mode: await readMode(getFirstFile(target)) });
  // Without this, a power cut could remove the partial file, but not its checkpoint.
  await syncFolder(target.folder);
  return partialFile;
}

/** Yields the key of each record (record-key.ts) in the order of the lines; undefined for a record without an id. */
export async function* readIds(
  partialFile: AppendFile,
  kind: Kind,
  signal?: AbortSignal,
): AsyncGenerator<string | undefined> {
  const scanner = new IdentityScanner();
  for await (const group of readRecords({ path: partialFile.path, start: 0, end: partialFile.bytes })) {
    signal?.throwIfAborted();
    for (const { bytes, start } of group) {
      const identity = scanner.scan(bytes, start);
      yield identity && getRecordKey(identity, kind);
    }
  }
}

export function joinLines(records: readonly RecordBytes[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, { start, end }) => sum + end - start + 1, 0));
  let length = 0;
  for (const { bytes: page, start, end } of records) {
    length += page.copy(bytes, length, start, end);
    bytes[length++] = LINE_FEED;
  }
  return bytes;
}

export interface Lines {
  readonly path: string;
  /** In bytes; `end` is the position after the last line. */
  readonly start: number;
  readonly end: number;
  /** The number of the first line, counted from 0. Default 0. */
  readonly first?: number;
  readonly dropped?: ReadonlySet<number>;
}

/** The result can be read several times. A group is valid until the next group is read, because all groups share a buffer. */
export function readRecords(lines: Lines): Records {
  return { [Symbol.asyncIterator]: () => readGroups(lines) };
}

const CHUNK_BYTES = 1 << 20;

async function* readGroups({
  path,
  start,
  end,
  first = 0,
  dropped,
}: Lines): AsyncGenerator<readonly RecordBytes[]> {
  const handle = await open(path, 'r');
  try {
    // A new buffer for each group would make garbage collection slow.
    let bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let line = first;
    let kept = 0;
    for (let at = start; at < end; ) {
      if (kept === bytes.length) bytes = enlarge(bytes);
      const { bytesRead } = await handle.read(bytes, kept, Math.min(bytes.length - kept, end - at), at);
      if (bytesRead === 0) throw new Error('the partial file is shorter than expected');
      at += bytesRead;
      const length = kept + bytesRead;
      const chunk = bytes.subarray(0, length);
      const group: RecordBytes[] = [];
      let from = 0;
      // The first `kept` bytes do not contain a line end.
      for (let i = chunk.indexOf(LINE_FEED, kept); i >= 0; i = chunk.indexOf(LINE_FEED, from)) {
        if (!dropped?.has(line++)) group.push({ bytes: chunk, start: from, end: i });
        from = i + 1;
      }
      if (group.length > 0) yield group;
      kept = length - from;
      bytes.copyWithin(0, from, length);
    }
  } finally {
    await handle.close();
  }
}

function enlarge(bytes: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(2 * bytes.length);
  bytes.copy(larger);
  return larger;
}

/** Divides the lines into files of `size` records. Dropped lines do not count. */
export async function splitLines(all: Lines, size: number): Promise<readonly Lines[]> {
  const files: Lines[] = [];
  let start = all.start;
  let first = 0;
  let position = all.start;
  let line = 0;
  let records = 0;
  for await (const group of readRecords({ ...all, dropped: new Set() })) {
    for (const record of group) {
      const isKept = !all.dropped?.has(line);
      if (isKept && records === size) {
        files.push({ ...all, start, first, end: position });
        [start, first, records] = [position, line, 0];
      }
      if (isKept) records++;
      line++;
      position += record.end - record.start + 1;
    }
  }
  return [...files, { ...all, start, first }];
}
