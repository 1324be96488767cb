/** Checks the columns of an export before it starts, so that users notice typing mistakes early. */
import { UsageError } from '../../../../service/errors.js';
import type { Json } from '../../../../service/json.js';
import type { Kind } from '../../../../service/kinds.js';
import { parseJsonLossless } from '../../../../service/parse-json.js';
import { type ColumnHeader, formatColumnHeaders } from '../../../../service/records/columns.js';
import { type RecordSearch, searchParameters } from '../../../../service/search/record-search.js';
import { didYouMean } from '../../../../service/suggest-name.js';
import type { Context } from '../../../context.js';
import { collectItems } from '../../../description/result.js';
import { type ChosenColumns, readColumnNames, resolveColumnNames } from '../../../output/column-names.js';
import { createRecordSchema } from '../../../output/record-schema.js';
import { fetchPublishedFields, searchPages } from '../../search/search-pages.js';

const SAMPLE_RECORDS = 100;

/**
 * `split`: the fields of `--multi rows=<fields>`. Replaces labels by field names. Throws a UsageError for an unknown column, but
 * only warns if no records match, or if the columns are from the header of a table (`isFromTable`).
 */
export async function resolveColumns(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  split: readonly string[],
): Promise<{ columns: string | undefined; split: readonly string[]; isFromTable: boolean }> {
  const chosen = await readColumnNames(context);
  const splitOnly = { list: split.map((name) => ({ name, header: name })), table: undefined };
  const given = typeof chosen === 'object' ? chosen : splitOnly;
  const resolved = await resolveKnownColumns(context, kind, search, given);
  const names = new Map(given.list.map(({ name }, n) => [name, resolved[n]?.name ?? name]));
  const absent = split.find((name) => !names.has(name));
  if (absent !== undefined)
    throw new UsageError(
      `cannot write one row per value of "${absent}": it is not a selected column`,
      didYouMean(absent, [...names.keys()]),
    );
  return {
    columns: typeof chosen === 'object' ? formatColumnHeaders(resolved) : chosen,
    split: split.map((name) => names.get(name) ?? name),
    isFromTable: given.table !== undefined,
  };
}

async function resolveKnownColumns(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  given: ChosenColumns,
): Promise<readonly ColumnHeader[]> {
  const names = given.list.map(({ name }) => name);
  const schema = createRecordSchema(kind);
  const fields = () => fetchPublishedFields(context, kind);
  if (await canReadSequentially(context, search)) {
    let unknown = schema.unknownColumns(names, [], []);
    if (unknown.length === 0) return given.list;
    const records = await readRecordsUntil(context, kind, (some) => {
      unknown = schema.unknownColumns(unknown, some, []);
      return unknown.length === 0;
    });
    if (unknown.length === 0) return given.list;
    return resolveColumnNames({ schema, fields }, given, context.warn, records);
  }
  const published = schema.unknownColumns(names, [], []).length === 0 ? [] : await fields();
  const identifiers = published.map(({ identifier }) => identifier);
  if (schema.unknownColumns(names, [], identifiers).length === 0) return given.list;
  const paging = { limit: SAMPLE_RECORDS, offset: 0, pageSize: SAMPLE_RECORDS };
  const { pages } = await searchPages({ ...context, note: () => {} }, kind, search, paging);
  const known = { schema, fields: async () => published };
  return resolveColumnNames(known, given, context.warn, await collectItems(pages));
}

/** Whether the export contains all records of `--from`, in their order. False for pipes, because opac reads the files twice. */
export async function canReadSequentially(
  { globalOptions, files }: Context,
  search: RecordSearch,
): Promise<boolean> {
  const { externalIds, columns } = search.terms;
  if (globalOptions.from.length === 0 || externalIds !== undefined || columns !== undefined) return false;
  const isAll = searchParameters(search).every(([name, value]) => name === 'view' && value === 'detail');
  return isAll && (await files()).areRegular;
}

/** Returns the records of the first page that passes `areEnough`, or of page 1 if no page passes. */
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
