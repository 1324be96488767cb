/** Reads the columns of `--columns`, and checks that they exist. */
import { UsageError } from '../../service/errors.js';
import { formatNumber } from '../../service/format-numbers.js';
import type { Json } from '../../service/json.js';
import { type ColumnHeader, MAX_COLUMNS, parseColumnHeaders } from '../../service/records/columns.js';
import { FieldLabels } from '../../service/search/field-labels.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { Context } from '../context.js';
import type { ItemsResult } from '../description/result.js';

export interface ChosenColumns {
  readonly list: readonly ColumnHeader[];
  /** The file whose header names the columns (`--columns @old.csv`). opac writes them even if their fields no longer exist. */
  readonly table: string | undefined;
}

type ColumnsContext = Pick<Context, 'globalOptions' | 'readText' | 'signal' | 'note'>;

/** Throws a UsageError for an invalid list, and for more than MAX_COLUMNS columns. */
export async function readColumnNames(context: ColumnsContext): Promise<ChosenColumns | 'all' | undefined> {
  const chosen = await readChosenColumns(context);
  if (typeof chosen === 'object' && chosen.list.length > MAX_COLUMNS)
    throw new UsageError(
      `--columns has more than ${formatNumber(MAX_COLUMNS)} columns`,
      'choose fewer columns',
    );
  return chosen;
}

async function readChosenColumns({
  globalOptions: { columns },
  readText,
  signal,
  note,
}: ColumnsContext): Promise<ChosenColumns | 'all' | undefined> {
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
 * Replaces labels with field names. Throws a UsageError for an unknown column. If the columns are from a `table`, or if there are
 * no items, keeps unknown columns instead, and usually warns.
 */
export async function resolveColumnNames(
  { schema, fields, rows }: Pick<ItemsResult, 'schema' | 'fields' | 'rows'>,
  { list, table }: ChosenColumns,
  warn: Context['warn'],
  items: readonly Json[],
): Promise<readonly ColumnHeader[]> {
  const names = list.map(({ name }) => name);
  const seen = rows ? items.flatMap(rows) : items;
  if (schema.unknownColumns(names, seen, []).length === 0 || (seen.length === 0 && !fields)) return list;
  const labels = new FieldLabels((await fields?.()) ?? []);
  const unknown = new Set(schema.unknownColumns(names, seen, labels.names));
  const resolved = list.map((column) => {
    const name = unknown.has(column.name) ? labels.findColumn(column.name) : undefined;
    if (name === undefined) return column;
    unknown.delete(column.name);
    const hasOwnHeader = table !== undefined || column.header !== column.name;
    return { name, header: hasOwnHeader ? column.header : name };
  });
  const [wrong] = unknown;
  if (wrong === undefined) return resolved;
  if (seen.length === 0) {
    if (table === undefined)
      warn(`no record matches, so opac cannot check whether the column "${wrong}" exists`);
    return resolved;
  }
  if (table === undefined) {
    const all = schema.getAllColumns(seen, true).map(({ name }) => name);
    const known = [...(schema.listImageColumns?.(seen) ?? []), ...all, ...labels.names];
    const near = labels.findClosest(wrong, known);
    const words = wrong.split(/\s+/);
    const isList = words.length > 1 && words.every((word) => known.includes(word));
    const closest = near === undefined ? didYouMean(wrong, [...new Set(known)]) : `did you mean ${near}?`;
    const hint = isList ? `put commas between columns: ${words.join(',')}` : closest;
    throw new UsageError(`column "${wrong}" does not exist`, hint);
  }
  const quoted = [...unknown].map((name) => `"${name}"`).join(', ');
  warn(
    `these columns of "${table}" are empty, because this deployment does not have their fields: ${quoted}`,
  );
  return resolved;
}
