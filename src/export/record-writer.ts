/** From the answers of the service to the bytes of a file: what each format has to say. */

/** What paging needs to know of a record. */
export interface Identified {
  readonly id: string | undefined;
}

export interface RecordList<R extends Identified> {
  readonly records: readonly R[];
  readonly total: number | undefined;
}

export interface RecordWriter<R extends Identified> {
  /** The records of a 2xx answer. Throws a SyntaxError for what is not whole JSON. */
  readonly read: (bytes: Buffer) => RecordList<R>;
  /**
   * The bytes of records of one page, at least one. `first` when no records stand before them in the file.
   * A table's rows are complete for the columns known by then.
   */
  readonly write: (records: readonly R[], first: boolean) => Buffer;
  /** What stands before the records, as far as it is known now: a table's header grows. */
  readonly head: () => Buffer;
  /** What stands behind the records. */
  readonly tail: Buffer;
  /** The whole file when there are no records. */
  readonly empty: () => Buffer;
  readonly table?: TableState;
}

/** What a table knows of itself while it is written. */
export interface TableState {
  /** The columns so far. */
  readonly columns: () => readonly string[];
  readonly delimiter: string;
  /** How many cells a spreadsheet would take for a formula. */
  readonly formulas: () => number;
}
