/** The records of a kind in memory, indexed by the first search. */
import type { RecordKind } from '../../service/kinds.js';
import type { FileRecord } from './data-files.js';
import { parseBytes, type RecordSource } from './file-records.js';
import { NumberList } from './number-list.js';
import { SearchIndex, SearchIndexWriter } from './search-index.js';
import { HeldSections } from './sections.js';

/** Bytes are kept in pieces of this size, as one file may be longer than a Buffer can be. */
const PIECE = 16 * 1024 * 1024;

export class HeldRecords implements RecordSource {
  readonly #kind: RecordKind;
  readonly #pieces: Buffer[] = [];
  #used = PIECE;
  readonly #ids: string[] = [];
  /** In step with the ids: the piece of a record, where it begins in there, and its length. */
  readonly #piece = new NumberList();
  readonly #begin = new NumberList();
  readonly #length = new NumberList();
  #index: SearchIndex | undefined;

  constructor(kind: RecordKind) {
    this.#kind = kind;
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
    this.#ids.push(id);
  }

  get count(): number {
    return this.#ids.length;
  }

  idAt(index: number): string {
    return this.#ids[index] as string;
  }

  bytesAt(index: number): Buffer {
    const begin = this.#begin.at(index);
    return (this.#pieces[this.#piece.at(index)] as Buffer).subarray(begin, begin + this.#length.at(index));
  }

  get index(): SearchIndex {
    this.#index ??= this.#indexed();
    return this.#index;
  }

  #indexed(): SearchIndex {
    const sections = new HeldSections();
    const writer = new SearchIndexWriter(sections);
    for (let index = 0; index < this.count; index++)
      writer.add(parseBytes(this.#kind, this.idAt(index), this.bytesAt(index)));
    return new SearchIndex(sections, writer.finish(), this.count);
  }
}
