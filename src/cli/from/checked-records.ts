/** The records of exported files, one after the other, as long as they are what an export writes. */
import { createSeenIds } from '../../client/paging/seen-ids.js';
import { recordsInFile } from '../../local/files/data-files.js';
import type { FileRecord } from '../../local/record.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import { KIND_KEYS, type Kind } from '../../service/kinds.js';
import type { RecordFiles } from '../options/files/record-files.js';

/** Files of records; `parts` when they are the parts of one export. */
export type CheckedFiles = Pick<RecordFiles, 'paths' | 'parts' | 'empty' | 'areRegular'>;

/**
 * Yields the records of the files in order. Parts of one export may overlap: each record is yielded once. Throws a UsageError
 * that names the place of what no export writes (not a record, a record twice, kinds mixed), and an OpacError of kind
 * `incomplete` for parts that are not the complete search.
 */
export async function* checkedRecords(
  { paths, parts, empty }: CheckedFiles,
  signal?: AbortSignal,
): AsyncGenerator<readonly FileRecord[]> {
  const seen = createSeenIds();
  for (const path of paths) {
    let first: FileRecord | undefined;
    for await (const records of recordsInFile(path, signal)) {
      signal?.throwIfAborted();
      if (!first && records[0]) checkBegin(records[0], parts);
      const isNew = (record: FileRecord) => {
        first ??= record;
        if (record.kind !== first.kind && !namesItsType(record)) throw mixed(first, record);
        const isFirst = seen.add(`${record.kind}:${record.id}`);
        if (!isFirst && !parts) throw twice(record);
        return isFirst;
      };
      yield records.filter(isNew);
    }
    if (!first && !parts && !empty.has(path))
      throw new UsageError(`there are no records in "${path}"`, 'give files that an export wrote');
  }
  if (parts && seen.size < parts.total)
    throw new OpacError(
      'incomplete',
      `${formatNumber(parts.total - seen.size)} of ${formatNumber(parts.total)} records are in none of the parts${parts.unreachable}`,
      { hint: parts.unreachable ? 'the service offers no way to read these records' : EXPORT_AGAIN },
    );
}

const EXPORT_AGAIN =
  'the collection changed between the exports, or its order is not stable: export all parts again, with --sort';

/** A part knows which record follows it: another one there means that records moved in between. */
function checkBegin({ kind, id, path }: FileRecord, parts: CheckedFiles['parts']): void {
  const expected = parts?.firstRecords.get(path);
  const isExpected = [undefined, id, `${KIND_KEYS[kind].recordType}:${id}`].includes(expected);
  if (!isExpected)
    throw new OpacError('incomplete', `"${path}" does not begin where the part before it ends`, {
      hint: EXPORT_AGAIN,
    });
}

/** As each record of an export of all kinds does. */
function namesItsType({ bytes }: FileRecord): boolean {
  return bytes.subarray(0, 100).includes('"recordType"');
}

function mixed(first: FileRecord, { kind, place }: FileRecord): UsageError {
  const [one, other] = [first.kind, kind].map((each) => KIND_KEYS[each].recordType);
  return new UsageError(
    `records of several kinds in one file: ${other} in ${place}, ${one} in ${first.place}`,
    'give a file for each kind, or one of "opac records export"',
  );
}

function twice({ kind, id, place }: FileRecord): UsageError {
  return new UsageError(
    `${KIND_KEYS[kind].recordType} ${id} is there twice: again in ${place}`,
    'give each export once',
  );
}

/** Throws a UsageError for files without records of a kind, unless one of them is an export of that kind. */
export function refuseNone(kind: Kind, { paths, empty }: CheckedFiles): void {
  const kinds = [...empty.values()];
  if (kinds.includes(kind) || kinds.includes('records')) return;
  throw new UsageError(
    `there are no ${kind} in ${paths.map((path) => `"${path}"`).join(', ')}`,
    `give a file of ${kind} with --from`,
  );
}
