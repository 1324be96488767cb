/** Checks which options a format accepts, and selects the options of each format if there are several outputs. */

import { createSingleLineDialect, toSingleLine } from '../../records/cells/dialect.js';
import { DEFAULT_MULTI, parseMultiValueRule, SHEET_MULTI } from '../../records/cells/multi-value-rule.js';
import { toSqlNames } from '../../records/cells/sql-names.js';
import { UsageError } from '../../service/errors.js';
import { assertUniqueHeaders, parseColumns } from '../../service/records/columns.js';
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
  /** Whether a format accepts the option. */
  readonly accepts: (format: Format, options: Options) => boolean;
  /** Message and hint of the UsageError. `assertFormatWritesTexts` has the errors of the other options. */
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
    error: ['--multi works only with tables', 'use it with -f csv, tsv or xlsx'],
  },
  flat: {
    accepts: ({ json }) => json !== undefined,
    error: ['--flat works only with JSON', 'use it with -f json or -f ndjson'],
  },
  sqlNames: { accepts: takesColumns },
  singleLine: { accepts: isDelimited },
  plainText: {
    accepts: (format, { flat }) => takesColumns(format) || (format.json !== undefined && flat === true),
  },
};

/** Selects the options of each format. An option that only some of the formats accept is ignored for the others. */
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

/** Throws a UsageError for options that exclude each other. */
export function resolveFormatOptions(shape: FormatOptions): ResolvedFormatOptions {
  const { format, columns, multi, excel } = shape;
  if (!parseExportFormat(format)) {
    throw new UsageError(`${format} is not an export format`, `choose from ${EXPORT_FORMATS.join(', ')}`);
  }
  for (const [name, { accepts, error }] of Object.entries(RULES)) {
    const value = shape[name as keyof Options];
    if (error && value !== undefined && value !== false && !accepts(FORMATS[format], shape))
      throw new UsageError(...error);
  }
  const { table, excelTable } = FORMATS[format];
  assertFormatWritesTexts({ ...shape, takesColumns: takesColumns(FORMATS[format]) });
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  if (chosen && !shape.sqlNames) assertUniqueHeaders(chosen);
  const headers = chosen?.map(({ header }) => header);
  const convertNames = shape.sqlNames ? toSqlNames : (names: readonly string[]) => names;
  const forExcel = excel && excelTable !== table;
  const dialect = forExcel ? excelTable : table;
  const toHeader = shape.singleLine ? toSingleLine : (header: string) => header;
  return {
    ...shape,
    excel: forExcel,
    chosen,
    getHeaders: (names) => convertNames(headers ?? names).map(toHeader),
    rule: parseMultiValueRule(multi, format === 'xlsx' ? SHEET_MULTI : DEFAULT_MULTI),
    dialect: dialect && shape.singleLine ? createSingleLineDialect(dialect) : dialect,
  };
}
