/** Checks which options a format accepts, and selects the options of each format if there are several outputs. */
import { createSingleLineDialect, toSingleLine } from '../../records/cells/dialect.js';
import { DEFAULT_MULTI, parseMultiValueRule, SHEET_MULTI } from '../../records/cells/multi-value-rule.js';
import { toSqlNames } from '../../records/cells/sql-names.js';
import { UsageError } from '../../service/errors.js';
import { assertUniqueHeaders, type ColumnHeader, parseColumns } from '../../service/records/columns.js';
import {
  assertFormatWritesTexts,
  EXPORT_FORMATS,
  type ExportFormat,
  FORMATS,
  type Format,
  type FormatOptions,
  isDelimited,
  parseExportFormat,
  type ResolvedFormatOptions,
} from './formats.js';

type Options = Omit<FormatOptions, 'format'>;

interface Rule {
  readonly accepts: (format: Format, options: Options) => boolean;
  /** If absent, `assertFormatWritesTexts` throws the error. */
  readonly error?: readonly [message: string, hint: string];
}

const takesColumns = ({ takesColumns = false }: Format) => takesColumns;

const RULES: Readonly<Partial<Record<keyof Options, Rule>>> = {
  excel: {
    accepts: ({ excelTable }) => excelTable !== undefined,
    error: ['--excel works only with CSV', 'remove the option, or use -f csv'],
  },
  columns: {
    accepts: takesColumns,
    error: ['--columns works only with tables', 'use it with -f csv, tsv, xlsx or parquet'],
  },
  multi: {
    accepts: ({ table }) => table !== undefined,
    error: ['--multi works only with CSV, TSV and XLSX', 'use it with -f csv, tsv or xlsx'],
  },
  flat: {
    accepts: ({ json }) => json !== undefined,
    error: ['--flat works only with JSON', 'use it with -f json or -f ndjson'],
  },
  sqlNames: { accepts: takesColumns },
  labels: { accepts: takesColumns },
  singleLine: { accepts: isDelimited },
  plainText: {
    accepts: (format, { flat }) => takesColumns(format) || (format.json !== undefined && flat === true),
  },
};

/** Returns the options for each format. If only some of the formats accept an option, the other formats ignore it. */
export function selectFormatOptions(
  formats: readonly ExportFormat[],
  options: Options,
): readonly FormatOptions[] {
  return formats.map((format) => {
    const isIgnored = (name: string) => {
      const { accepts } = RULES[name as keyof Options] ?? {};
      if (!accepts || accepts(FORMATS[format], options)) return false;
      return formats.some((each) => accepts(FORMATS[each], options));
    };
    const accepted = Object.entries(options).filter(([name]) => !isIgnored(name));
    return { ...(Object.fromEntries(accepted) as Options & Pick<FormatOptions, 'kind'>), format };
  });
}

/** Throws a UsageError for an unknown format, and for options that are invalid or that the format does not accept. */
export function resolveFormatOptions(options: FormatOptions): ResolvedFormatOptions {
  const { format, columns, multi, excel } = options;
  if (!parseExportFormat(format)) {
    throw new UsageError(`"${format}" is not an export format`, `choose from ${EXPORT_FORMATS.join(', ')}`);
  }
  for (const [name, { accepts, error }] of Object.entries(RULES)) {
    const value = options[name as keyof Options];
    if (error && value !== undefined && value !== false && !accepts(FORMATS[format], options))
      throw new UsageError(...error);
  }
  const { table, excelTable } = FORMATS[format];
  assertFormatWritesTexts({ ...options, takesColumns: takesColumns(FORMATS[format]) });
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  if (chosen && !options.sqlNames) assertUniqueHeaders(chosen);
  const getColumns = (names: readonly string[]) => chosen ?? names.map((name) => ({ name, header: name }));
  const createHeaders = (given: readonly ColumnHeader[]) => {
    const headers = given.map(({ header }) => header);
    return options.sqlNames ? toSqlNames(headers) : (options.labels?.createHeaders(given) ?? headers);
  };
  const forExcel = excel && excelTable !== table;
  const dialect = forExcel ? excelTable : table;
  const toHeader = options.singleLine ? toSingleLine : (header: string) => header;
  return {
    ...options,
    excel: forExcel,
    chosen,
    getHeaders: (names) => createHeaders(getColumns(names)).map(toHeader),
    rule: parseMultiValueRule(multi, format === 'xlsx' ? SHEET_MULTI : DEFAULT_MULTI),
    dialect: dialect && options.singleLine ? createSingleLineDialect(dialect) : dialect,
  };
}
