/** Records that were indexed once and are read again from where they lie: in their files, or compressed beside the index. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { FileRecord } from './data-files.js';
import { parseBytes, type RecordSource } from './file-records.js';
import { NumberList } from './number-list.js';
import { type IndexPlace, SearchIndex, SearchIndexWriter } from './search-index.js';
import {
  addNumbers,
  readLargeNumbers,
  readNumbers,
  type Section,
  type SectionReader,
  type SectionWriter,
} from './sections.js';
import { type TextPiece, Texts, TextWriter } from './texts.js';

/** The records of a kind; kept as JSON. */
interface KindPlace {
  readonly kind: RecordKind;
  readonly count: number;
  readonly ids: readonly TextPiece[];
  /** In step: the number of the file, or above those that of a block; where the record begins in there; its length. */
  readonly holders: Section;
  readonly begins: Section;
  readonly lengths: Section;
  readonly index: IndexPlace;
}

export interface RecordsPlace {
  readonly kinds: readonly KindPlace[];
  readonly blocks: readonly Section[];
}

/** Bytes of records that are compressed together: few enough to be read for one record. */
const BLOCK = 64 * 1024;

export class KeptRecordsWriter {
  readonly #writer: SectionWriter;
  /** The numbers of the files in which records lie as they are. */
  readonly #files: ReadonlyMap<string, number>;
  readonly #blocks: Section[] = [];
  #block: Buffer[] = [];
  #blockLength = 0;
  readonly #kinds: ReadonlyMap<RecordKind, KindWriter>;

  constructor(writer: SectionWriter, paths: readonly string[]) {
    this.#writer = writer;
    this.#files = new Map(paths.map((path, number) => [path, number]));
    this.#kinds = new Map(RECORD_KINDS.map((kind) => [kind, new KindWriter(kind, writer)]));
  }

  /** Throws a UsageError for a record that is not valid JSON. */
  add(record: FileRecord): void {
    const file = record.begin === undefined ? undefined : this.#files.get(record.path);
    const kind = this.#kinds.get(record.kind) as KindWriter;
    if (file !== undefined && record.begin !== undefined) {
      kind.add(record, file, record.begin);
      return;
    }
    kind.add(record, this.#files.size + this.#blocks.length, this.#blockLength);
    this.#block.push(record.bytes);
    this.#blockLength += record.bytes.length;
    if (this.#blockLength >= BLOCK) this.#endBlock();
  }

  finish(): RecordsPlace {
    this.#endBlock();
    return { kinds: [...this.#kinds.values()].map((kind) => kind.finish()), blocks: this.#blocks };
  }

  #endBlock(): void {
    this.#blocks.push(this.#writer.add(deflateRawSync(Buffer.concat(this.#block), { level: 1 })));
    [this.#block, this.#blockLength] = [[], 0];
  }
}

class KindWriter {
  readonly #kind: RecordKind;
  readonly #writer: SectionWriter;
  readonly #ids: TextWriter;
  readonly #holders = new NumberList();
  readonly #begins: number[] = [];
  readonly #lengths = new NumberList();
  readonly #index: SearchIndexWriter;

  constructor(kind: RecordKind, writer: SectionWriter) {
    this.#kind = kind;
    this.#writer = writer;
    this.#ids = new TextWriter(writer);
    this.#index = new SearchIndexWriter(writer);
  }

  add({ kind, id, bytes }: FileRecord, holder: number, begin: number): void {
    this.#index.add(parseBytes(kind, id, bytes));
    this.#ids.add(id);
    this.#holders.push(holder);
    this.#begins.push(begin);
    this.#lengths.push(bytes.length);
  }

  finish(): KindPlace {
    return {
      kind: this.#kind,
      count: this.#begins.length,
      ids: this.#ids.finish(),
      holders: addNumbers(this.#writer, this.#holders.numbers),
      begins: addNumbers(this.#writer, Float64Array.from(this.#begins)),
      lengths: addNumbers(this.#writer, this.#lengths.numbers),
      index: this.#index.finish(),
    };
  }
}

/** Reads from the file of that number. */
export type ReadFile = (file: number, begin: number, length: number) => Buffer;

/** The records of each kind. Throws what `reader` and `readFile` throw. */
export function keptRecords(
  { kinds, blocks }: RecordsPlace,
  files: number,
  reader: SectionReader,
  readFile: ReadFile,
): ReadonlyMap<RecordKind, RecordSource> {
  const blockAt = blockReader(blocks, reader);
  const read: ReadFile = (holder, begin, length) =>
    holder < files
      ? readFile(holder, begin, length)
      : blockAt(holder - files).subarray(begin, begin + length);
  return new Map(kinds.map((place) => [place.kind, sourceOf(place, reader, read)]));
}

function sourceOf(place: KindPlace, reader: SectionReader, read: ReadFile): RecordSource {
  const ids = new Texts(reader, place.ids);
  let index: SearchIndex | undefined;
  let places: { holders: Uint32Array; begins: Float64Array; lengths: Uint32Array } | undefined;
  return {
    count: place.count,
    idAt: (record) => ids.at(record),
    bytesAt: (record) => {
      places ??= {
        holders: readNumbers(reader, place.holders),
        begins: readLargeNumbers(reader, place.begins),
        lengths: readNumbers(reader, place.lengths),
      };
      const { holders, begins, lengths } = places;
      return read(holders[record] as number, begins[record] as number, lengths[record] as number);
    },
    get index() {
      index ??= new SearchIndex(reader, place.index, place.count);
      return index;
    },
  };
}

/** As much as the records of 100,000 objects take: each block is then decompressed once, in whatever order they are asked for. */
const MOST_HELD = 256 * 1024 * 1024;

function blockReader(places: readonly Section[], reader: SectionReader): (block: number) => Buffer {
  const held = new Map<number, Buffer>();
  let bytes = 0;
  return (number) => {
    const block = held.get(number) ?? inflateRawSync(reader.read(places[number] as Section));
    if (!held.delete(number)) bytes += block.length;
    held.set(number, block);
    for (const [oldest, { length }] of held) {
      if (bytes <= MOST_HELD) break;
      held.delete(oldest);
      bytes -= length;
    }
    return block;
  };
}
