/** Finds columns that an edited table has, but the other version does not. */
import type { Snapshot } from '../../../diff/snapshot.js';
import { UsageError } from '../../../service/errors.js';
import { parseColumn } from '../../../service/records/columns.js';
import type { FieldLabels } from '../../../service/search/field-labels.js';
import { findClosestName } from '../../../service/suggest-name.js';
import { findUnknownNames } from './record-matcher.js';

/**
 * Finds columns that users added, by comparison with the deployment. Omits names that resemble a field, because they may be
 * typing mistakes.
 */
export async function findAddedColumns(
  { table }: Snapshot,
  deployment: Snapshot,
  { names, findClosest }: FieldLabels,
): Promise<readonly string[]> {
  const fields = (table?.columns ?? []).flatMap((name) => parseColumn(name).field ?? []);
  const { unknown } = await findUnknownNames(fields, [deployment]);
  const added = unknown.filter((name) => !names.includes(name) && findClosest(name, names) === undefined);
  return names.length > 0 ? added : [];
}

/**
 * Finds columns that users added, by comparison with an export that is not a table. Returns `[]` if at least half of the columns
 * are unknown, because the headers are then probably not field names.
 */
export async function findExtraColumns(
  { table, isEdited }: Snapshot,
  other: Snapshot,
): Promise<readonly string[]> {
  if (!table || !isEdited || other.table) return [];
  const fields = table.columns.flatMap((name) => parseColumn(name).field ?? []);
  const { unknown, known } = await findUnknownNames(fields, [other]);
  const extra = unknown.filter((name) => findClosestName(name, known) === undefined);
  return 2 * unknown.length < fields.length ? extra : [];
}

/** Throws a UsageError if `other` lacks a column of a table without a manifest. Does not check the columns in `known`. */
export async function assertKnownColumns(
  { table, manifest }: Snapshot,
  other: Snapshot,
  names: { readonly table: string; readonly other: string },
  known: readonly string[],
): Promise<void> {
  if (!table || manifest) return;
  const fields = table.columns.flatMap((name) => parseColumn(name).field ?? []);
  const found = other.table
    ? listRenamedColumns(table.columns, other)
    : (await findUnknownNames(fields, [other])).unknown;
  const unknown = found.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `"${names.other}" does not contain the field "${unknown}", which is a column of "${names.table}"`,
      `copy the manifest of the export to "${names.table}.manifest.json", export both with --no-labels, or ignore the column with --ignore`,
    );
}

/** Returns the `columns` that another table lacks. Returns `[]` if that table has no manifest, or if users only added columns. */
function listRenamedColumns(columns: readonly string[], { table, manifest }: Snapshot): readonly string[] {
  const [own, others] = [new Set(columns), new Set(table?.columns)];
  const isSubset = [...others].every((name) => own.has(name));
  return isSubset || !manifest ? [] : columns.filter((name) => !others.has(name));
}
