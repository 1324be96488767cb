/** Checks the field names in a search against the deployment. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { TITLE_FIELDS } from '../../../service/records/record.js';
import type { ColumnTerm, SearchTerms } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchFacetsWithValues } from './field-values.js';
import { fetchPublishedFields } from './search-pages.js';
import { createUnknownFieldError, KnownNames, type Place, QUERY_FIELDS } from './term-places.js';

/**
 * Returns the search in the form that the service needs: the names `id` and `title` become fields, and the terms of `where` that
 * the service cannot search become `columns`. Requests the views, and some records for a name that no view contains. Throws a
 * UsageError for an unknown name.
 */
export async function resolveFields(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<RecordSearch> {
  const { where = [], oneOf } = search.terms;
  if (where.length === 0 && !oneOf && search.sort === undefined) return search;
  const isByDate = await isSortedByDate(context, kind, search);
  if (where.length === 0 && !oneOf && search.sort !== 'title') return { ...search, isByDate };
  const published = context.dryRunLog ? [] : await fetchPublishedFields(context, kind);
  const known = new KnownNames(context, kind, published);
  const sort = search.sort === 'title' ? await known.findTitleField() : search.sort;
  const terms: (ColumnTerm & Place)[] = [];
  for (const term of where) terms.push(await known.placeTerm(term));
  const list = oneOf && {
    ...oneOf,
    ...(await known.findPlace(oneOf.field, oneOf.values[0] ?? '', { oneOf })),
  };
  if (list?.isColumn)
    throw new UsageError(
      `values of "${list.field}" cannot come from a list: the service cannot search it`,
      'compare one value with --where <column>=<value>',
    );
  const columns = terms
    .filter(({ isColumn }) => isColumn)
    .map(({ field, value, dates }) => ({ field, value, ...(dates && { dates }) }));
  const resolved: SearchTerms = {
    ...search.terms,
    where: terms.filter(({ isColumn }) => !isColumn).map(({ field, value }) => ({ field, value })),
    oneOf: list && { field: list.field, values: list.values },
    ...(columns.length > 0 && { columns }),
  };
  if (columns.length > 0) noteComparedColumns(context, columns, search.view);
  return { ...search, sort, terms: resolved, isByDate };
}

/** Whether opac must sort the records by date itself. With `--from`, the search already does so. */
async function isSortedByDate(
  context: Context,
  kind: Kind,
  { sort, view = 'detail' }: RecordSearch,
): Promise<boolean> {
  if (sort === undefined || NOT_DATES.includes(sort) || QUERY_FIELDS.has(sort)) return false;
  if (context.globalOptions.from.length > 0 || context.dryRunLog) return false;
  const isByDate = (await new KnownNames(context, kind, []).areDates(sort)) ?? true;
  if (isByDate && view !== 'detail')
    context.note(
      `the service sorts "${sort}": opac cannot sort it by date, because --view ${view} may not contain it`,
    );
  return isByDate && view === 'detail';
}

const NOT_DATES: readonly string[] = ['accession_no', ...TITLE_FIELDS];

function noteComparedColumns({ note }: Context, columns: readonly ColumnTerm[], view = 'detail'): void {
  const names = columns.map(({ field, dates }) => `${dates ? 'dates in ' : ''}"${field}"`).join(', ');
  if (view !== 'detail')
    throw new UsageError(`cannot compare ${names}: --view ${view} may not contain it`, 'remove --view');
  const what = columns.some(({ dates }) => dates) ? 'the values' : 'entire values';
  note(`the service cannot search ${names}; opac reads all matching records and compares ${what}`);
}

/** Yields the same pages. Throws a clearer error if the service rejects the search. */
export async function* explainErrors(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): AsyncGenerator<readonly Json[]> {
  try {
    yield* pages;
  } catch (error) {
    throw await explainError(error, context, kind, search);
  }
}

/** Returns a UsageError for an unknown field or facet if the service rejected the search; otherwise the same error. */
export async function explainError(
  error: unknown,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<unknown> {
  if (!(error instanceof OpacError) || error.kind !== 'usage' || context.dryRunLog) return error;
  try {
    const { facets = [], sort } = search;
    const published = sort === undefined ? [] : await fetchPublishedFields(context, kind);
    if (sort !== undefined && published.length > 0 && !published.includes(sort))
      return createUnknownFieldError(sort, kind, published);
    if (facets.length === 0) return error;
    const known = (await fetchFacetsWithValues(context, kind)).map(({ facetId }) => facetId);
    const unknown = facets.find(({ field }) => !known.includes(field));
    if (unknown === undefined || known.length === 0) return error;
    return new UsageError(`unknown facet "${unknown.field}" of ${kind}`, didYouMean(unknown.field, known));
  } catch (better) {
    return better instanceof UsageError ? better : error;
  }
}
