/** Column names held against what there is, before anything is printed under them. */
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { didYouMean } from '../../service/nearest.js';
import type { ItemSchema } from '../command/item-schema.js';

/** What columns are held against: the items' own, and those that the deployment says it has. */
interface Columned {
  readonly schema: ItemSchema;
  readonly fields?: () => Promise<readonly string[]>;
  readonly rows?: (item: Json) => readonly Json[];
}

/**
 * Refuses a column that neither these items have nor the deployment publishes; nothing is refused when there are no items.
 * Throws a UsageError with the nearest name.
 */
export async function checkColumns(
  { schema, fields, rows }: Columned,
  names: readonly string[],
  items: readonly Json[],
): Promise<void> {
  const seen = rows ? items.flatMap(rows) : items;
  if (seen.length === 0 || schema.unknownColumns(names, seen, []).length === 0) return;
  const published = (await fields?.()) ?? [];
  const [wrong] = schema.unknownColumns(names, seen, published);
  if (wrong === undefined) return;
  const known = [...new Set([...schema.allColumns(seen, true).map(({ name }) => name), ...published])];
  throw new UsageError(`there is no column "${wrong}"`, didYouMean(wrong, known));
}
