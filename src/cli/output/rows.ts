/** How lists and comparisons write rows and lines of JSON, byte for byte as exports do. */
import { CSV, TSV } from '../../records/cells/dialect.js';
import type { Context } from '../context.js';

type Rows = AsyncIterable<readonly string[]>;

const ROWS_PER_BATCH = 1000;

/** Quotes a row of one empty cell, because readers would skip an empty line. */
export async function* delimited(rows: Rows, format: 'csv' | 'tsv'): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  const { delimiter, lineEnd } = format === 'csv' ? CSV : TSV;
  let batch: string[][] = [];
  const text = () =>
    stringify(batch, {
      delimiter,
      record_delimiter: lineEnd,
      quoted_match: batch[0]?.length === 1 ? /\r|^$/ : /\r/,
    });
  for await (const row of rows) {
    batch.push([...row]);
    if (batch.length < ROWS_PER_BATCH) continue;
    yield text();
    batch = [];
  }
  yield text();
}

export async function* jsonArray(values: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const value of values) {
    yield `${before}\n${value}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** `names`: the names of the columns, if their headers differ. */
export async function* sheet(
  sheetName: string,
  table: { readonly heads: readonly string[]; readonly names?: readonly string[]; readonly rows: Rows },
  { note }: Context,
): AsyncGenerator<Uint8Array> {
  const { formatTruncation, createXlsxConverter } = await import('../../export/convert/xlsx.js');
  const { convert, truncatedCells } = createXlsxConverter(sheetName);
  yield* convert({ ...table, headers: table.heads });
  if (truncatedCells() > 0) note(`warning: ${formatTruncation(truncatedCells())}`);
}
