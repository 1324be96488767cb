/** Lists of the records in files. Each search reads the files again, because opac keeps only some records in memory. */
import { UsageError } from '../service/errors.js';
import type { RecordKind } from '../service/kinds.js';
import type { FileRecord, StoredRecord } from './record.js';
import type { RecordList } from './record-list.js';

type Counts = Readonly<Record<RecordKind, number>>;

/** Maximum number of records to keep for later pages. If a search finds more, requests for later pages read the files again. */
const MAX_KEPT = 10_000;

/** Reads the records of files, and counts them. `read` reads the files from the start. */
export class RecordsInFiles {
  readonly #read: () => AsyncIterable<readonly FileRecord[]>;
  #counts: Counts | undefined;

  constructor(read: () => AsyncIterable<readonly FileRecord[]>) {
    this.#read = read;
  }

  /** Undefined until the files have been read to their end. */
  get knownCounts(): Counts | undefined {
    return this.#counts;
  }

  async counts(): Promise<Counts> {
    if (!this.#counts) for await (const _ of this.pieces());
    return this.#counts as Counts;
  }

  async *pieces(): AsyncGenerator<readonly FileRecord[]> {
    const counts = { objects: 0, persons: 0, venues: 0 };
    for await (const piece of this.#read()) {
      for (const { kind } of piece) counts[kind]++;
      yield piece;
    }
    this.#counts = counts;
  }

  listOf(kind: RecordKind): RecordList {
    return new FileRecordList(this, kind);
  }
}

class FileRecordList implements RecordList {
  readonly #files: RecordsInFiles;
  readonly #kind: RecordKind;
  #identifiers: Promise<readonly string[]> | undefined;
  #kept = new Map<number, FileRecord>();
  /** Where the last read stopped. Most clients request pages in order, so the next read continues there. */
  #reading:
    | { readonly pieces: AsyncGenerator<readonly FileRecord[]>; begin: number; piece: readonly FileRecord[] }
    | undefined;

  constructor(files: RecordsInFiles, kind: RecordKind) {
    this.#files = files;
    this.#kind = kind;
  }

  readonly count = async (): Promise<number> => (await this.#files.counts())[this.#kind];

  readonly identifiers = (): Promise<readonly string[]> => {
    this.#identifiers ??= this.#findIdentifiers();
    return this.#identifiers;
  };

  async #findIdentifiers(): Promise<readonly string[]> {
    const found = new Set<string>();
    for await (const piece of this.pieces())
      for (const { parsed } of piece) for (const each of parsed.fields.keys()) found.add(each);
    return [...found];
  }

  readonly byId = async (id: string): Promise<StoredRecord | undefined> => {
    let found: FileRecord | undefined;
    // Reads the files to their end, because an invalid record anywhere in the files is an error.
    for await (const piece of this.pieces()) found ??= piece.find((record) => record.id === id)?.copy();
    return found;
  };

  readonly pieces = async function* (this: FileRecordList): AsyncGenerator<readonly FileRecord[]> {
    if (this.#files.knownCounts?.[this.#kind] === 0) return;
    for await (const piece of this.#files.pieces()) yield piece.filter(({ kind }) => kind === this.#kind);
  };

  readonly keep = (position: number, record: StoredRecord): void => {
    if (this.#kept.size < MAX_KEPT) this.#kept.set(position, (record as FileRecord).copy());
  };

  readonly at = async (
    positions: readonly number[],
    following: (count: number) => readonly number[],
  ): Promise<readonly StoredRecord[]> => {
    if (!positions.every((position) => this.#kept.has(position)))
      this.#kept = await this.#readAt(new Set([...positions, ...following(MAX_KEPT)]));
    return positions.map((position) => {
      const record = this.#kept.get(position)?.copy();
      if (!record) throw new UsageError('the files changed while opac read them', 'run the command again');
      return record;
    });
  };

  async #readAt(wanted: ReadonlySet<number>): Promise<Map<number, FileRecord>> {
    const first = [...wanted].reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
    if (this.#reading && first < this.#reading.begin) await this.#reading.pieces.return(undefined);
    if (!this.#reading || first < this.#reading.begin)
      this.#reading = { pieces: this.pieces(), begin: 0, piece: [] };
    const reading = this.#reading;
    const found = new Map<number, FileRecord>();
    for (;;) {
      for (const [index, record] of reading.piece.entries())
        if (wanted.has(reading.begin + index)) found.set(reading.begin + index, record.copy());
      if (found.size === wanted.size) return found;
      const next = await reading.pieces.next();
      reading.begin += reading.piece.length;
      reading.piece = next.done ? [] : next.value;
      if (next.done) return found;
    }
  }
}
