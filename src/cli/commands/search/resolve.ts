/** Reads the parts of a search that are in files: `--query-file`, `--external-id @file`, `--where field=@file`. */
import type { Kind } from '../../../service/kinds.js';
import { TITLE_FIELDS } from '../../../service/records/record.js';
import type { RecordSearch } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import type { SearchInput } from '../../options/search.js';
import { distinctIds, idsInFile, valuesInFile } from './id-list.js';
import { SETS, setId } from './named-sets.js';
import { publishedFields } from './pages.js';

/** Throws a UsageError for a missing file or an empty list. */
export async function resolveSearch(
  { queryFile, externalId, valueFile, terms, ...search }: SearchInput,
  context: Context,
  kind: Kind,
): Promise<RecordSearch> {
  const [collection, highlight] = await Promise.all(
    SETS.map((set) => (terms[set] === undefined ? undefined : setId(context, set, terms[set]))),
  );
  const raw = queryFile === undefined ? terms.raw : (await context.readText(queryFile)).trim();
  const externalIds = externalId === undefined ? undefined : await readIds(externalId, context);
  const oneOf = valueFile && {
    field: valueFile.field,
    values: await valuesInFile(valueFile.field, valueFile.value, context),
  };
  return withFieldNames(
    { ...search, terms: { ...terms, raw, collection, highlight, externalIds, oneOf } },
    context,
    kind,
  );
}

/** The columns `id` and `title` of a table as the fields that they are made from. Costs a request for a title. */
async function withFieldNames(search: RecordSearch, context: Context, kind: Kind): Promise<RecordSearch> {
  const { terms, sort } = search;
  const named = [...(terms.where ?? []), ...(terms.oneOf ? [terms.oneOf] : [])].map(({ field }) => field);
  const published =
    [...named, sort].includes('title') && !context.dryRunLog ? await publishedFields(context, kind) : [];
  const title = TITLE_FIELDS.find((field) => published.includes(field)) ?? 'title';
  const renamed = <T extends { readonly field: string }>(term: T): T => ({
    ...term,
    field: term.field === 'title' ? title : term.field === 'id' ? 'external_object_id' : term.field,
  });
  return {
    ...search,
    sort: sort === 'title' ? title : sort,
    terms: { ...terms, where: terms.where?.map(renamed), oneOf: terms.oneOf && renamed(terms.oneOf) },
  };
}

async function readIds(list: string, context: Context): Promise<readonly string[]> {
  return (await idsInFile(list, context, '--external-id ')) ?? distinctIds(list.split(','), list);
}
