/** The records of exported files, one after the other, as long as they are what an export writes. */
import { createSeenIds } from '../../client/paging/seen-ids.js';
import { type FileRecord, recordsInFile } from '../../mock/files/data-files.js';
import { parsedJson } from '../../mock/files/file-records.js';
import { UsageError } from '../../service/errors.js';
import { KIND_WORDS, type Kind } from '../../service/kinds.js';

/** Throws a UsageError that names the place of what no export writes: no record, a record twice, kinds mixed. */
export async function* checkedRecords(
  paths: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<readonly FileRecord[]> {
  const seen = createSeenIds();
  for (const path of paths) {
    let first: FileRecord | undefined;
    for await (const records of recordsInFile(path, signal)) {
      signal?.throwIfAborted();
      for (const record of records) {
        first ??= record;
        if (record.kind !== first.kind && !namesItsType(record)) throw mixed(first, record);
        if (!seen.add(`${record.kind}:${record.id}`)) throw twice(record);
      }
      yield records;
    }
    if (!first) throw new UsageError(`there are no records in "${path}"`, 'give files that an export wrote');
  }
}

/** As each record of an export of all kinds does. */
function namesItsType({ bytes }: FileRecord): boolean {
  return bytes.subarray(0, 100).includes('"recordType"');
}

function mixed(first: FileRecord, { kind, place }: FileRecord): UsageError {
  const [one, other] = [first.kind, kind].map((each) => KIND_WORDS[each].recordType);
  return new UsageError(
    `records of several kinds in one file: ${other} in ${place}, ${one} in ${first.place}`,
    'give a file for each kind, or one of "opac records export"',
  );
}

function twice({ kind, id, place }: FileRecord): UsageError {
  return new UsageError(
    `${KIND_WORDS[kind].recordType} ${id} is there twice: again in ${place}`,
    'give each export once',
  );
}

/** Throws a UsageError that names the first record that only looked like JSON when its file was read. */
export function refuseDamaged(records: readonly FileRecord[]): void {
  for (const record of records) parsedJson(record);
}

/** The error for files that hold records, but none of that kind. */
export function noneOf(kind: Kind, paths: readonly string[]): UsageError {
  return new UsageError(
    `there are no ${kind} in ${paths.map((path) => `"${path}"`).join(', ')}`,
    `give a file of ${kind} with --from`,
  );
}
