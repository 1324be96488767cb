/** The partial file of an export: the service's own records, one per line of NDJSON, whatever the format of the export. */
import { open } from 'node:fs/promises';
import { getRecordKey, IdentityScanner } from '../../records/json/id-scan.js';
import type { Kind } from '../../service/kinds.js';
import { AppendFile } from '../../system/append-file.js';
import { syncFolder } from '../../system/folders.js';
import type { RecordBytes, Records } from '../convert/converter.js';
import type { ExportPaths } from '../export-paths.js';
import type { Checkpoint } from './checkpoint.js';

const LINE_FEED = 0x0a;

/** The partial file as the checkpoint says, or a new one. */
export async function openPartialFile(
  target: ExportPaths,
  checkpoint: Checkpoint | undefined,
  signal?: AbortSignal,
): Promise<AppendFile> {
  const part = checkpoint
    ? await AppendFile.resume(target.partialFile, {
        bytes: checkpoint.bytes,
        sha256: checkpoint.sha256,
        signal,
      })
    : await AppendFile.create(target.partialFile);
  // The name of the file must survive a power cut before a checkpoint names it.
  await syncFolder(target.folder);
  return part;
}

/** The ids of the records in the order of their lines, undefined for a record without one. */
export async function* idsIn(
  part: AppendFile,
  kind: Kind,
  signal?: AbortSignal,
): AsyncGenerator<string | undefined> {
  const scanner = new IdentityScanner();
  for await (const group of recordsIn({ path: part.path, start: 0, end: part.bytes })) {
    signal?.throwIfAborted();
    for (const { bytes, start } of group) {
      const identity = scanner.scan(bytes, start);
      yield identity && getRecordKey(identity, kind);
    }
  }
}

/** Records as lines of the partial file. */
export function linesOf(records: readonly RecordBytes[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, { start, end }) => sum + end - start + 1, 0));
  let length = 0;
  for (const { bytes: page, start, end } of records) {
    length += page.copy(bytes, length, start, end);
    bytes[length++] = LINE_FEED;
  }
  return bytes;
}

/** Lines of a partial file. */
export interface Lines {
  readonly path: string;
  /** In bytes. */
  readonly start: number;
  readonly end: number;
  /** The number of the first line in the file, from 0, and the lines that are left out. */
  readonly first?: number;
  readonly dropped?: ReadonlySet<number>;
}

/** The records of these lines, from the first again for each loop over them. A group holds until the next one. */
export function recordsIn(lines: Lines): Records {
  return { [Symbol.asyncIterator]: () => groupsOf(lines) };
}

const PIECE = 1 << 20;

async function* groupsOf({
  path,
  start,
  end,
  first = 0,
  dropped,
}: Lines): AsyncGenerator<readonly RecordBytes[]> {
  const handle = await open(path, 'r');
  try {
    // One buffer for all groups: a new one for each keeps the garbage collector busy.
    let bytes = Buffer.allocUnsafeSlow(PIECE);
    let line = first;
    let held = 0;
    for (let at = start; at < end; ) {
      if (held === bytes.length) bytes = enlarge(bytes);
      const { bytesRead } = await handle.read(bytes, held, Math.min(bytes.length - held, end - at), at);
      if (bytesRead === 0) throw new Error('the partial file is shorter than was written');
      at += bytesRead;
      const length = held + bytesRead;
      const piece = bytes.subarray(0, length);
      const group: RecordBytes[] = [];
      let from = 0;
      // The held bytes have no line end.
      for (let i = piece.indexOf(LINE_FEED, held); i >= 0; i = piece.indexOf(LINE_FEED, from)) {
        if (!dropped?.has(line++)) group.push({ bytes: piece, start: from, end: i });
        from = i + 1;
      }
      if (group.length > 0) yield group;
      held = length - from;
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

/** The lines of each file of a split export. */
export async function splitLines(all: Lines, size: number): Promise<readonly Lines[]> {
  const files: Lines[] = [];
  let start = all.start;
  let first = 0;
  let position = all.start;
  let line = 0;
  let records = 0;
  for await (const group of recordsIn({ ...all, dropped: new Set() })) {
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
