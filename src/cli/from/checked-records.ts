/** Reads the records of exported files, and checks them. */
import { createSeenIds } from '../../client/paging/seen-ids.js';
import { recordsInFile } from '../../local/files/data-files.js';
import type { FileRecord } from '../../local/record.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import type { RecordFiles } from '../options/files/record-files.js';

export type CheckedFiles = Pick<RecordFiles, 'paths' | 'parts' | 'empty' | 'areRegular' | 'assertUnchanged'>;

/**
 * Yields each record once. Throws a UsageError for an invalid record, a changed file, and a file of several kinds without
 * `recordType`. For parts of one export, throws an OpacError if records have moved or are missing. For other files, throws a
 * UsageError for a duplicate, and for a file without records, unless its manifest reports 0 records.
 */
export async function* checkedRecords(
  { paths, parts, empty, assertUnchanged }: CheckedFiles,
  signal?: AbortSignal,
): AsyncGenerator<readonly FileRecord[]> {
  const seen = createSeenIds();
  for (const path of paths) {
    let first: FileRecord | undefined;
    for await (const records of recordsInFile(path, signal)) {
      signal?.throwIfAborted();
      if (!first && records[0]) checkFirstRecord(records[0], parts);
      const isNew = (record: FileRecord) => {
        first ??= record;
        if (record.kind !== first.kind && !hasRecordType(record)) throw createMixedKindsError(first, record);
        const isFirst = seen.add(`${record.kind}:${record.id}`);
        if (!isFirst && !parts) throw createDuplicateError(record);
        return isFirst;
      };
      yield records.filter(isNew);
    }
    if (!first && !parts && !empty.has(path))
      throw new UsageError(`"${path}" contains no records`, 'use a file of an export');
  }
  await assertUnchanged();
  if (parts && seen.size < parts.total)
    throw new OpacError(
      'incomplete',
      `${formatNumber(parts.total - seen.size)} of ${formatNumber(parts.total)} records are not in any part${parts.unreachable}`,
      { hint: parts.unreachable ? 'the service offers no way to read these records' : EXPORT_AGAIN },
    );
}

const EXPORT_AGAIN =
  'the collection changed between the exports, or its order is not stable: export all parts again, with --sort';

/** The manifest of a part may name the first record of the next part. Another first record means that records have moved. */
function checkFirstRecord({ kind, id, path }: FileRecord, parts: CheckedFiles['parts']): void {
  const expected = parts?.firstRecords.get(path);
  const isExpected = [undefined, id, `${KIND_KEYS[kind].recordType}:${id}`].includes(expected);
  if (!isExpected)
    throw new OpacError('incomplete', `"${path}" does not start where the previous part ends`, {
      hint: EXPORT_AGAIN,
    });
}

/** Returns true for a record from an export of all kinds. */
function hasRecordType({ bytes }: FileRecord): boolean {
  return bytes.subarray(0, 100).includes('"recordType"');
}

function createMixedKindsError(first: FileRecord, { kind, place }: FileRecord): UsageError {
  const [one, other] = [first.kind, kind].map((each) => KIND_KEYS[each].recordType);
  return new UsageError(
    `records of several kinds in one file: ${other} in ${place}, ${one} in ${first.place}`,
    'use one file per kind, or a file of "opac records export"',
  );
}

function createDuplicateError({ kind, id, place }: FileRecord): UsageError {
  return new UsageError(
    `duplicate record: ${KIND_KEYS[kind].recordType} ${id} in ${place}`,
    'use each export only once',
  );
}

/**
 * Call this function if the files contain no records of `kind`. Throws a UsageError, unless one file is an empty export of this
 * kind or of all kinds.
 */
export function refuseWithoutKind(kind: Kind, { paths, empty }: CheckedFiles): void {
  const kinds = [...empty.values()];
  if (kinds.includes(kind) || kinds.includes('records')) return;
  throw new UsageError(
    `${paths.map((path) => `"${path}"`).join(', ')} ${paths.length === 1 ? 'contains' : 'contain'} no ${kind}`,
    `use a file of ${kind} with --from`,
  );
}
