/** A converter converts collected records to the bytes of a file. */
import type { PageRecord } from '../../records/json/page-records.js';
import { formatCount } from '../../service/format-numbers.js';

/** A record as one line of JSON, between two positions in `bytes`. */
export type RecordBytes = Pick<PageRecord, 'bytes' | 'start' | 'end'>;

/** Groups of records, which can be read several times. */
export type Records = AsyncIterable<readonly RecordBytes[]>;

export interface Converter {
  /** Finds the columns in all records of an export. Called once, before `convert`, with the number of files. */
  readonly scan?: ((all: Records, files: number) => Promise<void>) | undefined;
  /** True if the output has the same lines as the partial file. Then opac can copy the partial file. */
  readonly keepsLines?: boolean;
  /** Called once for each file of a split export. */
  readonly convert: (records: Records) => AsyncIterable<Uint8Array>;
  readonly table?: TableState;
  /** Warnings about values that the format cannot contain. */
  readonly losses?: () => readonly string[];
  /** Warnings about the form of the output. No value is lost. */
  readonly remarks?: () => readonly string[];
  /** The columns and their types, which are known after the conversion. Only for formats with types. */
  readonly fields?: () => readonly TypedField[];
}

/** JSON can contain half of a surrogate pair as an escape, but UTF-8 cannot contain it. */
export function listMalformed(count: number, what: 'cell' | 'value'): readonly string[] {
  const found = formatCount(count, `${what} contains`, `${what}s contain`);
  return count === 0 ? [] : [`${found} half of a surrogate pair, written as U+FFFD`];
}

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

export interface TableState {
  readonly columns: () => readonly string[];
  readonly headers: () => readonly string[];
  /** The number of cells so far, in all files, that begin like formulas. */
  readonly formulas: () => number;
  /** The number of rows so far, in all files. */
  readonly rows: () => number;
}

export function recordBytes({ bytes, start, end }: RecordBytes): Buffer {
  return bytes.subarray(start, end);
}
