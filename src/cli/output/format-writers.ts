/** The formats: how each writes items and values. Those for programs never change with terminal, locale or colour. */
import { Readable } from 'node:stream';
import type { TextFormat } from '../../export/convert/formats.js';
import { toSqlNames } from '../../records/cells/sql-names.js';
import { jsonLine } from '../../records/json/item-bytes.js';
import type { Json } from '../../service/json.js';
import { escapeIdLine } from '../../service/records/record-key.js';
import type { Context } from '../context.js';
import type { ItemColumn } from '../description/item-schema.js';
import type { ItemsResult, ValueResult } from '../description/result.js';
import type { ChosenColumns } from '../options/column-names.js';
import type { Format, SCREEN_FORMATS } from '../options/global.js';
import { delimited, jsonArray, sheet } from './rows.js';
import { count } from './terminal/numbers.js';
import { escapeForTerminal, escapeJsonForTerminal } from './terminal/sanitize.js';

export interface Presentation {
  readonly result: ItemsResult;
  readonly columns: ChosenColumns | 'all' | undefined;
  readonly context: Context;
}

export type ItemsWriter = (presentation: Presentation) => AsyncIterable<string | Uint8Array>;

interface FormatWriter {
  readonly items: ItemsWriter;
  readonly value: (value: ValueResult) => string | Promise<string>;
  /** What makes it safe on a terminal; missing where it is drawn for one. */
  readonly clean?: (text: string) => string;
}

const asText: FormatWriter['value'] = ({ text }) => text;

type PrintedFormat = (typeof SCREEN_FORMATS)[number] | TextFormat;

export const FORMAT_WRITERS: Readonly<Record<PrintedFormat, FormatWriter>> = {
  table: { items: table, value: asText },
  card: { items: card, value: asText },
  tsv: delimitedWriter('tsv'),
  csv: delimitedWriter('csv'),
  json: {
    items: (presentation) =>
      presentation.result.isSingle ? ndjson(presentation) : jsonArray(jsonLines(presentation)),
    value: ({ json, indent }) => JSON.stringify(json, null, indent),
    clean: escapeJsonForTerminal,
  },
  ndjson: { items: ndjson, value: ({ json }) => JSON.stringify(json), clean: escapeJsonForTerminal },
  ids: { items: ids, value: asText, clean: escapeForTerminal },
};

function delimitedWriter(format: 'csv' | 'tsv'): FormatWriter {
  return {
    async *items(presentation) {
      const { lines } = await tableOf(presentation);
      if (lines.length > 0) yield* delimited(Readable.from(lines), format);
    },
    async value({ row, text }) {
      if (row === undefined) return text;
      const lines = await collect(delimited(Readable.from([Object.keys(row), Object.values(row)]), format));
      return lines.join('').replace(/\r?\n$/, '');
    },
    clean: escapeForTerminal,
  };
}

/** The same rows in a sheet. */
export const XLSX_WRITER: FormatWriter = {
  async *items(presentation) {
    const { names, lines } = await tableOf(presentation);
    const [heads = [], ...rows] = lines;
    yield* sheet('list', { heads, names, rows: Readable.from(rows) }, presentation.context);
  },
  value: asText,
};

export function isPrintable(format: Format): format is PrintedFormat {
  return Object.hasOwn(FORMAT_WRITERS, format);
}

async function* ndjson(presentation: Presentation): AsyncGenerator<string> {
  for await (const line of jsonLines(presentation)) yield `${line}\n`;
}

async function* ids(presentation: Presentation): AsyncGenerator<string> {
  for await (const item of rows(presentation)) yield `${escapeIdLine(presentation.result.schema.id(item))}\n`;
}

async function* card(presentation: Presentation): AsyncGenerator<string> {
  const { result: listing, context } = presentation;
  const chosen = typeof presentation.columns === 'object' ? chosenColumns(presentation, []) : undefined;
  let before = '';
  for await (const item of items(presentation)) {
    yield `${before}${chosen ? await chosenCard(chosen, item, context) : await listing.schema.card(item, context.terminal)}\n`;
    before = '\n';
  }
}

async function chosenCard(columns: readonly ItemColumn[], item: Json, { terminal }: Context) {
  const { renderDescriptionList, textItem } = await import('./cards/description-list.js');
  const entries = columns.map(({ header, name, values }) => textItem(header ?? name, values(item), terminal));
  return renderDescriptionList(entries, terminal).join('\n');
}

