/** Encodes the values of a column in a row group as a data page, with a dictionary page if many values repeat. */
import type { Encoding, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import { writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';

/** Repetition and definition levels: one pair for each value, null or empty list (Parquet format, "Nested Encoding"). */
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

const SAMPLE_VALUES = 1000;

/** Values without nulls. If nearly all of the first values are different, `distinct` may contain a later value several times. */
export class Values {
  readonly distinct: (string | number)[] = [];
  #numbers: Map<string | number, number> | undefined = new Map();
  indices = new Int32Array(1 << 8);
  count = 0;
  /** The number of entries of `distinct` with half of a surrogate pair, which UTF-8 cannot contain. */
  malformed = 0;

  add(value: string | number): void {
    let number = this.#numbers?.get(value);
    if (number === undefined) {
      number = this.distinct.push(value) - 1;
      if (typeof value === 'string' && !value.isWellFormed()) this.malformed++;
      this.#numbers?.set(value, number);
    }
    if (this.count === SAMPLE_VALUES && this.distinct.length > 0.9 * SAMPLE_VALUES) this.#numbers = undefined;
    if (this.count === this.indices.length)
      this.indices = enlarge(this.indices, new Int32Array(2 * this.count));
    this.indices[this.count++] = number;
  }
}

function enlarge<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

export interface MaxLevels {
  readonly repetition: number;
  readonly definition: number;
}

export interface Chunk {
  readonly bytes: Uint8Array;
  readonly uncompressed: number;
  readonly dictionaryBytes: number;
  /** The number of values, including nulls. */
  readonly values: number;
  readonly malformed: number;
}

const LIST_ELEMENT: SchemaElement = { name: 'list', repetition_type: 'REPEATED' };

export function encodeChunk(element: SchemaElement, max: MaxLevels, levels: Levels, values: Values): Chunk {
  const column: Parameters<typeof writeDictionaryPage>[1] = {
    columnName: element.name,
    element,
    // hyparquet-writer counts the lists in the path to find the highest repetition level.
    schemaPath: [...Array<SchemaElement>(max.repetition).fill(LIST_ELEMENT), element],
    codec: 'SNAPPY',
    compressors: { SNAPPY: snappyCompress },
    stats: false,
    pageSize: 0,
    columnIndex: false,
    offsetIndex: false,
  };
  const { distinct, count } = values;
  const indices = values.indices.subarray(0, count);
  const hasDictionary = count > 0 && 2 * distinct.length <= count;
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
    malformed: values.malformed,
  };
}
