/** Checks the field names in a search against the deployment. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import type { FieldTerm, SearchTerms } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchFacetsWithValues } from './field-values.js';
import { fetchPublishedFields } from './search-pages.js';
import { createUnknownFieldError, KnownNames, type Place } from './term-places.js';

/**
 * The search with `id` and `title` replaced by their fields, and with those terms of `where` as `columns` that the service
 * cannot search. Requests the views, and records if a name is not in the views. Throws a UsageError for an unknown name.
 */
export async function resolveFields(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<RecordSearch> {
  const { where = [], oneOf } = search.terms;
  if (where.length === 0 && !oneOf && search.sort !== 'title') return search;
  const published = context.dryRunLog ? [] : await fetchPublishedFields(context, kind);
  const known = new KnownNames(context, kind, published);
  const sort = search.sort === 'title' ? await known.findTitleField() : search.sort;
  const terms: (FieldTerm & Place)[] = [];
  for (const { field, value } of where)
    terms.push({ value, ...(await known.findPlace(field, value, { where: [{ field, value }] })) });
  const list = oneOf && {
    ...oneOf,
    ...(await known.findPlace(oneOf.field, oneOf.values[0] ?? '', { oneOf })),
  };
  if (list?.isColumn)
    throw new UsageError(
      `values of "${list.field}" cannot come from a list: the service cannot search it`,
      'compare one value with --where <column>=<value>',
    );
  const columns = terms.filter(({ isColumn }) => isColumn).map(({ field, value }) => ({ field, value }));
  const resolved: SearchTerms = {
    ...search.terms,
    where: terms.filter(({ isColumn }) => !isColumn).map(({ field, value }) => ({ field, value })),
    oneOf: list && { field: list.field, values: list.values },
    ...(columns.length > 0 && { columns }),
  };
  if (columns.length > 0) noteComparedColumns(context, columns, search.view);
  return { ...search, sort, terms: resolved };
}

function noteComparedColumns({ note }: Context, columns: readonly FieldTerm[], view = 'detail'): void {
  const names = columns.map(({ field }) => `"${field}"`).join(', ');
  if (view !== 'detail')
    throw new UsageError(`cannot compare ${names}: --view ${view} may not contain it`, 'remove --view');
  note(`the service cannot search ${names}; opac reads all matching records and compares entire values`);
}

/** The same pages. Explains an error of the service. */
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

/** A UsageError for an unknown field or facet if the service rejected the search; otherwise the same error. */
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
