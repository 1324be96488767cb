/** Column names held against what there is, before anything is printed under them. */
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { ItemSchema } from '../description/item-schema.js';
import { formatMissingColumns } from './column-names.js';

/** What columns are held against: the items' own, and those that the deployment says it has. */
interface Columned {
  readonly schema: ItemSchema;
  readonly fields?: () => Promise<readonly string[]>;
  readonly rows?: (item: Json) => readonly Json[];
}

interface NamedColumns {
  readonly names: readonly string[];
  readonly table: string | undefined;
  readonly note: (text: string) => void;
}

/**
 * Refuses a column that neither these items have nor the deployment publishes; nothing is refused when there are no items.
 * Those of a `table` stay, with a note. Throws a UsageError with the nearest name.
 */
export async function checkColumns(
  { schema, fields, rows }: Columned,
  { names, table, note }: NamedColumns,
  items: readonly Json[],
): Promise<void> {
  const seen = rows ? items.flatMap(rows) : items;
  if (seen.length === 0 || schema.unknownColumns(names, seen, []).length === 0) return;
  const published = (await fields?.()) ?? [];
  const unknown = schema.unknownColumns(names, seen, published);
  const [wrong] = unknown;
  if (wrong === undefined) return;
  if (table !== undefined) return note(formatMissingColumns(unknown, table));
  const known = [...new Set([...schema.getAllColumns(seen, true).map(({ name }) => name), ...published])];
  throw new UsageError(`there is no column "${wrong}"`, didYouMean(wrong, known));
}
