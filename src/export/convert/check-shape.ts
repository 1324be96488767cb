/** Checks which options go with which format. */

import { parseMulti } from '../../records/cells/multi.js';
import { sqlNames } from '../../records/cells/sql-names.js';
import { UsageError } from '../../service/errors.js';
import { type HeadedColumn, parseColumns, refuseEqualHeads } from '../../service/records/columns.js';
import {
  type CheckedShape,
  checkTexts,
  EXPORT_FORMATS,
  exportFormat,
  FORMATS,
  type Shape,
} from './formats.js';

/** Throws a UsageError for options that exclude each other. */
export function checkShape(shape: Shape): CheckedShape {
  const { format, columns, multi, excel, flat } = shape;
  if (!exportFormat(format)) {
    throw new UsageError(
      `an export cannot be written as ${format}`,
      `choose from ${EXPORT_FORMATS.join(', ')}`,
    );
  }
  const { table, excelTable, json, takesColumns = false } = FORMATS[format];
  if (excel && !excelTable) {
    throw new UsageError('--excel works only with CSV', 'leave it out, or use -f csv');
  }
  if (columns !== undefined && !takesColumns) {
    throw new UsageError('--columns works only with tables', 'use it with -f csv, tsv, xlsx or parquet');
  }
  checkTexts({ ...shape, takesColumns });
  const forTables = { '--multi': multi };
  for (const [option, value] of Object.entries(forTables)) {
    if (value !== undefined && !table) {
      throw new UsageError(`${option} works only with tables`, 'use it with -f csv, tsv or xlsx');
    }
  }
  if (flat && !json) {
    throw new UsageError('--flat works only with JSON', 'use it with -f json or -f ndjson');
  }
  const chosen = columns === undefined || columns === 'all' ? undefined : parseColumns(columns);
  const forExcel = excel && excelTable !== table;
  const dialect = forExcel ? excelTable : table;
  const headsOf = headsFor(chosen, shape.sqlNames);
  return { ...shape, excel: forExcel, chosen, headsOf, rule: parseMulti(multi), dialect };
}

/** Throws as `refuseEqualHeads` does. */
function headsFor(
  chosen: readonly HeadedColumn[] | undefined,
  isSql: boolean | undefined,
): CheckedShape['headsOf'] {
  if (!chosen) return isSql ? sqlNames : (columns) => columns;
  if (!isSql) refuseEqualHeads(chosen);
  const heads = chosen.map(({ head }) => head);
  const printed = isSql ? sqlNames(heads) : heads;
  return () => printed;
}
