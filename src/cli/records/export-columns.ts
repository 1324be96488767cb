/** The columns of an export, checked before it begins: a misspelt name must not be found out after a million records. */
import type { Json } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { checkColumns } from '../check-columns.js';
import { readColumnNames } from '../column-names.js';
import type { Context } from '../context.js';
import { recordSheet } from '../sheet.js';
import { matchingPages, publishedFields } from './pages.js';
import type { ResolvedSearch } from './resolve.js';

/** Records that are looked at for names that the views do not tell. */
const SAMPLE = 100;

/**
 * The names that were asked for, as one list, or `all`, or undefined for every field there is. Throws a UsageError with the
 * nearest name for one that neither the views of the deployment nor the first records know.
 */
export async function checkedColumns(
  context: Context,
  kind: Kind,
  search: ResolvedSearch,
): Promise<string | undefined> {
  const names = await readColumnNames(context);
  if (names === undefined || names === 'all') return names;
  const sheet = recordSheet(kind);
  const published = sheet.unknown(names, [], []).length === 0 ? [] : await publishedFields(context, kind);
  if (sheet.unknown(names, [], published).length > 0) {
    const fields = async () => published;
    await checkColumns({ sheet, fields }, names, await firstRecords(context, kind, search));
  }
  return names.join(',');
}

async function firstRecords(context: Context, kind: Kind, search: ResolvedSearch): Promise<Json[]> {
  const { pages } = await matchingPages(context, kind, search, {
    limit: SAMPLE,
    offset: 0,
    pageSize: SAMPLE,
  });
  const records: Json[] = [];
  for await (const page of pages) records.push(...page);
  return records;
}
