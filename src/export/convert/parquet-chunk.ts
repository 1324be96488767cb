/** Encodes the values of one column of a row group as a column chunk: a dictionary page if that is smaller, and one data page. */
import type { Encoding, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';

/** Repetition and definition levels, one pair for each value or null (the Parquet format's "Nested Encoding"). */
export class Levels {
  repetition = new Uint8Array(1 << 10);
  definition = new Uint8Array(1 << 10);
  count = 0;

  add(repetition: number, definition: number): void {
    if (this.count === this.repetition.length) {
      this.repetition = enlarge(this.repetition, new Uint8Array(2 * this.count));
      this.definition = enlarge(this.definition, new Uint8Array(2 * this.count));
    }
    this.repetition[this.count] = repetition;
    this.definition[this.count++] = definition;
  }
}

/** The values that are not null, each text or number once. */
export class Values {
  readonly distinct: (string | number)[] = [];
  readonly #numbers = new Map<string | number, number>();
  indices = new Int32Array(1 << 8);
  count = 0;

  add(value: string | number): void {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.distinct.push(value) - 1;
      this.#numbers.set(value, number);
    }
    if (this.count === this.indices.length)
      this.indices = enlarge(this.indices, new Int32Array(2 * this.count));
    this.indices[this.count++] = number;
  }
}

function enlarge<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The highest levels of a column. */
export interface MaxLevels {
  readonly repetition: number;
  readonly definition: number;
}

export interface Chunk {
  readonly bytes: Uint8Array;
  readonly uncompressed: number;
  /** Of the dictionary page, 0 without one. */
  readonly dictionaryBytes: number;
  readonly values: number;
  readonly statistics: Statistics;
}

export function encodeChunk(levels: Levels, max: MaxLevels, values: Values): Chunk {
  const plain = encodePlain(values.distinct);
  const width = bitsFor(values.distinct.length - 1);
  const page = new ByteWriter();
  const out = new ByteWriter();
  let uncompressed = 0;
  let encoding: Encoding = 'PLAIN';
  const lengths = values.indices.subarray(0, values.count);
  const repeated = lengths.reduce((sum, number) => sum + plain.lengthOf(number), 0);
  if (2 * (plain.bytes.length + (values.count * width) / 8) <= repeated) {
    encoding = 'RLE_DICTIONARY';
    uncompressed += writePage(out, plain.bytes, new Uint8Array(0), {
      type: 'DICTIONARY_PAGE',
      dictionary_page_header: { num_values: values.distinct.length, encoding: 'PLAIN' },
    });
    page.appendUint8(width);
    writeRleBitPackedHybrid(page, lengths, width);
  } else for (const number of lengths) page.appendBytes(plain.bytesOf(number));
  const dictionaryBytes = out.offset;
  const levelBytes = new ByteWriter();
  const write = (of: Uint8Array, highest: number) =>
    highest === 0 ? 0 : writeRleBitPackedHybrid(levelBytes, of.subarray(0, levels.count), bitsFor(highest));
  const repetitionBytes = write(levels.repetition, max.repetition);
  const definitionBytes = write(levels.definition, max.definition);
  const nulls = levels.count - values.count;
  uncompressed += writePage(out, page.getBytes(), levelBytes.getBytes(), {
    type: 'DATA_PAGE_V2',
    data_page_header_v2: {
      num_values: levels.count,
      num_nulls: nulls,
      num_rows: rowsOf(levels),
      encoding,
      definition_levels_byte_length: definitionBytes,
      repetition_levels_byte_length: repetitionBytes,
      is_compressed: true,
    },
  });
  return {
    bytes: out.getBytes().slice(),
    uncompressed,
    dictionaryBytes,
    values: levels.count,
    statistics: { ...plain.bounds(), null_count: BigInt(nulls) },
  };
}

type PageHeader = Parameters<typeof writePageHeader>[1];

/** Returns the size of the page without compression. */
function writePage(
  out: ByteWriter,
  content: Uint8Array,
  levels: Uint8Array,
  header: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>,
): number {
  const compressed = snappyCompress(content);
  const start = out.offset;
  writePageHeader(out, {
    ...header,
    uncompressed_page_size: levels.length + content.length,
    compressed_page_size: levels.length + compressed.length,
  });
  const headerBytes = out.offset - start;
  out.appendBytes(levels);
  out.appendBytes(compressed);
  return headerBytes + levels.length + content.length;
}

function rowsOf({ repetition, count }: Levels): number {
  let rows = 0;
  for (let n = 0; n < count; n++) if (repetition[n] === 0) rows++;
  return rows;
}

function bitsFor(highest: number): number {
  return 32 - Math.clz32(Math.max(highest, 0));
}

/** Values as the format has them: INT32, or text behind its length. */
function encodePlain(values: readonly (string | number)[]) {
  const sizes = values.reduce<number>(
    (sum, each) => sum + (typeof each === 'string' ? 3 * each.length : 0),
    0,
  );
  const all = Buffer.allocUnsafe(sizes + 4 * values.length);
  const starts = new Uint32Array(values.length + 1);
  let length = 0;
  for (const [n, value] of values.entries()) {
    if (typeof value === 'number') all.writeInt32LE(value, length);
    else {
      const written = all.write(value, length + 4);
      all.writeUInt32LE(written, length);
      length += written;
    }
    length += 4;
    starts[n + 1] = length;
  }
  const at = (number: number) => starts[number] as number;
  const isBefore = (one: number, other: number) =>
    typeof values[one] === 'string'
      ? all.compare(all, at(other) + 4, at(other + 1), at(one) + 4, at(one + 1)) < 0
      : (values[one] as number) < (values[other] as number);
  const bound = (number: number) => {
    const value = values[number];
    return typeof value === 'number' ? value : Uint8Array.from(bytesOf(number).subarray(4));
  };
  const bytesOf = (number: number) => all.subarray(at(number), at(number + 1));
  return {
    bytes: all.subarray(0, length),
    bytesOf,
    lengthOf: (number: number) => at(number + 1) - at(number),
    /** Texts are compared by bytes: by UTF-16, as JavaScript compares them, 🦑 comes before ﬁ. */
    bounds(): Statistics {
      if (values.length === 0) return {};
      let least = 0;
      let greatest = 0;
      for (let n = 1; n < values.length; n++) {
        if (isBefore(n, least)) least = n;
        else if (isBefore(greatest, n)) greatest = n;
      }
      return { min_value: bound(least), max_value: bound(greatest) };
    },
  };
}
