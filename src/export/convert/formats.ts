/** The export formats. A new format needs a row here and a converter. */
import { basename } from 'node:path';
import { CSV, type Dialect, TSV } from '../../records/cells/dialect.js';
import { EXCEL } from '../../records/cells/excel.js';
import type { MultiValueRule } from '../../records/cells/multi-value-rule.js';
import { UsageError } from '../../service/errors.js';
import type { Kind } from '../../service/kinds.js';
import type { ColumnWithHeader } from '../../service/records/columns.js';
import type { FieldLabels } from '../../service/search/field-labels.js';
import { findClosestSpelling } from '../../service/suggest-name.js';
import type { Converter } from './converter.js';

export interface FormatOptions {
  readonly kind: Kind;
  readonly format: ExportFormat;
  readonly flat?: boolean | undefined;
  /** Default: the columns that the records have. `all` adds the attributes and related ids. */
  readonly columns?: string | undefined;
  readonly multi?: string | undefined;
  readonly excel?: boolean | undefined;
  readonly sqlNames?: boolean | undefined;
  readonly labels?: FieldLabels | undefined;
  /** In tables and with `flat`: whether to convert HTML in values to plain text. */
  readonly plainText?: boolean | undefined;
  /** In CSV and TSV: whether to replace each tab and line break in a cell with a space. */
  readonly singleLine?: boolean | undefined;
}

export interface ResolvedFormatOptions extends FormatOptions {
  /** Undefined if the columns depend on the records. */
  readonly chosen: readonly ColumnWithHeader[] | undefined;
  /** Adding a column at the end does not change the headers before it. */
  readonly getHeaders: (columns: readonly string[]) => readonly string[];
  readonly rule: MultiValueRule;
  readonly dialect: Dialect | undefined;
}

/** `before`: the columns of the earlier export at the target, which come first. */
type MakeConverter = (options: ResolvedFormatOptions, before: readonly string[]) => Promise<Converter>;

export interface Format {
  readonly extensions: readonly string[];
  readonly table?: Dialect;
  readonly excelTable?: Dialect;
  readonly json?: 'array' | 'lines';
  readonly takesColumns?: boolean;
  /** Whether commands other than `export` can write the format. */
  readonly isListed: boolean;
  readonly isText: boolean;
  /** Whether spreadsheet programs treat cells that begin like formulas as formulas. */
  readonly runsFormulas: boolean;
  readonly converter: MakeConverter;
}

const plainTexts = () => import('../../records/cells/plain-text.js');

async function withPlain(options: ResolvedFormatOptions) {
  return { ...options, plain: options.plainText ? (await plainTexts()).plainText : undefined };
}

const toTable: MakeConverter = async (options, before) => {
  const { createTableRecordWriter } = await import('./table-writer.js');
  return createTableRecordWriter(await withPlain(options), before);
};

const toXlsx: MakeConverter = async (options, before) => {
  const { createXlsxRecordWriter } = await import('./xlsx.js');
  return createXlsxRecordWriter(await withPlain(options), before);
};

const toParquet: MakeConverter = async (options) => {
  const { createParquetRecordWriter } = await import('./parquet.js');
  return createParquetRecordWriter({
    ...options,
    plain: options.plainText ? (await plainTexts()).stripHtmlFromRecord : undefined,
  });
};

const toLines =
  (frame: 'array' | 'lines'): MakeConverter =>
  async ({ kind, flat, plainText }) => {
    const { createFlatConverter, createJsonConverter } = await import('./lines.js');
    return flat
      ? createFlatConverter(frame, kind, plainText ? (await plainTexts()).stripHtmlFromRecord : undefined)
      : createJsonConverter(frame);
  };

const toIds: MakeConverter = async () => (await import('./lines.js')).createIdConverter();

const text = { isText: true, isListed: true, runsFormulas: false } as const;
const table = { ...text, runsFormulas: true, takesColumns: true, converter: toTable } as const;
const binary = {
  isText: false,
  runsFormulas: false,
  takesColumns: true,
} as const;

