/** Exports of all that the files of `--from` hold, which are read through once, from the first record to the last. */
import type { Json } from '../../../../service/json.js';
import type { Kind } from '../../../../service/kinds.js';
import { parseJson } from '../../../../service/parse-json.js';
import { type RecordSearch, searchParameters } from '../../../../service/search/search.js';
import type { Context } from '../../../context.js';

/** Whether nothing is searched, sorted or shown in a view of its own; pipes cannot be read again for the columns. */
export async function isReadThrough({ settings, files }: Context, search: RecordSearch): Promise<boolean> {
  const { externalIds, columns } = search.terms;
  if (settings.from.length === 0 || externalIds !== undefined || columns !== undefined) return false;
  const isAll = searchParameters(search).every(([name, value]) => name === 'view' && value === 'detail');
  return isAll && (await files()).areRegular;
}

/** Reads until `areEnough` says so of some records; gives the first ones otherwise. */
export async function recordsUntil(
  { files, signal }: Context,
  kind: Kind,
  areEnough: (records: readonly Json[]) => boolean,
): Promise<readonly Json[]> {
  const { checkedRecords } = await import('../../../from/checked-records.js');
  let first: readonly Json[] | undefined;
  for await (const found of checkedRecords(await files(), signal)) {
    const records = found
      .filter((each) => kind === 'records' || each.kind === kind)
      .map(({ bytes }): Json => parseJson(bytes) as Json);
    if (areEnough(records)) return records;
    first ??= records;
  }
  return first ?? [];
}
