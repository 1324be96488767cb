/** The columns of `--columns`, given as names or in a file, and the check of their names. */
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { type ColumnHeader, parseColumnHeaders } from '../../service/records/columns.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { Context } from '../context.js';
import type { ItemsResult } from '../description/result.js';

export interface ChosenColumns {
  readonly list: readonly ColumnHeader[];
  /** The table whose header has the columns: they stay even if their fields do not exist any more. */
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
 * Checks names against the columns of the items and the fields that the deployment publishes, if there are items. Throws a
 * UsageError with the nearest name. The columns of a `table` stay, with a note.
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
