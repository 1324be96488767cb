/** Holds the names in a search against those that the deployment has. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import type { FieldTerm, SearchTerms } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchFacetsWithValues } from './field-values.js';
import { fetchPublishedFields } from './search-pages.js';
import { KnownNames, type Place, unknownField } from './term-places.js';

/**
 * The search with the terms of `where` that the service cannot search as `columns`, and `id` and `title` as the fields that
 * they show. Requests the views, and records where a name is not in them. Throws a UsageError for a name that nothing has.
 */
export async function assertFieldsWhenEmpty(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<RecordSearch> {
  const { where = [], oneOf } = search.terms;
  if (where.length === 0 && !oneOf && search.sort !== 'title') return search;
  const known = new KnownNames(
    context,
    kind,
    context.dryRunLog ? [] : await fetchPublishedFields(context, kind),
  );
  const sort = search.sort === 'title' ? await known.titleField() : search.sort;
  const terms: (FieldTerm & Place)[] = [];
  for (const { field, value } of where)
    terms.push({ value, ...(await known.place(field, value, { where: [{ field, value }] })) });
  const list = oneOf && { ...oneOf, ...(await known.place(oneOf.field, oneOf.values[0] ?? '', { oneOf })) };
  if (list?.isColumn)
    throw new UsageError(
      `the service cannot search "${list.field}", so its values cannot come from a list`,
      'compare one value with --where <column>=<value>',
    );
  const columns = terms.filter(({ isColumn }) => isColumn).map(({ field, value }) => ({ field, value }));
  const resolved: SearchTerms = {
    ...search.terms,
    where: terms.filter(({ isColumn }) => !isColumn).map(({ field, value }) => ({ field, value })),
    oneOf: list && { field: list.field, values: list.values },
    ...(columns.length > 0 && { columns }),
  };
  if (columns.length > 0) announce(context, columns, search.view);
  return { ...search, sort, terms: resolved };
}

function announce({ note }: Context, columns: readonly FieldTerm[], view = 'detail'): void {
  const names = columns.map(({ field }) => `"${field}"`).join(', ');
  if (view !== 'detail')
    throw new UsageError(
      `--view ${view} may not show ${names}, so it cannot be compared`,
      'leave out --view',
    );
  note(`the service cannot search ${names}: all matching records are read, and whole values compared`);
}

/** Passes pages on; an error of the service is explained. */
export async function* withReasons(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): AsyncGenerator<readonly Json[]> {
  try {
    yield* pages;
  } catch (error) {
    throw await explainRefusal(error, context, kind, search);
  }
}

/** What the service refuses, as the UsageError that names an unknown field or facet; any other error as it is. */
export async function explainRefusal(
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
      return unknownField(sort, kind, published);
    if (facets.length === 0) return error;
    const known = (await fetchFacetsWithValues(context, kind)).map(({ facetId }) => facetId);
    const unknown = facets.find(({ field }) => !known.includes(field));
    if (unknown === undefined || known.length === 0) return error;
    return new UsageError(
      `there is no facet "${unknown.field}" of ${kind}`,
      didYouMean(unknown.field, known),
    );
  } catch (better) {
    return better instanceof UsageError ? better : error;
  }
}
