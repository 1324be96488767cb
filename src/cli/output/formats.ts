/** The formats, each a way from pages of items to text. Those for programs never change with terminal, locale or colour. */
import type { ExportFormat, TextFormat } from '../../export/formats.js';
import type { Json } from '../../service/json.js';
import type { ItemColumn } from '../command/item-schema.js';
import type { ItemsResult } from '../command/result.js';
import type { Context } from '../context.js';
import type { Format } from '../options/global.js';

export interface Presentation {
  readonly listing: ItemsResult;
  readonly columns: readonly string[] | 'all' | undefined;
  readonly context: Context;
}

export type Writer = (presentation: Presentation) => AsyncIterable<string>;

export const FORMAT_WRITERS: Readonly<Record<PrintedFormat, Writer>> = {
  table,
  card,
  tsv: (presentation) => delimited(presentation, 'tsv'),
  csv: (presentation) => delimited(presentation, 'csv'),
  json,
  ndjson,
  ids,
};

/** Formats that hold text, in which a listing can be printed. */
type PrintedFormat = Exclude<Format, ExportFormat> | TextFormat;

export function isPrintable(format: Format): format is PrintedFormat {
  return Object.hasOwn(FORMAT_WRITERS, format);
}

async function* json(presentation: Presentation): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items(presentation)) {
    yield `${before}\n${JSON.stringify(shapeOf(presentation, item))}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* ndjson(presentation: Presentation): AsyncGenerator<string> {
  for await (const item of items(presentation)) yield `${JSON.stringify(shapeOf(presentation, item))}\n`;
}

async function* ids(presentation: Presentation): AsyncGenerator<string> {
  for await (const item of rows(presentation)) yield `${presentation.listing.schema.id(item)}\n`;
}

/** One line an item, as the listing itself would have it. */
export async function* plain(presentation: Presentation): AsyncGenerator<string> {
  for await (const item of items(presentation)) yield `${presentation.listing.plain?.(item)}\n`;
}

async function* card(presentation: Presentation): AsyncGenerator<string> {
  const { listing, context } = presentation;
  let before = '';
  for await (const item of items(presentation)) {
    yield `${before}${await listing.schema.card(item, context.terminal)}\n`;
    before = '\n';
  }
}

async function* table(presentation: Presentation): AsyncGenerator<string> {
  const { listing, context, columns } = presentation;
  if (listing.picture && columns === undefined) {
    const whole = await collect(items(presentation));
    if (whole.length > 0) yield `${await listing.picture(whole, context.terminal)}\n`;
    return;
  }
  const all = await collect(rows(presentation));
  if (all.length === 0) return;
  const { renderTable } = await import('./terminal/table.js');
  const chosen = columns === undefined ? listing.schema.forPeople(all) : chosenColumns(presentation, all);
  const { text, note } = renderTable(
    {
      columns: chosen,
      rows: all.map((item) => chosen.map(({ values }) => values(item).join('; '))),
    },
    context.terminal,
  );
  yield `${text}\n`;
  if (note) context.note(note);
}

async function* delimited(presentation: Presentation, format: 'csv' | 'tsv'): AsyncGenerator<string> {
  const [{ stringify }, { cellPrinter, DEFAULT_MULTI }, { CSV, TSV }] = await Promise.all([
    import('csv-stringify/sync'),
    import('../../export/table/multi.js'),
    import('../../export/table/delimited.js'),
  ]);
  const all = await collect(rows(presentation));
  const chosen = chosenColumns(presentation, all);
  // Nothing is known of items whose columns are their own keys when there are none: no header then.
  if (chosen.length === 0 || (presentation.listing.byId && all.length === 0)) return;
  const print = cellPrinter(DEFAULT_MULTI);
  const lines = [
    chosen.map(({ name }) => name),
    ...all.map((item) => chosen.map(({ values }) => print(values(item)))),
  ];
  // TSV has escapes of its own in place of quotes.
  yield format === 'csv'
    ? stringify(lines, { delimiter: CSV.delimiter, record_delimiter: CSV.lineEnd, quoted_match: /\r/ })
    : stringify(
        lines.map((cells) => cells.map(TSV.cell)),
        { delimiter: TSV.delimiter, quote: false },
      );
}

function chosenColumns({ listing, columns }: Presentation, all: readonly Json[]): readonly ItemColumn[] {
  if (columns === undefined || columns === 'all') return listing.schema.every(all, columns === 'all');
  return columns.map((name) => listing.schema.column(name));
}

function shapeOf({ listing, context }: Presentation, item: Json): unknown {
  return context.settings.flat ? listing.schema.flat(item) : item;
}

async function* items({ listing }: Presentation): AsyncGenerator<Json> {
  for await (const page of listing.pages) yield* page;
}

/** The items, or what they hold where that is what a row shows. */
async function* rows(presentation: Presentation): AsyncGenerator<Json> {
  for await (const item of items(presentation)) {
    if (presentation.listing.rows) yield* presentation.listing.rows(item);
    else yield item;
  }
}

async function collect(each: AsyncIterable<Json>): Promise<Json[]> {
  const all: Json[] = [];
  for await (const item of each) all.push(item);
  return all;
}
