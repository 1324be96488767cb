/** Reads records in the service's shape from files: one JSON record a line, or a whole list answer; either may be gzipped. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UsageError } from '../../service/errors.js';
import { KIND_WORDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { object, TextRecord, type Wire } from './record-list.js';

/**
 * The records of all files, in order, each with its text as it stood in the file. The kinds are told apart by the id key.
 * Throws a UsageError that names the file, and the line of a record that is none.
 */
export async function readDataFiles(paths: readonly string[]): Promise<TextRecord[]> {
  const entries: TextRecord[] = [];
  for (const path of paths) for (const entry of entriesIn(await textOf(path), path)) entries.push(entry);
  return entries;
}

async function textOf(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    const plain = path.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes;
    return plain.toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new UsageError(
      `cannot read "${path}": ${isMissing(cause) ? 'there is no such file' : (cause as Error).message}`,
      'give files of records, one JSON record a line; .gz too',
    );
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function* entriesIn(text: string, path: string): Generator<TextRecord> {
  const whole = listAnswer(text);
  if (whole) {
    for (const [index, record] of whole.entries()) {
      const entry = entryOf(record, JSON.stringify(record));
      if (!entry) throw notRecord(path, `record ${index + 1}`);
      yield entry;
    }
    return;
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = entryOf(parsed(line), line.trim());
    if (!entry) throw notRecord(path, `line ${index + 1}`);
    yield entry;
  }
}

/** The records of a list answer as the service sends it, or undefined when the text is not one. */
function listAnswer(text: string): readonly unknown[] | undefined {
  // A record a line is not one JSON text, unless there is only one, and then it has no list key.
  const answer = object(parsed(text));
  if (!answer) return undefined;
  const lists = Object.values(KIND_WORDS).map(({ listKey }) => answer[listKey]);
  return lists.find((list) => Array.isArray(list));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function entryOf(record: unknown, text: string): TextRecord | undefined {
  const read: Wire | undefined = object(record);
  const kind: RecordKind | undefined = RECORD_KINDS.find(
    (each) => read?.[KIND_WORDS[each].idKey] !== undefined,
  );
  const id = kind && read?.[KIND_WORDS[kind].idKey];
  return kind && (typeof id === 'string' || typeof id === 'number')
    ? new TextRecord(kind, String(id), text)
    : undefined;
}

function notRecord(path: string, place: string): UsageError {
  const keys = RECORD_KINDS.map((kind) => KIND_WORDS[kind].idKey).join(', ');
  return new UsageError(
    `${place} of "${path}" is not a record of the service`,
    `each is a JSON object with one of ${keys}`,
  );
}
