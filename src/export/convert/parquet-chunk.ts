/** Encodes the values of a leaf in a row group as a column chunk: a dictionary page where that is much smaller, and one data page. */
import type { Encoding, SchemaElement, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import { writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
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
  /** About the bytes of all values, and of those in the dictionary. */
  plainBytes = 0;
  distinctBytes = 0;

  add(value: string | number): void {
    const bytes = 4 + (typeof value === 'string' ? value.length : 0);
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.distinct.push(value) - 1;
      this.#numbers.set(value, number);
      this.distinctBytes += bytes;
    }
    if (this.count === this.indices.length)
      this.indices = enlarge(this.indices, new Int32Array(2 * this.count));
    this.indices[this.count++] = number;
    this.plainBytes += bytes;
  }
}

function enlarge<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The highest levels of a leaf. */
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

const REPEATED: SchemaElement = { name: 'list', repetition_type: 'REPEATED' };

export function encodeChunk(element: SchemaElement, max: MaxLevels, levels: Levels, values: Values): Chunk {
  const column: Parameters<typeof writeDictionaryPage>[1] = {
    columnName: element.name,
    element,
    // The library counts the lists to know the highest level.
    schemaPath: [...Array<SchemaElement>(max.repetition).fill(REPEATED), element],
    codec: 'SNAPPY',
    compressors: { SNAPPY: snappyCompress },
    stats: false,
    pageSize: 0,
    columnIndex: false,
    offsetIndex: false,
  };
  const { distinct, count } = values;
  const indices = values.indices.subarray(0, count);
  const indexBytes = (count * Math.log2(distinct.length || 1)) / 8;
  const hasDictionary = count > 0 && 2 * (values.distinctBytes + indexBytes) <= values.plainBytes;
  const writer = new ByteWriter();
  const dictionarySize = hasDictionary ? writeDictionaryPage(writer, column, distinct) : 0;
  const dictionaryBytes = writer.offset;
  const encoding: Encoding = hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN';
  const pageSize = writeDataPageV2({
    writer,
    column,
    encoding,
    pageData: {
      values: hasDictionary ? indices : Array.from(indices, (index) => distinct[index]),
      definitionLevels: levels.definition.subarray(0, levels.count) as unknown as number[],
      repetitionLevels: levels.repetition.subarray(0, levels.count) as unknown as number[],
      maxDefinitionLevel: max.definition,
    },
  });
  return {
    bytes: writer.getBytes().slice(),
    uncompressed: dictionarySize + pageSize,
    dictionaryBytes,
    values: levels.count,
    statistics: { ...boundsOf(distinct), null_count: BigInt(levels.count - count) },
  };
}

function boundsOf(values: readonly (string | number)[]): Statistics {
  const [first] = values;
  if (first === undefined) return {};
  let least = first;
  let greatest = first;
  for (const value of values) {
    if (isBefore(value, least)) least = value;
    else if (isBefore(greatest, value)) greatest = value;
  }
  return { min_value: least, max_value: greatest };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Texts are in the order of their bytes: JavaScript compares UTF-16, where 🦑 comes before ﬁ. */
function isBefore(one: string | number, other: string | number): boolean {
  const isText = typeof one === 'string' && typeof other === 'string';
  if (!isText || !(SURROGATE.test(one) || SURROGATE.test(other))) return one < other;
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}
