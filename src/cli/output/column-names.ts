/** Reads the columns of `--columns`, which are given as names or in a file, and checks their names. */
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { type ColumnHeader, parseColumnHeaders } from '../../service/records/columns.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { Context } from '../context.js';
import type { ItemsResult } from '../description/result.js';

export interface ChosenColumns {
  readonly list: readonly ColumnHeader[];
  /** The table from whose header the columns are. They stay in the output even if their fields no longer exist. */
  readonly table: string | undefined;
}

export async function readColumnNames({
  globalOptions: { columns },
  readText,
  signal,
  note,
}: Pick<Context, 'globalOptions' | 'readText' | 'signal' | 'note'>): Promise<
  ChosenColumns | 'all' | undefined
> {
  if (columns === undefined || columns === 'all') return columns;
  if (!columns.startsWith('@')) return { list: parseColumnHeaders(columns), table: undefined };
  const file = columns.slice(1);
  const { isTableName, readColumnHeaders } = await import('../../export/verify/table-header.js');
  if (isTableName(file)) return { list: await readColumnHeaders(file, signal, note), table: file };
  const list = await readText(file);
  if (!/[^\s,]/.test(list)) throw new UsageError(`no column names in "${columns}"`, 'see: opac help columns');
  return { list: parseColumnHeaders(list), table: undefined };
}

/**
 * Checks that each name is a column of the items or a published field, unless the list of items is empty. Throws a UsageError
 * with the nearest name. For a column of a `table`, only prints a note.
 */
export async function checkColumns(
  { schema, fields, rows }: Pick<ItemsResult, 'schema' | 'fields' | 'rows'>,
  {
    names,
    table,
    note,
  }: Pick<ChosenColumns, 'table'> & Pick<Context, 'note'> & { readonly names: readonly string[] },
  items: readonly Json[],
): Promise<void> {
  const seen = rows ? items.flatMap(rows) : items;
  if (seen.length === 0 || schema.unknownColumns(names, seen, []).length === 0) return;
  const published = (await fields?.()) ?? [];
  const unknown = schema.unknownColumns(names, seen, published);
  const [wrong] = unknown;
  if (wrong === undefined) return;
  if (table !== undefined) {
    const quoted = unknown.map((name) => `"${name}"`).join(', ');
    return note(
      `warning: columns of "${table}" that are not fields of this deployment stay empty: ${quoted}`,
    );
  }
  const known = [...new Set([...schema.getAllColumns(seen, true).map(({ name }) => name), ...published])];
  throw new UsageError(`column "${wrong}" does not exist`, didYouMean(wrong, known));
}
