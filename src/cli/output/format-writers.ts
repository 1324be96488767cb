/** Writers for each output format, for lists of items and for single values. */
import { Readable } from 'node:stream';
import type { TextFormat } from '../../export/convert/formats.js';
import { toSingleLine } from '../../records/cells/dialect.js';
import type { MultiValueRule } from '../../records/cells/multi-value-rule.js';
import { toSqlNames } from '../../records/cells/sql-names.js';
import { jsonLine } from '../../records/json/item-bytes.js';
import { formatNumber } from '../../service/format-numbers.js';
import type { Json } from '../../service/json.js';
import { escapeIdLine } from '../../service/records/record-key.js';
import type { FieldLabels } from '../../service/search/field-labels.js';
import { stripLogCommands } from '../../system/log-commands.js';
import type { Context } from '../context.js';
import type { ItemColumn } from '../description/item-schema.js';
import type { ItemsResult, ValueResult } from '../description/result.js';
import type { Format, SCREEN_FORMATS } from '../options/global.js';
import type { ChosenColumns } from './column-names.js';
import { formatDelimited, formatJsonArray, formatXlsx } from './rows.js';
import { escapeJsonForTerminal, replaceUnsafeForTerminal } from './terminal/sanitize.js';

export interface Presentation {
  readonly result: ItemsResult;
  readonly columns: ChosenColumns | 'all' | undefined;
  /** Undefined if the output does not use labels. */
  readonly labels: FieldLabels | undefined;
  readonly context: Context;
}

export type ItemsWriter = (presentation: Presentation) => AsyncIterable<string | Uint8Array>;

interface FormatWriter {
  readonly items: ItemsWriter;
  readonly value: (value: ValueResult) => string | Promise<string>;
  /** Makes the output safe for a terminal. Missing for table and card, which are already safe, and for xlsx. */
  readonly clean?: (text: string) => string;
}

const asText: FormatWriter['value'] = ({ text }) => text;

type PrintedFormat = (typeof SCREEN_FORMATS)[number] | TextFormat;

export const FORMAT_WRITERS: Readonly<Record<PrintedFormat, FormatWriter>> = {
  table: { items: withoutLogCommands(table), value: ({ text }) => stripLogCommands(text) },
  card: { items: withoutLogCommands(card), value: ({ text }) => stripLogCommands(text) },
  tsv: delimitedWriter('tsv'),
  csv: delimitedWriter('csv'),
  json: {
    items: (presentation) =>
      presentation.result.isSingle ? ndjson(presentation) : formatJsonArray(jsonLines(presentation)),
    value: ({ json, indent }) => JSON.stringify(json, null, indent),
    clean: escapeJsonForTerminal,
  },
  ndjson: { items: ndjson, value: ({ json }) => JSON.stringify(json), clean: escapeJsonForTerminal },
  ids: { items: ids, value: asText, clean: replaceUnsafeForTerminal },
};

/** Changes text that CI systems would run as a command. Only for table and card: other formats must contain the exact values. */
function withoutLogCommands(write: (presentation: Presentation) => AsyncIterable<string>): ItemsWriter {
  return async function* (presentation) {
    for await (const text of write(presentation)) yield stripLogCommands(text);
  };
}

function delimitedWriter(format: 'csv' | 'tsv'): FormatWriter {
  return {
    async *items(presentation) {
      const { lines } = await readTable(presentation);
      const rows = presentation.result.table?.singleLine
        ? lines.map((cells) => cells.map(toSingleLine))
        : lines;
      if (rows.length > 0) yield* formatDelimited(Readable.from(rows), format);
    },
    async value({ row, text }) {
      if (row === undefined) return text;
      const lines = await collect(
        formatDelimited(Readable.from([Object.keys(row), Object.values(row)]), format),
      );
      return lines.join('').replace(/\r?\n$/, '');
    },
    clean: replaceUnsafeForTerminal,
  };
}

