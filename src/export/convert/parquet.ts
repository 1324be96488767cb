/**
 * Converts records to Parquet. As long as all values of an attribute are dates, opac writes the attribute twice: as text and as
 * dates. The footer at the end of the file refers to only one of them. If a column is first found in a later row group, its nulls
 * for the earlier row groups follow the last row group.
 */
import type { ColumnChunk, RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { Kind } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import type { Column } from '../../service/records/columns.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { VERSION } from '../../service/version.js';
import { limitHeapGrowth } from '../../system/heap-growth.js';
import { type Converter, listMalformed, type Records, recordBytes } from './converter.js';
import type { Chunk } from './parquet-chunk.js';
import { type ColumnSet, createChosenSet, createDiscoveredSet, type NamedNode } from './parquet-columns.js';
import { AttributeLeaf, type Leaf, type PlacedLeaf } from './parquet-leaves.js';

const MAX_ROW_GROUP_RECORDS = 16_000;
const MAX_ROW_GROUP_BYTES = 16 << 20;

const MAGIC = Buffer.from('PAR1');

export interface ParquetFormat {
  readonly kind: Kind;
  readonly chosen: readonly Column[] | undefined;
  readonly getHeaders?: (columns: readonly string[]) => readonly string[];
  readonly plain?: ((record: CollectionRecord) => CollectionRecord) | undefined;
}

export function createParquetRecordWriter({
  kind,
  chosen,
  getHeaders = (names) => names,
  plain = (record) => record,
}: ParquetFormat): Converter {
  const set = chosen ? createChosenSet(chosen) : createDiscoveredSet();
  /** Yields the number of rows when a row group is full, and after the last record. */
  async function* addRecords(records: Records): AsyncGenerator<number> {
    let rows = 0;
    let bytes = 0;
    for await (const group of records) {
      for (const line of group) {
        set.add(plain(readRecord(parseJsonLossless(recordBytes(line)), kind)));
        rows++;
        bytes += line.end - line.start;
        if (rows < MAX_ROW_GROUP_RECORDS && bytes < MAX_ROW_GROUP_BYTES) continue;
        yield rows;
        rows = 0;
        bytes = 0;
      }
    }
    if (rows > 0) yield rows;
  }
  let malformed = 0;
  const columns = () => {
    const found = set.columns();
    const headers = getHeaders(found.map(({ name }) => name));
    return found.map(({ name, node }, n) => ({ name: headers[n] ?? name, node }));
  };
  return {
    fields: () => columns().map(({ name, node }) => ({ name, type: node.typeName() })),
    losses: () => listMalformed(malformed, 'value'),
    // All files of a split export have the same columns, so that programs can read them as one table.
    async scan(all, files) {
      if (files > 1) for await (const _ of addRecords(all)) set.encode();
    },
    async *convert(records) {
      const file = new ParquetFile(set);
      const release = limitHeapGrowth();
      try {
        yield MAGIC;
        for await (const rows of addRecords(records)) yield* file.endGroup(rows);
        yield* file.finish(columns());
        malformed += file.malformed;
      } finally {
        release();
      }
    },
  };
}

/** The chunks of a row group. A leaf is a column without inner columns. */
interface WrittenGroup {
  readonly rows: number;
  readonly written: Map<Leaf, WrittenChunk>;
  /** The same values as dates, for leaves that have only dates so far. */
  readonly dates: Map<Leaf, WrittenChunk>;
  /** Nulls for attributes that are found later. The key is `AttributeLeaf.empty`. */
  readonly nulls: Map<Leaf, Chunk>;
}

interface WrittenChunk extends Omit<Chunk, 'bytes'> {
  readonly bytes: number;
  readonly start: number;
}

class ParquetFile {
  readonly #set: ColumnSet;
  readonly #groups: WrittenGroup[] = [];
  #length = MAGIC.length;
  /** The number of values with half of a surrogate pair. A value that occurs again may count only once. */
  malformed = 0;

  constructor(set: ColumnSet) {
    this.#set = set;
  }

  *endGroup(rows: number): Generator<Uint8Array> {
    const group: WrittenGroup = { rows, written: new Map(), dates: new Map(), nulls: new Map() };
    for (const [leaf, { chunk, asDates }] of this.#set.encode()) {
      this.malformed += chunk.malformed;
      if (leaf instanceof AttributeLeaf && !leaf.empty) group.nulls.set(leaf, chunk);
      else {
        yield this.#write(group.written, leaf, chunk);
        if (asDates) yield this.#write(group.dates, leaf, asDates);
      }
    }
    this.#groups.push(group);
  }

  #write(written: WrittenGroup['written'], leaf: Leaf, { bytes, ...chunk }: Chunk): Uint8Array {
    written.set(leaf, { ...chunk, bytes: bytes.length, start: this.#length });
    this.#length += bytes.length;
    return bytes;
  }

  *finish(columns: readonly NamedNode[]): Generator<Uint8Array> {
    const leaves = columns.flatMap(({ name, node }) => node.leaves(name));
    for (const group of this.#groups) {
      for (const { leaf } of leaves) {
        if (!group.written.has(leaf)) yield this.#write(group.written, leaf, selectNulls(group, leaf));
      }
    }
    const footer = new ByteWriter();
    const root = { name: 'schema', num_children: columns.length };
    writeMetadata(footer, {
      version: 2,
      created_by: `opac version ${VERSION}`,
      schema: [root, ...columns.flatMap(({ name, node }) => node.elements(name))],
      num_rows: BigInt(this.#groups.reduce((sum, { rows }) => sum + rows, 0)),
      row_groups: this.#groups.map((group) => createRowGroup(group, leaves)),
      metadata_length: 0,
    });
    yield footer.getBytes();
    yield MAGIC;
  }
}

/** Returns the nulls for a row group that was written before the leaf was found. */
function selectNulls({ nulls, rows }: WrittenGroup, leaf: Leaf): Chunk {
  const known = leaf instanceof AttributeLeaf && leaf.empty ? nulls.get(leaf.empty) : undefined;
  return known ?? leaf.encodeNulls(rows);
}

function createRowGroup({ rows, written, dates }: WrittenGroup, leaves: readonly PlacedLeaf[]): RowGroup {
  const placed = leaves.flatMap(({ leaf, path }) => {
    const chunk = (leaf.isDate && dates.get(leaf)) || written.get(leaf);
    return chunk ? [{ chunk, leaf, path }] : [];
  });
  const sum = (sizes: readonly number[]) => BigInt(sizes.reduce((before, size) => before + size, 0));
  return {
    columns: placed.map(({ chunk, leaf, path }) => createColumnChunk(chunk, leaf, path)),
    total_byte_size: sum(placed.map(({ chunk }) => chunk.uncompressed)),
    num_rows: BigInt(rows),
    total_compressed_size: sum(placed.map(({ chunk }) => chunk.bytes)),
  };
}

function createColumnChunk(chunk: WrittenChunk, leaf: Leaf, path: readonly string[]): ColumnChunk {
  const { start, bytes, uncompressed, dictionaryBytes, values } = chunk;
  const hasDictionary = dictionaryBytes > 0;
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: leaf.elements('')[0]?.type ?? 'BYTE_ARRAY',
      encodings: hasDictionary ? ['PLAIN', 'RLE_DICTIONARY'] : ['PLAIN'],
      path_in_schema: [...path],
      codec: 'SNAPPY',
      num_values: BigInt(values),
      total_compressed_size: BigInt(bytes),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(start + dictionaryBytes),
      ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
      encoding_stats: [
        ...(hasDictionary ? [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const] : []),
        { page_type: 'DATA_PAGE_V2', encoding: hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN', count: 1 },
      ],
    },
  };
}
