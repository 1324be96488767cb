/**
 * Parquet: typed columns in row groups, for DuckDB, pandas, Spark and warehouses. It cannot grow: the records are kept as
 * NDJSON until all are there, and are then read twice (see parquet-columns.ts). Memory holds one row group.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Kind } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import type { Column } from '../../service/records/columns.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { VERSION } from '../../service/version.js';
import { type Converter, type Records, recordBytes } from './converter.js';
import {
  allFinder,
  type ColumnFinder,
  chosenFinder,
  type ParquetColumn,
  schemaOf,
  typeName,
} from './parquet-columns.js';

/** Limits of a row group: records, and characters of JSON. */
const GROUP_RECORDS = 16_000;
const GROUP_CHARACTERS = 16 << 20;
/** Values of a column that become JSON together. */
const TOGETHER = 64;

export interface ParquetShape {
  readonly kind: Kind;
  readonly chosen: readonly Column[] | undefined;
  readonly headsOf?: (columns: readonly string[]) => readonly string[];
  /** What becomes of each record before it is written. */
  readonly plain?: ((record: CollectionRecord) => CollectionRecord) | undefined;
  /** A part cannot know whether another one has a text among the dates: its attributes are text, so that all parts agree. */
  readonly isPart?: boolean | undefined;
}

export function parquetOf({
  kind,
  chosen,
  headsOf = (names) => names,
  plain = (record) => record,
  isPart = false,
}: ParquetShape): Converter {
  const finder = chosen ? chosenFinder(chosen, !isPart) : allFinder(!isPart);
  let columns: readonly ParquetColumn[] = [];
  return {
    fields: () => columns.map(({ name, type }) => ({ name, type: typeName(type) })),
    // The files of a split have the same columns, so that engines read them as one table.
    async scan(all) {
      const found = await findColumns(linesOf(all, kind, plain), finder);
      const heads = headsOf(found.map(({ name }) => name));
      columns = found.map((column, n) => ({ ...column, name: heads[n] ?? column.name }));
    },
    convert: (records) => parquetFile(columns, linesOf(records, kind, plain)),
  };
}

async function findColumns(
  records: AsyncIterable<ReadLine>,
  finder: ColumnFinder,
): Promise<readonly ParquetColumn[]> {
  if (finder.see) for await (const { record } of records) finder.see(record);
  return finder.columns();
}

interface ReadLine {
  readonly record: CollectionRecord;
  readonly length: number;
}

async function* linesOf(
  records: Records,
  kind: Kind,
  plain: (record: CollectionRecord) => CollectionRecord,
): AsyncGenerator<ReadLine> {
  for await (const group of records)
    for (const line of group) {
      const { start, end } = line;
      yield { record: plain(readRecord(parseJson(recordBytes(line)), kind)), length: end - start };
    }
}

async function* parquetFile(
  columns: readonly ParquetColumn[],
  records: AsyncIterable<ReadLine>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20);
  const schema = schemaOf(columns);
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: `opac version ${VERSION}` });
  const group = new RowGroup(columns);
  for await (const { record, length } of records) {
    group.add(record, length);
    if (!group.isFull) continue;
    await writer.write(group);
    yield taken(bytes);
    group.clear();
  }
  await writer.write(group);
  await writer.finish();
  yield taken(bytes);
}

class RowGroup {
  readonly columnData: HeldColumn[];
  rowGroupSize = 0;
  #characters = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.columnData = columns.map((column) => new HeldColumn(column));
  }

  add(record: CollectionRecord, characters: number): void {
    for (const column of this.columnData) column.add(record);
    this.rowGroupSize++;
    this.#characters += characters;
  }

  get isFull(): boolean {
    return this.rowGroupSize === GROUP_RECORDS || this.#characters >= GROUP_CHARACTERS;
  }

  clear(): void {
    for (const column of this.columnData) column.clear();
    this.rowGroupSize = 0;
    this.#characters = 0;
  }
}

/** The values of a column as JSON in one buffer: as strings and arrays, a row group of them would fill the heap. */
class HeldColumn {
  readonly #column: ParquetColumn;
  #bytes = Buffer.allocUnsafeSlow(1 << 16);
  #ends = [0];
  #latest: unknown[] = [];

  constructor(column: ParquetColumn) {
    this.#column = column;
  }

  get name(): string {
    return this.#column.name;
  }

  add(record: CollectionRecord): void {
    this.#latest.push(this.#column.value(record));
    if (this.#latest.length === TOGETHER) this.#hold();
  }

  #hold(): void {
    const text = JSON.stringify(this.#latest);
    const at = this.#ends.at(-1) ?? 0;
    const room = at + text.length * 3;
    if (room > this.#bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(2 * room);
      this.#bytes.copy(bytes, 0, 0, at);
      this.#bytes = bytes;
    }
    this.#ends.push(at + this.#bytes.write(text, at));
    this.#latest = [];
  }

  /** Decoded at each call. */
  get data(): unknown[] {
    this.#hold();
    return this.#ends
      .slice(1)
      .flatMap((end, n) => parseJson(this.#bytes.toString('utf8', this.#ends[n], end)));
  }

  clear(): void {
    this.#ends = [0];
  }
}

/** The bytes since the last call; `offset` keeps counting. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.getBuffer());
  writer.index = 0;
  return bytes;
}
