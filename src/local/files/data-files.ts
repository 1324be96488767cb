/** Reads records in the service's shape from files: one JSON record a line, an array, or list responses; `.gz` and `.zst` too. */
import { pipeline, Readable } from 'node:stream';
import { UsageError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { tryParseJson } from '../../service/parse-json.js';
import { detectCompression } from '../../system/compression.js';
import { errorCode } from '../../system/error-code.js';
import { fileError } from '../../system/file-error.js';
import { openInput } from '../../system/open-input.js';
import { FileRecord } from '../record.js';
import { type FoundObject, NotObjects, ObjectFinder } from './json-objects.js';

const PIECE_BYTES = 1024 * 1024;

/**
 * The records of a file in its order, piece by piece, held by nobody. Throws a UsageError that names the file, and the place
 * of what is no record, and the signal's reason.
 */
export async function* recordsInFile(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly FileRecord[]> {
  const finder = new ObjectFinder();
  try {
    for await (const piece of await openFile(path, signal))
      yield finder.next(piece).flatMap((found) => recordsIn(found, path));
    yield finder.end().flatMap((found) => recordsIn(found, path));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof NotObjects) throw invalidRecord(placeIn(path, `line ${cause.line}`));
    throw cause instanceof UsageError ? cause : unreadable(path, cause);
  }
}

async function openFile(path: string, signal: AbortSignal | undefined): Promise<AsyncIterable<Buffer>> {
  const pieces: AsyncIterator<Buffer> = openInput(path, { signal, chunkBytes: PIECE_BYTES })[
    Symbol.asyncIterator
  ]();
  const first = await pieces.next();
  const compression = first.done ? undefined : detectCompression(first.value);
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      for (let next = first; !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  if (!compression) return whole();
  return pipeline(Readable.from(whole(), { objectMode: false }), compression.decompress(), () => {});
}

function unreadable(path: string, cause: unknown): UsageError {
  const isCut = errorCode(cause) === 'Z_BUF_ERROR';
  const { message } = fileError(isCut ? new Error('it ends in the middle') : cause, 'read', path);
  return new UsageError(message, 'give files with one JSON record per line; they may be gzipped (.gz)');
}

/** The id as the first member but for the type, where the service puts it: then nothing has to be parsed. */
const FIRST_ID =
  /^\{\s*(?:"recordType"\s*:\s*"\w*"\s*,\s*)?"(opac(?:Object|Person|Venue)Id)"\s*:\s*(?:"([^"\\]+)"|(\d+))\s*[,}]/;
const MAX_START = 200;

const KIND_OF_KEY = new Map<string, RecordKind>(RECORD_KINDS.map((kind) => [KIND_KEYS[kind].idKey, kind]));

/** The record, or those of a list response. Throws a UsageError for an object that is neither. */
function recordsIn({ bytes, line }: FoundObject, path: string): readonly FileRecord[] {
  const place = placeIn(path, `line ${line}`);
  const [, key = '', text, digits] = FIRST_ID.exec(bytes.toString('utf8', 0, MAX_START)) ?? [];
  const id = text ?? digits;
  const kind = KIND_OF_KEY.get(key);
  if (kind && id !== undefined) return [new FileRecord({ kind, id, bytes, path, place })];
  const value = tryParseJson(bytes);
  const record = recordOf(value, { bytes, path, place });
  if (record) return [record];
  const list = listIn(value);
  if (!list) throw invalidRecord(place);
  return list.map((each, index) => {
    const inList = placeIn(path, `record ${index + 1}`);
    const bytes = Buffer.from(JSON.stringify(each));
    const listed = recordOf(each, { bytes, path, place: inList });
    if (!listed) throw invalidRecord(inList);
    return listed;
  });
}

function recordOf(
  value: unknown,
  from: Pick<FileRecord, 'bytes' | 'path' | 'place'>,
): FileRecord | undefined {
  const record = asObject(value);
  const kind = RECORD_KINDS.find((each) => record[KIND_KEYS[each].idKey] !== undefined);
  const id = kind && record[KIND_KEYS[kind].idKey];
  if (!kind || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  return new FileRecord({ kind, id: String(id), ...from });
}

/** The records of a list response as the service sends it. */
function listIn(value: unknown): readonly unknown[] | undefined {
  const response = asObject(value);
  return Object.values(KIND_KEYS)
    .map(({ listKey }) => response[listKey])
    .find((list) => Array.isArray(list));
}

function placeIn(path: string, place: string): string {
  return `"${path}", ${place}`;
}

function invalidRecord(place: string): UsageError {
  const keys = RECORD_KINDS.map((kind) => KIND_KEYS[kind].idKey).join(', ');
  const isTable = /\.(csv|tsv|xlsx|parquet)(\.(gz|zst))?"/i.test(place);
  return new UsageError(
    `invalid record in ${place}`,
    isTable
      ? 'a table does not hold whole records: export them as .ndjson'
      : `each record must be a JSON object with one of ${keys}`,
  );
}
