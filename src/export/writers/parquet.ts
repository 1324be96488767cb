/**
 * Parquet: typed columns in row groups, for DuckDB, pandas, Spark and warehouses. It cannot grow: the records are kept as
 * NDJSON until all are there, and are then read twice (see parquet-columns.ts). Memory holds one row group.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Kind } from '../../service/kinds.js';
import type { Column } from '../../service/records/columns.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { VERSION } from '../../service/version.js';
import { decoded, linesOf } from '../files/lines.js';
import type { PageRecord } from '../json/page-records.js';
import { lineWriter } from './line-writer.js';
import {
  allFinder,
  type ColumnFinder,
  chosenFinder,
  type ParquetColumn,
  schemaOf,
  typeName,
} from './parquet-columns.js';
import type { Pieces, RecordWriter } from './record-writer.js';

/** Limits of a row group: records, and characters of JSON. */
const GROUP_RECORDS = 50_000;
const GROUP_CHARACTERS = 16 << 20;

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
}: ParquetShape) {
  let columns: Promise<readonly ParquetColumn[]> | undefined;
  let made: readonly ParquetColumn[] = [];
  const writer = {
    ...lineWriter('ndjson', kind),
    fields: () => made.map(({ name, type }) => ({ name, type: typeName(type) })),
    // The files of a split have the same columns, so that engines read them as one table.
    async *convert(content: Pieces, all: Pieces): AsyncGenerator<Uint8Array> {
      const finder = chosen ? chosenFinder(chosen, !isPart) : allFinder(!isPart);
      columns ??= findColumns(recordsOf(all(), kind, plain), finder).then((found) => {
        const heads = headsOf(found.map(({ name }) => name));
        return found.map((column, n) => ({ ...column, name: heads[n] ?? column.name }));
      });
      made = await columns;
      yield* parquetFile(made, recordsOf(content(), kind, plain));
    },
  };
  return writer satisfies RecordWriter<PageRecord>;
}

async function findColumns(
  records: AsyncIterable<ReadLine>,
  finder: ColumnFinder,
): Promise<readonly ParquetColumn[]> {
  for await (const { record } of records) finder.see(record);
  return finder.columns();
}

interface ReadLine {
  readonly record: CollectionRecord;
  readonly length: number;
}

async function* recordsOf(
  content: AsyncIterable<Buffer>,
  kind: Kind,
  plain: (record: CollectionRecord) => CollectionRecord,
): AsyncGenerator<ReadLine> {
  for await (const line of linesOf(decoded(content))) {
    if (line !== '') yield { record: plain(readRecord(JSON.parse(line), kind)), length: line.length };
  }
}

async function* parquetFile(
  columns: readonly ParquetColumn[],
  records: AsyncIterable<ReadLine>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter(1 << 20);
  const schema = schemaOf(columns);
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: `opac version ${VERSION}` });
  let group = new RowGroup(columns);
  for await (const { record, length } of records) {
    group.add(record, length);
    if (!group.isFull) continue;
    await writer.write(group);
    yield taken(bytes);
    group = new RowGroup(columns);
  }
  if (group.rowGroupSize > 0) await writer.write(group);
  await writer.finish();
  yield taken(bytes);
}

class RowGroup {
  readonly columnData: { readonly name: string; readonly data: unknown[] }[];
  rowGroupSize = 0;
  readonly #columns: readonly ParquetColumn[];
  #characters = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    this.columnData = columns.map(({ name }) => ({ name, data: [] }));
  }

  add(record: CollectionRecord, characters: number): void {
    for (const [n, { value }] of this.#columns.entries()) this.columnData[n]?.data.push(value(record));
    this.rowGroupSize++;
    this.#characters += characters;
  }

  get isFull(): boolean {
    return this.rowGroupSize === GROUP_RECORDS || this.#characters >= GROUP_CHARACTERS;
  }
}

/** The bytes since the last call; `offset` keeps counting. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.getBuffer());
  writer.index = 0;
  return bytes;
}