/** The rows are the same as in tsv and csv, but `; ` separates several values in a cell, instead of `|`. */
export const XLSX_WRITER: FormatWriter = {
  async *items(presentation) {
    const { SHEET_MULTI } = await import('../../records/cells/multi-value-rule.js');
    const { names, lines } = await readTable(presentation, SHEET_MULTI);
    const [headers = [], ...rows] = lines;
    yield* formatXlsx('list', { headers, names, rows: Readable.from(rows) }, presentation.context);
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
  for await (const item of rows(presentation)) {
    const id = presentation.result.schema.id(item);
    // A record may have no id. Programs would read an empty line as an id.
    if (id !== '') yield `${escapeIdLine(id)}\n`;
  }
}

async function* card(presentation: Presentation): AsyncGenerator<string> {
  const { result, context } = presentation;
  const chosen = typeof presentation.columns === 'object' ? getChosenColumns(presentation, []) : undefined;
  let separator = '';
  for await (const item of items(presentation)) {
    yield separator;
    yield `${await (chosen ? renderChosenColumns(chosen, item, context) : result.schema.card(item, context.terminal, presentation.labels))}\n`;
    separator = '\n';
  }
}

async function renderChosenColumns(columns: readonly ItemColumn[], item: Json, { terminal }: Context) {
  const { renderDescriptionList, toTextItem } = await import('./cards/description-list.js');
  const entries = columns.map(({ header, name, values }) =>
    toTextItem(header ?? name, values(item), terminal),
  );
  return renderDescriptionList(entries, terminal).join('\n');
}

async function* table(presentation: Presentation): AsyncGenerator<string> {
  const { result, context, columns } = presentation;
  if (result.render && columns === undefined) {
    const all = await collect(items(presentation));
    if (all.length > 0) yield `${await result.render(all, context.terminal)}\n`;
    return;
  }
  const all = await collect(rows(presentation));
  if (all.length === 0) return;
  const { renderTable } = await import('./terminal/table.js');
  const chosen =
    columns === undefined
      ? addHeaders(presentation, result.schema.getDefaultColumns(all))
      : getChosenColumns(presentation, all);
  const { text, note } = renderTable(
    {
      columns: chosen.map((column) => ({ ...column, name: column.header ?? column.name })),
      rows: all.map((item) => chosen.map((column) => formatCell(column, item))),
    },
    context.terminal,
  );
  yield `${text}\n`;
  if (note) context.note(note);
}

/** Groups the digits of numbers that are not ids. */
function formatCell({ name, align, isNeverCut, values }: ItemColumn, item: Json): string {
  const text = values(item).join('; ');
  return align === 'right' && !isNeverCut && !/Id$/.test(name) && /^\d{4,}$/.test(text)
    ? formatNumber(Number(text))
    : text;
}

/** `lines` begins with the headers, which may differ from `names`. */
async function readTable(presentation: Presentation, rule?: MultiValueRule) {
  const { createCellFormatter, DEFAULT_MULTI, dropEmptyValues } = await import(
    '../../records/cells/multi-value-rule.js'
  );
  const all = await collect(rows(presentation));
  const chosen = getChosenColumns(presentation, all);
  // Writes no header if there are no columns, or if the user gave ids and none of them was found.
  if (chosen.length === 0 || (presentation.result.isById && all.length === 0))
    return { names: [], lines: [] };
  const print = createCellFormatter(rule ?? DEFAULT_MULTI);
  const lines = [
    chosen.map(({ header, name }) => header ?? name),
    ...all.map((item) => {
      const cells = chosen.map(({ values }) => values(item));
      return cells.map((cell, column) => print(dropEmptyValues(cell, countOtherValues(cells, column))));
    }),
  ];
  return { names: chosen.map(({ name }) => name), lines };
}

function* countOtherValues(cells: readonly (readonly unknown[])[], column: number): Generator<number> {
  for (const [other, { length }] of cells.entries()) if (other !== column) yield length;
}

function getChosenColumns(presentation: Presentation, all: readonly Json[]): readonly ItemColumn[] {
  const { result, columns } = presentation;
  return addHeaders(
    presentation,
    columns === undefined || columns === 'all'
      ? result.schema.getAllColumns(all, columns === 'all')
      : columns.list.map(({ name, header }) => ({ ...result.schema.column(name), header })),
  );
}

function addHeaders({ result, labels }: Presentation, columns: readonly ItemColumn[]): readonly ItemColumn[] {
  const { sqlNames } = result.table ?? {};
  if (!sqlNames && !labels) return columns;
  const named = columns.map(({ header, name }) => ({ name, header: header ?? name }));
  const headers = labels?.createHeaders(named) ?? toSqlNames(named.map(({ header }) => header));
  return columns.map((column, n) => ({ ...column, header: headers[n] ?? '' }));
}

/** Yields the original JSON of the items; with --flat or --columns, new JSON. */
async function* jsonLines(presentation: Presentation): AsyncGenerator<string> {
  const { result, context, columns } = presentation;
  if (columns === undefined) {
    for await (const item of items(presentation))
      yield context.globalOptions.flat ? JSON.stringify(result.schema.flat(item)) : jsonLine(item);
    return;
  }
  const named = columns === 'all' ? undefined : getChosenColumns(presentation, []);
  for await (const item of rows(presentation)) {
    const chosen = named ?? getChosenColumns(presentation, [item]);
    const cells = chosen.map(({ header, name, json, values }) => [header ?? name, (json ?? values)(item)]);
    yield JSON.stringify(Object.fromEntries(cells));
  }
}

async function* items({ result }: Presentation): AsyncGenerator<Json> {
  for await (const page of result.pages) yield* page;
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
