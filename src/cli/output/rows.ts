/** Formats rows and JSON exactly as exports do. */
import { CSV, TSV } from '../../records/cells/dialect.js';
import type { Context } from '../context.js';

type Rows = AsyncIterable<readonly string[]>;

const ROWS_PER_BATCH = 1000;
const MAX_CELL_LENGTH = 1_000_000;

/** Quotes a row of one empty cell, because programs that read the file would skip an empty line. */
export async function* formatDelimited(rows: Rows, format: 'csv' | 'tsv'): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  const { delimiter, lineEnd, formatCell, emptyLine } = format === 'csv' ? CSV : TSV;
  let batch: string[][] = [];
  const formatRow = (row: readonly string[]) =>
    `${row.map(formatCell).join(delimiter) || emptyLine}${lineEnd}`;
  const text = () => {
    // For a long cell full of quotes, csv-stringify needs gigabytes of memory.
    if (batch.some((row) => row.some(({ length }) => length > MAX_CELL_LENGTH)))
      return batch.map(formatRow).join('');
    return stringify(batch, {
      delimiter,
      record_delimiter: lineEnd,
      quoted_match: batch[0]?.length === 1 ? /\r|^$/ : /\r/,
    });
  };
  for await (const row of rows) {
    batch.push([...row]);
    if (batch.length < ROWS_PER_BATCH) continue;
    yield text();
    batch = [];
  }
  yield text();
}

export async function* formatJsonArray(values: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const value of values) {
    yield `${before}\n${value}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** `names` are the names of the columns, if they differ from the headers. */
export async function* formatXlsx(
  sheetName: string,
  table: { readonly headers: readonly string[]; readonly names?: readonly string[]; readonly rows: Rows },
  { warn }: Context,
): AsyncGenerator<Uint8Array> {
  const { createXlsxConverter } = await import('../../export/convert/xlsx.js');
  const { convert, losses, remarks } = createXlsxConverter(sheetName);
  yield* convert(table);
  [...losses(), ...remarks()].forEach(warn);
}