async function* table(presentation: Presentation): AsyncGenerator<string> {
  const { result: listing, context, columns } = presentation;
  if (listing.render && columns === undefined) {
    const whole = await collect(items(presentation));
    if (whole.length > 0) yield `${await listing.render(whole, context.terminal)}\n`;
    return;
  }
  const all = await collect(rows(presentation));
  if (all.length === 0) return;
  const { renderTable } = await import('./terminal/table.js');
  const chosen =
    columns === undefined
      ? addHeaders(listing, listing.schema.getDefaultColumns(all))
      : chosenColumns(presentation, all);
  const { text, note } = renderTable(
    {
      columns: chosen.map((column) => ({ ...column, name: column.header ?? column.name })),
      rows: all.map((item) => chosen.map((column) => cellText(column, item))),
    },
    context.terminal,
  );
  yield `${text}\n`;
  if (note) context.note(note);
}

/** Numbers are grouped, unless they are ids. */
function cellText({ name, align, isNeverCut, values }: ItemColumn, item: Json): string {
  const text = values(item).join('; ');
  return align === 'right' && !isNeverCut && !/Id$/.test(name) && /^\d{4,}$/.test(text)
    ? count(Number(text))
    : text;
}

/** The head and the rows, and the names of the columns, which may have other heads. */
async function tableOf(presentation: Presentation) {
  const { createCellFormatter, DEFAULT_MULTI, dropEmptyValues } = await import(
    '../../records/cells/multi-value-rule.js'
  );
  const all = await collect(rows(presentation));
  const chosen = chosenColumns(presentation, all);
  // Columns that are the items' own keys are unknown without items: no header then.
  if (chosen.length === 0 || (presentation.result.isById && all.length === 0))
    return { names: [], lines: [] };
  const print = createCellFormatter(DEFAULT_MULTI);
  const lines = [
    chosen.map(({ header, name }) => header ?? name),
    ...all.map((item) => {
      const cells = chosen.map(({ values }) => values(item));
      const others = (column: number) => cells.filter((_, n) => n !== column).map(({ length }) => length);
      return cells.map((cell, column) => print(dropEmptyValues(cell, others(column))));
    }),
  ];
  return { names: chosen.map(({ name }) => name), lines };
}

function chosenColumns(
  { result: listing, columns }: Presentation,
  all: readonly Json[],
): readonly ItemColumn[] {
  return addHeaders(
    listing,
    columns === undefined || columns === 'all'
      ? listing.schema.getAllColumns(all, columns === 'all')
      : columns.list.map(({ name, header }) => ({ ...listing.schema.column(name), header })),
  );
}

function addHeaders({ table }: ItemsResult, columns: readonly ItemColumn[]): readonly ItemColumn[] {
  if (!table?.sqlNames) return columns;
  const heads = toSqlNames(columns.map(({ header, name }) => header ?? name));
  return columns.map((column, n) => ({ ...column, header: heads[n] ?? '' }));
}

/** The items in the bytes of the service; with --flat or --columns in the normal form. */
async function* jsonLines(presentation: Presentation): AsyncGenerator<string> {
  const { result: listing, context, columns } = presentation;
  if (columns === undefined) {
    for await (const item of items(presentation))
      yield context.globalOptions.flat ? JSON.stringify(listing.schema.flat(item)) : jsonLine(item);
    return;
  }
  const named = columns === 'all' ? undefined : chosenColumns(presentation, []);
  for await (const item of rows(presentation)) {
    const chosen = named ?? chosenColumns(presentation, [item]);
    const cells = chosen.map(({ header, name, json, values }) => [header ?? name, (json ?? values)(item)]);
    yield JSON.stringify(Object.fromEntries(cells));
  }
}

async function* items({ result: listing }: Presentation): AsyncGenerator<Json> {
  for await (const page of listing.pages) yield* page;
}

async function* rows(presentation: Presentation): AsyncGenerator<Json> {
  for await (const item of items(presentation)) {
    if (presentation.result.rows) yield* presentation.result.rows(item);
    else yield item;
  }
}

async function collect<T>(each: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of each) all.push(item);
  return all;
}
