/** The columns that `--columns` names, itself or in a file. */
import { UsageError } from '../../service/errors.js';
import { type ColumnHeader, parseColumnHeaders } from '../../service/records/columns.js';
import type { GlobalOptions } from './global.js';

export interface ChosenColumns {
  readonly list: readonly ColumnHeader[];
  /** The table whose head they are: a column stays there whatever becomes of its field. */
  readonly table: string | undefined;
}

export async function readColumnNames({
  globalOptions: { columns },
  readText,
  signal,
  note,
}: {
  readonly globalOptions: Pick<GlobalOptions, 'columns'>;
  readonly readText: (file: string) => Promise<string>;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
}): Promise<ChosenColumns | 'all' | undefined> {
  if (columns === undefined || columns === 'all') return columns;
  if (!columns.startsWith('@')) return { list: parseColumnHeaders(columns), table: undefined };
  const file = columns.slice(1);
  const { isTableName, readColumnHeaders } = await import('../../export/verify/table-header.js');
  if (isTableName(file)) return { list: await readColumnHeaders(file, signal, note), table: file };
  const list = await readText(file);
  if (!/[^\s,]/.test(list)) throw new UsageError(`no column names in "${columns}"`, 'see: opac help columns');
  return { list: parseColumnHeaders(list), table: undefined };
}

/** Says which columns of a table that was taken over are no columns any more. */
export function formatMissingColumns(names: readonly string[], table: string): string {
  const them = names.map((name) => `"${name}"`).join(', ');
  return names.length === 1
    ? `warning: ${them}, a column of "${table}", is no field here; it stays, empty`
    : `warning: ${them}, columns of "${table}", are no fields here; they stay, empty`;
}
