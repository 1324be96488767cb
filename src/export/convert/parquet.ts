/**
 * Parquet: typed columns in row groups, for DuckDB, pandas, Spark and warehouses. Records are read twice: first for the columns
 * and their types, then for the row groups.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Kind } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import type { Column } from '../../service/records/columns.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { VERSION } from '../../service/version.js';
import { type Converter, type RecordBytes, recordBytes } from './converter.js';
import { chosenSet, foundSet } from './parquet-columns.js';
import { elementsOf, parquetValue, typeName } from './parquet-types.js';

/** Limits of a row group: records, and characters of JSON. */
const GROUP_RECORDS = 16_000;
const GROUP_CHARACTERS = 16 << 20;

export interface ParquetShape {
  readonly kind: Kind;
  readonly chosen: readonly Column[] | undefined;
  readonly headsOf?: (columns: readonly string[]) => readonly string[];
  /** What becomes of each record before it is written. */
  readonly plain?: ((record: CollectionRecord) => CollectionRecord) | undefined;
}

export function parquetOf({
  kind,
  chosen,
  headsOf = (names) => names,
  plain = (record) => record,
}: ParquetShape): Converter {
  const set = chosen ? chosenSet(chosen) : foundSet();
  const { see } = set;
  const recordOf = (line: RecordBytes) => plain(readRecord(parseJson(recordBytes(line)), kind));
  const columns = () => {
    const found = set.columns();
    const heads = headsOf(found.map(({ name }) => name));
    return found.map((column, n) => ({ ...column, name: heads[n] ?? column.name }));
  };
  return {
    fields: () => columns().map(({ name, type }) => ({ name, type: typeName(type) })),
    scan:
      see &&
      (async (all) => {
        for await (const group of all) for (const line of group) see(recordOf(line));
      }),
    async *convert(records) {
      const all = columns();
      const writer = new ByteWriter();
      const root = { name: 'schema', num_children: all.length };
      const file = new ParquetWriter({
        writer,
        schema: [root, ...all.flatMap(({ name, type }) => elementsOf(name, type))],
        createdBy: `opac version ${VERSION}`,
      });
      let columnData = all.map(({ name }) => ({ name, data: [] as unknown[] }));
      let characters = 0;
      async function* endGroup() {
        const rows = columnData[0]?.data.length ?? 0;
        if (rows > 0) await file.write({ columnData, rowGroupSize: rows });
        columnData = all.map(({ name }) => ({ name, data: [] }));
        characters = 0;
        yield taken(writer);
      }
      for await (const group of records) {
        for (const line of group) {
          const record = recordOf(line);
          for (const [n, { type, read }] of all.entries())
            columnData[n]?.data.push(parquetValue(type, read(record)));
          characters += line.end - line.start;
          const rows = columnData[0]?.data.length ?? 0;
          if (rows >= GROUP_RECORDS || characters >= GROUP_CHARACTERS) yield* endGroup();
        }
      }
      yield* endGroup();
      await file.finish();
      yield taken(writer);
    },
  };
}

/** The bytes since the last call. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
