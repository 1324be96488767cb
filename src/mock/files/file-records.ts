/** Records from files as the bytes that they came with: parsed when they are answered, and indexed by the first search. */
import { UsageError } from '../../service/errors.js';
import { KIND_WORDS, type RecordKind } from '../../service/kinds.js';
import {
  type JsonRecord,
  type ParsedRecord,
  parseRecord,
  type RecordList,
  type StoredRecord,
} from '../data/record-list.js';
import type { FileRecord } from './data-files.js';
import { NumberList } from './number-list.js';
import { IndexedRecord, type SearchIndex } from './search-index.js';

/** Bytes are kept in pieces of this size, as one file may be longer than a Buffer can be. */
const PIECE = 16 * 1024 * 1024;

export class FileRecordList implements RecordList {
  readonly #kind: RecordKind;
  readonly #index: SearchIndex;
  readonly #pieces: Buffer[] = [];
  #used = PIECE;
  readonly #ids: string[] = [];
  readonly #byId = new Map<string, number>();
  /** In step with the ids: the piece of a record, where it begins in there, and its length. */
  readonly #piece = new NumberList();
  readonly #begin = new NumberList();
  readonly #length = new NumberList();
  /** Where the numbers of each record begin in the index, and where the last one's end; filled by the first search. */
  readonly #indexed = new NumberList();
  #identifiers: readonly string[] | undefined;

  constructor(kind: RecordKind, index: SearchIndex) {
    this.#kind = kind;
    this.#index = index;
  }

  add({ id, bytes }: FileRecord): void {
    if (this.#used + bytes.length > (this.#pieces.at(-1)?.length ?? 0)) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE, bytes.length)));
      this.#used = 0;
    }
    this.#piece.push(this.#pieces.length - 1);
    this.#begin.push(this.#used);
    this.#length.push(bytes.length);
    this.#used += bytes.copy(this.#pieces.at(-1) as Buffer, this.#used);
    // Of two records with one id the first is found.
    if (!this.#byId.has(id)) this.#byId.set(id, this.#ids.length);
    this.#ids.push(id);
  }

  get count(): number {
    return this.#ids.length;
  }

  at(index: number): StoredRecord {
    return new RecordInFile(this, this.#kind, this.#ids[index] as string, index);
  }

  byId(id: string): StoredRecord | undefined {
    const index = this.#byId.get(id);
    return index === undefined ? undefined : this.at(index);
  }

  bytesAt(index: number): Buffer {
    const begin = this.#begin.at(index);
    return (this.#pieces[this.#piece.at(index)] as Buffer).subarray(begin, begin + this.#length.at(index));
  }

  searchedAt(index: number): ParsedRecord {
    if (this.#indexed.length === 0) this.#indexAll();
    return new IndexedRecord(this.#index, this.#indexed.at(index), this.#indexed.at(index + 1));
  }

  #indexAll(): void {
    for (let index = 0; index < this.count; index++)
      this.#indexed.push(
        this.#index.add(parsed(this.#kind, this.#ids[index] as string, this.bytesAt(index))),
      );
    this.#indexed.push(this.#index.numbers.length);
  }

  get identifiers(): readonly string[] {
    if (this.#identifiers) return this.#identifiers;
    const identifiers = new Set<string>();
    for (let index = 0; index < this.count; index++)
      for (const identifier of this.searchedAt(index).fields.keys()) identifiers.add(identifier);
    this.#identifiers = [...identifiers];
    return this.#identifiers;
  }
}

class RecordInFile implements StoredRecord {
  readonly #list: FileRecordList;
  readonly #index: number;
  readonly kind: RecordKind;
  readonly id: string;

  constructor(list: FileRecordList, kind: RecordKind, id: string, index: number) {
    this.#list = list;
    this.#index = index;
    this.kind = kind;
    this.id = id;
  }

  get text(): string {
    return this.bytes.toString();
  }

  get bytes(): Buffer {
    return this.#list.bytesAt(this.#index);
  }

  get parsed(): ParsedRecord {
    return parsed(this.kind, this.id, this.bytes);
  }

  get searched(): ParsedRecord {
    return this.#list.searchedAt(this.#index);
  }
}

/** Throws a UsageError for what only looked like JSON when the file was read. */
function parsed(kind: RecordKind, id: string, bytes: Buffer): ReturnType<typeof parseRecord> {
  let record: unknown;
  try {
    record = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new UsageError(
      `${KIND_WORDS[kind].recordType} ${id} is not valid JSON: ${String(cause)}`,
      'export or copy the file again',
    );
  }
  return parseRecord(kind, record as JsonRecord);
}
