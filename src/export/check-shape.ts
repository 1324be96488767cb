/** Checks which options go with which format. */
import { UsageError } from '../service/errors.js';
import { parseColumns } from '../service/records/columns.js';
import { type CheckedShape, EXPORT_FORMATS, exportFormat, FORMATS, type Shape } from './formats.js';
import { EXCEL } from './table/excel.js';
import { parseMulti } from './table/multi.js';

/** Throws a UsageError for options that exclude each other. */
export function checkShape(shape: Shape): CheckedShape {
  const { format, columns, multi, multiTogether = [], excel, flat } = shape;
  if (!exportFormat(format)) {
    throw new UsageError(
      `an export cannot be written as ${format}`,
      `choose from ${EXPORT_FORMATS.join(', ')}`,
    );
  }
  const { table, json, takesColumns } = FORMATS[format];
  if (excel && format !== 'csv' && format !== 'xlsx') {
    throw new UsageError('--excel works only with CSV', 'leave it out, or use -f csv');
  }
  if (columns !== undefined && !takesColumns) {
    throw new UsageError('--columns works only with tables', 'use it with -f csv, tsv, xlsx or parquet');
  }
  const forTables = { '--multi': multi, '--multi-together': multiTogether[0] };
  for (const [option, value] of Object.entries(forTables)) {
    if (value !== undefined && !table) {
      throw new UsageError(`${option} works only with tables`, 'use it with -f csv, tsv or xlsx');
    }
  }
  if (flat && !json) {
    throw new UsageError('--flat works only with JSON', 'use it with -f json or -f ndjson');
  }
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  const forExcel = excel && format === 'csv';
  const dialect = forExcel ? EXCEL : table;
  return { ...shape, excel: forExcel, chosen, rule: parseMulti(multi, multiTogether), dialect };
}

/** Whether the file can be written as records arrive: it can grow, and its columns are known. */
export function hasKnownHead({ format, dialect, chosen }: CheckedShape): boolean {
  return FORMATS[format].isGrowable && (dialect === undefined || chosen !== undefined);
}
