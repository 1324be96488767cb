/** The records that changed since a day, from the change logs of the mirrors of `--from`. */
import { UsageError } from '../../../service/errors.js';
import { type Kind, RECORD_KINDS } from '../../../service/kinds.js';
import type { Context } from '../../context.js';

/** Throws a UsageError without a mirror, for records of all kinds, and for a day before the oldest change log. */
export async function readChangedIds(
  { globalOptions: { from }, signal }: Context,
  kind: Kind,
  since: Date,
): Promise<readonly string[]> {
  if (from.length === 0) throw new UsageError('--changed-since needs a mirror', 'add --from <folder>');
  const only = RECORD_KINDS.find((each) => each === kind);
  if (!only)
    throw new UsageError('--changed-since needs one kind of records', 'use opac objects, persons or venues');
  const { listChangedIds } = await import('../../../mirror/read-change-log.js');
  const ids = new Set<string>();
  for (const folder of from) for (const id of await listChangedIds(folder, only, since, signal)) ids.add(id);
  return [...ids];
}