const ROWS = {
  tsv: { ...table, extensions: ['tsv'], table: TSV },
  csv: {
    ...table,
    extensions: ['csv'],
    table: CSV,
    excelTable: EXCEL,
  },
  json: {
    ...text,
    extensions: ['json'],
    json: 'array',
    converter: toLines('array'),
  },
  ndjson: {
    ...text,
    extensions: ['ndjson', 'jsonl'],
    json: 'lines',
    converter: toLines('lines'),
  },
  ids: {
    ...text,
    extensions: ['ids'],
    converter: toIds,
  },
  xlsx: {
    ...binary,
    extensions: ['xlsx'],
    table: TSV,
    excelTable: TSV,
    isListed: true,
    converter: toXlsx,
  },
  parquet: {
    ...binary,
    extensions: ['parquet'],
    isListed: false,
    converter: toParquet,
  },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a format: `csv`, `ndjson`, … */
export type ExportFormat = keyof typeof ROWS;
export type TextFormat = {
  [F in ExportFormat]: (typeof ROWS)[F]['isText'] extends true ? F : never;
}[ExportFormat];

export const FORMATS: Readonly<Record<ExportFormat, Format>> = ROWS;
export const EXPORT_FORMATS = Object.keys(ROWS) as readonly ExportFormat[];
export const LISTED_FORMATS = EXPORT_FORMATS.filter((format) => FORMATS[format].isListed);
export const DEFAULT_FORMAT: ExportFormat = 'csv';

export function findFormat(name: string | undefined): Format | undefined {
  const format = parseExportFormat(name);
  return format && FORMATS[format];
}

/** Returns true for CSV and TSV. */
export function isDelimited({ table, isText = false }: Partial<Format> = {}): boolean {
  return table !== undefined && isText;
}

export function parseExportFormat(name: string | undefined): ExportFormat | undefined {
  return EXPORT_FORMATS.find((format) => format === name);
}

export function findFormatByName(file: string): ExportFormat | undefined {
  const extension = getExtension(file)?.toLowerCase();
  return EXPORT_FORMATS.find((format) => FORMATS[format].extensions.some((each) => each === extension));
}

/** Call this only if no format has the extension. Throws a UsageError if the file name has an extension. */
export function assertKnownExtension(
  file: string,
  formats: readonly ExportFormat[] = EXPORT_FORMATS,
  others: readonly string[] = [],
): void {
  const extension = getExtension(file);
  if (extension === undefined) return;
  const known = [...formats.flatMap((format) => FORMATS[format].extensions), ...others];
  const near = findClosestSpelling(extension, known);
  const all = known.map((each) => `.${each}`).join(' ');
  const names = `use ${all} (optionally followed by .gz or .zst), or name the format with -f`;
  throw new UsageError(
    `".${extension}" is not the file extension of a format`,
    near ? `did you mean .${near}? If not, ${names}` : names,
  );
}

/** Throws a UsageError for options that change headers or the text of cells, if the format does not support them. */
export function assertFormatWritesTexts({
  format,
  sqlNames,
  labels,
  plainText,
  singleLine,
  flat,
  takesColumns,
}: Pick<FormatOptions, 'sqlNames' | 'plainText' | 'singleLine' | 'flat'> & {
  readonly labels?: unknown;
  readonly format: string;
  readonly takesColumns: boolean;
}): void {
  if (singleLine && format !== 'table' && !isDelimited(findFormat(format)))
    throw new UsageError('--single-line works only with CSV and TSV', 'use it with -f csv or -f tsv');
  if (takesColumns) return;
  const tables = 'use it with -f csv, tsv, xlsx or parquet';
  if (sqlNames) throw new UsageError('--sql-names works only with tables', tables);
  if (labels) throw new UsageError('--labels works only with tables', tables);
  if (!plainText || flat) return;
  const hint = findFormat(format)?.json ? 'add --flat; without it, opac writes the original records' : tables;
  throw new UsageError(`--plain-text does not work with ${format}`, hint);
}

/** Returns `csv` for `objects.csv.gz`. */
function getExtension(file: string): string | undefined {
  const name = basename(file).replace(/(?<=.)\.(gz|zst)$/i, '');
  return /[^.]\.([^.]+)$/.exec(name)?.[1];
}
