/** From the responses of the service to the bytes of a file: what each format has to say. */

import type { Identified, Listed } from '../../client/paging/page.js';

export type { Identified } from '../../client/paging/page.js';

export interface RecordWriter<R extends Identified> {
  /** The records of the response for the page at that offset; undefined for what is no list of records. */
  readonly read: (bytes: Buffer, offset: number) => Listed<R> | undefined;
  /**
   * The bytes of records of one page, at least one. `first` when no records stand before them in the file.
   * A table's rows are complete for the columns known by then.
   */
  readonly write: (records: readonly R[], first: boolean) => Buffer;
  /** What stands before the records, as far as it is known now: a table's header grows. */
  readonly head: () => Buffer;
  readonly tail: Buffer;
  readonly empty: () => Buffer;
  readonly table?: TableState;
  /** Makes the file of another format out of the finished one, for formats that cannot grow. */
  readonly convert?: Convert;
  readonly losses?: () => readonly string[];
}

/** Pieces of a file that is on the way, from the beginning each time. */
export type Pieces = () => AsyncIterable<Buffer>;

/** Gives the bytes of a file for `content`; `all` is that of all files together, where an export is split. */
export type Convert = (content: Pieces, all: Pieces) => AsyncIterable<Uint8Array>;

export interface TableState {
  readonly columns: () => readonly string[];
  readonly delimiter: string;
  readonly formulas: () => number;
}
