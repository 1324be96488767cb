/** Finds the positions of the records in a JSON file without keeping the records in memory. */
import { isUtf8 } from 'node:buffer';
import { kindOfRecordType, type RecordKind } from '../../service/kinds.js';
import type { DecompressedFile } from './decompressed-file.js';
import { createInvalidRecordError, readJson } from './read-json.js';

export interface RecordLocation {
  readonly id: string;
  /** Undefined if the record does not show its kind. */
  readonly kind: RecordKind | undefined;
  /** Whether the record has a `recordType`, as in an export of all kinds. */
  readonly isTyped: boolean;
  readonly start: number;
  readonly end: number;
}

export type OnRecord = (location: RecordLocation, bytes: Buffer) => void;

export async function forEachJsonRecord(file: DecompressedFile, onRecord: OnRecord): Promise<void> {
  for await (const records of readJson(file.pieces(0), file.path))
    for (const { id, kind, recordType, bytes, start, end, line } of records) {
      if (!isUtf8(bytes)) throw createInvalidRecordError(file.path, line, 'it is not UTF-8');
      const isTyped = recordType !== '';
      onRecord({ id, kind: kindOfRecordType(recordType) ?? kind, isTyped, start, end }, bytes);
    }
}
