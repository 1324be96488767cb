/** Turns responses of the service into the bytes of a file: one writer per format. */

import type { Identified, Listed } from '../../client/paging/page.js';

export type { Identified } from '../../client/paging/page.js';

export interface RecordWriter<R extends Identified> {
  readonly read: (bytes: Buffer, offset: number) => Listed<R> | undefined;
  /**
   * At least one record of one page. `first`: no records precede them in the file. Rows are complete for the columns known
   * by then.
   */
  readonly write: (records: readonly R[], first: boolean) => Buffer;
  readonly head: () => Buffer;
  readonly tail: Buffer;
  readonly empty: () => Buffer;
  readonly table?: TableState;
  /** For formats that cannot grow: converts the finished content. */
  readonly convert?: Convert;
  readonly losses?: () => readonly string[];
  /** Of a format with types of its own; known once the content is converted. */
  readonly fields?: () => readonly TypedField[];
}

export type Pieces = () => AsyncIterable<Buffer>;

/** `all`: the content of all files of a split export. */
export type Convert = (content: Pieces, all: Pieces) => AsyncIterable<Uint8Array>;

/** A column with its type in a Table Schema. */
export interface TypedField {
  readonly name: string;
  readonly type: string;
}

export interface TableState {
  readonly columns: () => readonly string[];
  readonly heads: () => readonly string[];
  readonly delimiter: string;
  readonly formulas: () => number;
  readonly rows: () => number;
}
