/** The partial file of an export: the service's own records, one per line of NDJSON, whatever the format of the export. */
import { type FileHandle, open } from 'node:fs/promises';
import type { PageRecord } from '../../records/json/page-records.js';
import { recordScanner } from '../../records/json/scan.js';
import type { Kind } from '../../service/kinds.js';
import { AppendFile } from '../../system/append-file.js';
import { syncFolder } from '../../system/folders.js';
import type { RecordBytes, Records } from '../convert/converter.js';
import type { Target } from '../target.js';
import type { Checkpoint } from './checkpoint.js';

export type PartialSizes = Pick<Checkpoint, 'bytes' | 'sha256'>;

const LINE_FEED = 0x0a;

export class PartialFile {
  readonly part: AppendFile;
  readonly #kind: Kind;
  #count: number;

  private constructor(part: AppendFile, kind: Kind, count: number) {
    this.part = part;
    this.#kind = kind;
    this.#count = count;
  }

  static async open(
    target: Target,
    kind: Kind,
    checkpoint: Checkpoint | undefined,
    signal?: AbortSignal,
  ): Promise<PartialFile> {
    const part = checkpoint
      ? await AppendFile.resume(target.part, { bytes: checkpoint.bytes, sha256: checkpoint.sha256, signal })
      : await AppendFile.create(target.part);
    // The name of the file must survive a power cut before a checkpoint names it.
    await syncFolder(target.folder);
    return new PartialFile(part, kind, checkpoint?.tally.written ?? 0);
  }

  get count(): number {
    return this.#count;
  }

  get sizes(): PartialSizes {
    return {
      bytes: this.part.bytes,
      sha256: this.part.sha256(),
    };
  }

  async append(records: readonly PageRecord[]): Promise<void> {
    await this.part.append(linesOf(records));
    this.#count += records.length;
  }

  /** The ids of the records in the order of their lines, undefined for a record without one. */
  async *ids(signal?: AbortSignal): AsyncGenerator<string | undefined> {
    await this.part.flush();
    const scan = recordScanner(this.#kind);
    for await (const group of recordsIn({ path: this.part.path, start: 0, end: this.part.bytes })) {
      signal?.throwIfAborted();
      const ids: (string | undefined)[] = [];
      for (const { bytes, start } of group) scan(bytes, start, ids);
      yield* ids;
    }
  }

  /** All is synced by now; a failure on closing changes nothing. */
  async close(): Promise<void> {
    await this.part.close().catch(() => undefined);
  }
}

function linesOf(records: readonly RecordBytes[]): Buffer {
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

/** The records of these lines, from the first again for each loop over them. */
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
    let held: Buffer = Buffer.alloc(0);
    let line = first;
    for (let at = start; at < end; ) {
      const bytes = await nextPiece(handle, held, at, end);
      at += bytes.length - held.length;
      const group: RecordBytes[] = [];
      let from = 0;
      // The held bytes have no line end.
      for (let i = bytes.indexOf(LINE_FEED, held.length); i >= 0; i = bytes.indexOf(LINE_FEED, from)) {
        if (!dropped?.has(line++)) group.push({ bytes, start: from, end: i });
        from = i + 1;
      }
      held = bytes.subarray(from);
      if (group.length > 0) yield group;
    }
  } finally {
    await handle.close();
  }
}

/** The bytes that were held back, and those that follow them in the file. */
async function nextPiece(handle: FileHandle, held: Buffer, at: number, end: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(held.length + Math.min(PIECE, end - at));
  held.copy(piece);
  const { bytesRead } = await handle.read(piece, held.length, piece.length - held.length, at);
  if (bytesRead === 0) throw new Error('the partial file is shorter than was written');
  return piece.subarray(0, held.length + bytesRead);
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
