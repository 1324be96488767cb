/** Checks the columns of an export before it starts, so that users notice a typo before a million records were read. */
import { UsageError } from '../../../../service/errors.js';
import type { Json } from '../../../../service/json.js';
import type { Kind } from '../../../../service/kinds.js';
import { parseJsonLossless } from '../../../../service/parse-json.js';
import { formatColumnHeaders } from '../../../../service/records/columns.js';
import { type RecordSearch, searchParameters } from '../../../../service/search/record-search.js';
import { didYouMean } from '../../../../service/suggest-name.js';
import type { Context } from '../../../context.js';
import { collectItems } from '../../../description/result.js';
import { checkColumns, readColumnNames } from '../../../output/column-names.js';
import { recordSchema } from '../../../output/record-schema.js';
import { fetchPublishedFields, searchPages } from '../../search/search-pages.js';

const SAMPLE_RECORDS = 100;

/**
 * Returns the selected columns as one list, or `all`, or undefined for all fields. `split`: fields that get one row per value.
 * Throws a UsageError with the most similar name for a column that neither the views nor the first records contain, and for a
 * field of `split` that is not a column.
 */
export async function resolveColumns(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  split: readonly string[],
): Promise<string | undefined> {
  const chosen = await readColumnNames(context);
  const { list, table } = typeof chosen === 'object' ? chosen : {};
  const names = list?.map(({ name }) => name) ?? split;
  await assertKnownColumns(context, kind, search, { names, table, note: context.note });
  const absent = split.find((name) => !names.includes(name));
  if (absent !== undefined)
    throw new UsageError(
      `cannot write one row per value of "${absent}": it is not a selected column`,
      didYouMean(absent, names),
    );
  return typeof chosen === 'object' ? formatColumnHeaders(chosen.list) : chosen;
}

async function assertKnownColumns(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  columns: Parameters<typeof checkColumns>[1],
): Promise<void> {
  const { names } = columns;
  const schema = recordSchema(kind);
  if (await canReadSequentially(context, search)) {
    let unknown = schema.unknownColumns(names, [], []);
    if (unknown.length === 0) return;
    const records = await readRecordsUntil(context, kind, (some) => {
      unknown = schema.unknownColumns(unknown, some, []);
      return unknown.length === 0;
    });
    return checkColumns({ schema }, { ...columns, names: unknown }, records);
  }
  const published =
    schema.unknownColumns(names, [], []).length === 0 ? [] : await fetchPublishedFields(context, kind);
  if (schema.unknownColumns(names, [], published).length > 0) {
    const fields = async () => published;
    const paging = { limit: SAMPLE_RECORDS, offset: 0, pageSize: SAMPLE_RECORDS };
    const { pages } = await searchPages({ ...context, note: () => {} }, kind, search, paging);
    await checkColumns({ schema, fields }, columns, await collectItems(pages));
  }
}

/**
 * Whether opac can read the files of `--from` from start to end: the export contains all records in their order. False for pipes,
 * because opac reads the files once more to check the columns.
 */
export async function canReadSequentially(
  { globalOptions, files }: Context,
  search: RecordSearch,
): Promise<boolean> {
  const { externalIds, columns } = search.terms;
  if (globalOptions.from.length === 0 || externalIds !== undefined || columns !== undefined) return false;
  const isAll = searchParameters(search).every(([name, value]) => name === 'view' && value === 'detail');
  return isAll && (await files()).areRegular;
}

/** Reads pages of records. Returns the first page for which `areEnough` is true; otherwise the first page. */
async function readRecordsUntil(
  { files, signal }: Context,
  kind: Kind,
  areEnough: (records: readonly Json[]) => boolean,
): Promise<readonly Json[]> {
  const { checkedRecords } = await import('../../../from/checked-records.js');
  let first: readonly Json[] | undefined;
  for await (const found of checkedRecords(await files(), signal)) {
    const records = found
      .filter((each) => kind === 'records' || each.kind === kind)
      .map(({ bytes }): Json => parseJsonLossless(bytes) as Json);
    if (areEnough(records)) return records;
    first ??= records;
  }
  return first ?? [];
}
