/** Reads records in the service's shape from files: one JSON record a line, or a whole list response; either may be gzipped. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UsageError } from '../../service/errors.js';
import { asObject } from '../../service/json.js';
import { KIND_WORDS, RECORD_KINDS } from '../../service/kinds.js';
import { TextRecord } from './record-list.js';

/** Each record with its text in the file. Throws a UsageError that names the file, and the line of an invalid record. */
export async function readDataFiles(paths: readonly string[]): Promise<TextRecord[]> {
  const records: TextRecord[] = [];
  for (const path of paths) for (const record of recordsOf(await readText(path), path)) records.push(record);
  return records;
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    const plain = path.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes;
    return plain.toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UsageError(
      `cannot read "${path}": ${code === 'ENOENT' ? 'no such file' : message}`,
      'give files with one JSON record per line; they may be gzipped (.gz)',
    );
  }
}

function* recordsOf(text: string, path: string): Generator<TextRecord> {
  const list = recordsInResponse(text);
  for (const [index, record] of list?.entries() ?? []) {
    yield textRecord(record, JSON.stringify(record)) ?? invalidRecord(path, `record ${index + 1}`);
  }
  if (list) return;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    yield textRecord(parsed(line), line.trim()) ?? invalidRecord(path, `line ${index + 1}`);
  }
}

/** The records of a list response as the service sends it, or undefined for any other text. */
function recordsInResponse(text: string): readonly unknown[] | undefined {
  // Several lines of records are not one JSON text, and a single record has no list key.
  const response = asObject(parsed(text));
  return Object.values(KIND_WORDS)
    .map(({ listKey }) => response[listKey])
    .find((list) => Array.isArray(list));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textRecord(value: unknown, text: string): TextRecord | undefined {
  const record = asObject(value);
  const kind = RECORD_KINDS.find((each) => record[KIND_WORDS[each].idKey] !== undefined);
  const id = kind && record[KIND_WORDS[kind].idKey];
  return kind && (typeof id === 'string' || typeof id === 'number')
    ? new TextRecord(kind, String(id), text)
    : undefined;
}

function invalidRecord(path: string, place: string): never {
  const keys = RECORD_KINDS.map((kind) => KIND_WORDS[kind].idKey).join(', ');
  throw new UsageError(
    `invalid record in "${path}", ${place}`,
    `each record must be a JSON object with one of ${keys}`,
  );
}
