/** Checks which options go with which format, and shares options among the formats of several outputs. */

import { parseMultiValueRule } from '../../records/cells/multi-value-rule.js';
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
  parseExportFormat,
  type ResolvedFormatOptions,
} from './formats.js';

type Options = Omit<FormatOptions, 'format'>;

interface Rule {
  /** Whether a format takes the option. */
  readonly takes: (format: Format, options: Options) => boolean;
  /** Message and hint of the UsageError; those of texts come from `checkTexts`. */
  readonly error?: readonly [message: string, hint: string];
}

const takesColumns = ({ takesColumns = false }: Format) => takesColumns;

const RULES: Readonly<Partial<Record<keyof Options, Rule>>> = {
  excel: {
    takes: ({ excelTable }) => excelTable !== undefined,
    error: ['--excel works only with CSV', 'leave it out, or use -f csv'],
  },
  columns: {
    takes: takesColumns,
    error: ['--columns works only with tables', 'use it with -f csv, tsv, xlsx or parquet'],
  },
  multi: {
    takes: ({ table }) => table !== undefined,
    error: ['--multi works only with tables', 'use it with -f csv, tsv or xlsx'],
  },
  flat: {
    takes: ({ json }) => json !== undefined,
    error: ['--flat works only with JSON', 'use it with -f json or -f ndjson'],
  },
  sqlNames: { takes: takesColumns },
  plainText: {
    takes: (format, { flat }) => takesColumns(format) || (format.json !== undefined && flat === true),
  },
};

/** One shape for each format. An option that only some of the formats take is left out for the others. */
export function shapesOf(formats: readonly ExportFormat[], options: Options): readonly FormatOptions[] {
  return formats.map((format) => {
    const isLeftOut = (name: string) => {
      const { takes } = RULES[name as keyof Options] ?? {};
      return (
        takes && formats.some((each) => takes(FORMATS[each], options)) && !takes(FORMATS[format], options)
      );
    };
    const own = Object.entries(options).filter(([name]) => !isLeftOut(name));
    return { ...(Object.fromEntries(own) as Options & Pick<FormatOptions, 'kind'>), format };
  });
}

/** Throws a UsageError for options that exclude each other. */
export function resolveFormatOptions(shape: FormatOptions): ResolvedFormatOptions {
  const { format, columns, multi, excel } = shape;
  if (!parseExportFormat(format)) {
    throw new UsageError(
      `an export cannot be written as ${format}`,
      `choose from ${EXPORT_FORMATS.join(', ')}`,
    );
  }
  for (const [name, { takes, error }] of Object.entries(RULES)) {
    const value = shape[name as keyof Options];
    if (error && value !== undefined && value !== false && !takes(FORMATS[format], shape))
      throw new UsageError(...error);
  }
  const { table, excelTable } = FORMATS[format];
  assertFormatWritesTexts({ ...shape, takesColumns: takesColumns(FORMATS[format]) });
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  if (chosen && !shape.sqlNames) assertUniqueHeaders(chosen);
  const heads = chosen?.map(({ header }) => header);
  const named = shape.sqlNames ? toSqlNames : (names: readonly string[]) => names;
  const forExcel = excel && excelTable !== table;
  return {
    ...shape,
    excel: forExcel,
    chosen,
    getHeaders: (names) => named(heads ?? names),
    rule: parseMultiValueRule(multi),
    dialect: forExcel ? excelTable : table,
  };
}
