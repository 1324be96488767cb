/** Reads files with one JSON record per line, a JSON array, or list responses. The files may be compressed (.gz, .zst). */
import { pipeline, Readable } from 'node:stream';
import { createInvalidRecordError, type FoundRecord, readJson } from '../../records/files/read-json.js';
import { UsageError } from '../../service/errors.js';
import { KIND_KEYS, RECORD_KINDS } from '../../service/kinds.js';
import { detectCompression } from '../../system/compression.js';
import { errorCode } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { openInput } from '../../system/open-stream.js';
import { FileRecord } from '../record.js';

const PIECE_BYTES = 1024 * 1024;

/** Throws a UsageError for an unreadable file or an invalid record. If the signal is aborted, throws its reason. */
export async function* recordsInFile(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly FileRecord[]> {
  try {
    for await (const records of readJson(await openFile(path, signal), path)) {
      signal?.throwIfAborted();
      yield records.map((record) => createFileRecord(record, path));
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof UsageError ? cause : createReadError(path, cause);
  }
}

async function openFile(path: string, signal: AbortSignal | undefined): Promise<AsyncIterable<Buffer>> {
  const pieces: AsyncIterator<Buffer> = openInput(path, { signal, chunkBytes: PIECE_BYTES })[
    Symbol.asyncIterator
  ]();
  const first = await pieces.next();
  const compression = first.done ? undefined : detectCompression(first.value);
  async function* readAll(): AsyncGenerator<Buffer> {
    try {
      for (let next = first; !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  if (!compression) return readAll();
  return pipeline(Readable.from(readAll(), { objectMode: false }), compression.decompress(), () => {});
}

function createReadError(path: string, cause: unknown): UsageError {
  const isCut = errorCode(cause) === 'Z_BUF_ERROR';
  const { message } = fileError(isCut ? new Error('the compressed file is incomplete') : cause, 'read', path);
  return new UsageError(
    message,
    'use files with one JSON record per line, a JSON array, or list responses; .gz and .zst files are accepted',
  );
}

function createFileRecord({ id, kind, bytes, line }: FoundRecord, path: string): FileRecord {
  if (kind) return new FileRecord({ kind, id, bytes, path, place: `"${path}", line ${line}` });
  const keys = RECORD_KINDS.map((each) => KIND_KEYS[each].idKey).join(', ');
  throw createInvalidRecordError(path, line, `it has none of the ids ${keys}`);
}
