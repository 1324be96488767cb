/** Turns collected records into the bytes of a file: one converter per format. It uses no network, and keeps no state between runs. */
import type { PageRecord } from '../../records/json/page-records.js';

/** A record on one line of JSON, between two places in `bytes`. */
export type RecordBytes = Pick<PageRecord, 'bytes' | 'start' | 'end'>;

/** Records in groups. Those of a file can be read again from the first. */
export type Records = AsyncIterable<readonly RecordBytes[]>;

export interface Converter {
  /** Finds the columns in all records of an export, of which `convert` will make so many files. Called once before it. */
  readonly scan?: ((all: Records, files: number) => Promise<void>) | undefined;
  /** The bytes of one file. The files of a split export are converted one after the other. */
  readonly convert: (records: Records) => AsyncIterable<Uint8Array>;
  readonly table?: TableState;
  /** What the format could not hold, in words. */
  readonly losses?: () => readonly string[];
  /** Of a format with types of its own; known once the records are converted. */
  readonly fields?: () => readonly TypedField[];
}

/** A column with its type in a Table Schema. */
export interface TypedField {
  readonly name: string;
  readonly type: string;
}

export interface TableState {
  readonly columns: () => readonly string[];
  readonly heads: () => readonly string[];
  /** Of all files so far: cells that begin like formulas, and rows. */
  readonly formulas: () => number;
  readonly rows: () => number;
}

export function recordBytes({ bytes, start, end }: RecordBytes): Buffer {
  return bytes.subarray(start, end);
}
