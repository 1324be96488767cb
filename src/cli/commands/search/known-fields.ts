/** Checks the field names in a search against the deployment. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { readSingleYear } from '../../../service/search/date-terms.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import type { ColumnTerm, FieldTerm, SearchTerms } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { createNameHint } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchFacetsWithValues } from './field-values.js';
import { fetchPublishedFields } from './search-pages.js';
import { createUnknownFieldError, isSortedByService, KnownNames, type Place } from './term-places.js';

/**
 * Replaces labels by names, and `id` and `title` by fields of the service. Moves terms to `columns` if the service cannot search
 * them. Throws a UsageError for an unknown name, and for a list of values of a column that the service cannot search.
 */
export async function resolveFields(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<RecordSearch> {
  const { where = [], oneOf } = search.terms;
  const known = new KnownNames(context, kind);
  const facets: FieldTerm[] = [];
  for (const { field, value } of search.facets ?? [])
    facets.push({ field: await known.findFacet(field), value });
  const sort = await known.findSortField(search.sort);
  const isByDate = await isSortedByDate(context, known, { ...search, sort });
  if (where.length === 0 && !oneOf) return { ...search, facets, sort, isByDate };
  const terms: (ColumnTerm & Place)[] = [];
  for (const term of where) terms.push(await known.placeTerm(term));
  if (!search.terms.exact) noteSingleYears(context, terms);
  const list = oneOf && {
    ...oneOf,
    ...(await known.findPlace(oneOf.field, oneOf.values[0] ?? '', { oneOf })),
  };
  if (list?.isColumn)
    throw new UsageError(
      `cannot search "${list.field}" with a list of values, because the service cannot search this column`,
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
  if (columns.length > 0) checkComparedColumns(context, columns, search.view);
  return { ...search, facets, sort, terms: resolved, isByDate };
}

function noteSingleYears({ note }: Context, terms: readonly FieldTerm[]): void {
  for (const term of terms) {
    const year = readSingleYear(term);
    if (year)
      note(
        `"${term.value}" is searched as text; to find dates that include ${year}, use --where ${term.field}=${year}..${year}`,
      );
  }
}

/** Returns the name and the label of a field. `field` is one of the two. */
export async function listOtherNames(
  context: Context,
  kind: Kind,
  field: string,
): Promise<readonly string[]> {
  const labels = new FieldLabels(context.dryRunLog ? [] : await fetchPublishedFields(context, kind));
  const name = labels.getName(field);
  return [name, labels.format(name)];
}

/** Returns true if opac must sort the records by date. With `--from`, the search in the files already sorts by date. */
async function isSortedByDate(
  context: Context,
  known: KnownNames,
  { sort, view = 'detail' }: RecordSearch,
): Promise<boolean> {
  if (sort === undefined || isSortedByService(sort)) return false;
  if (context.globalOptions.from.length > 0 || context.dryRunLog) return false;
  const isByDate = (await known.areDates(sort)) ?? true;
  if (isByDate && view !== 'detail')
    context.note(
      `the records have the order of the service: opac cannot sort by the dates in "${sort}", because --view ${view} may not contain this field`,
    );
  return isByDate && view === 'detail';
}

/** Throws a UsageError for a view that may not contain the columns. */
function checkComparedColumns(
  { note, globalOptions }: Context,
  columns: readonly ColumnTerm[],
  view = 'detail',
): void {
  const described = columns.map(({ field, dates }) =>
    field === 'image.count' ? 'the number of images' : `${dates ? 'dates in ' : ''}"${field}"`,
  );
  const names = [...new Set(described)].join(', ');
  if (view !== 'detail')
    throw new UsageError(
      `cannot compare ${names}: --view ${view} may not contain every field`,
      'remove --view',
    );
  if (globalOptions.from.length > 0) return;
  const what = columns.some(({ dates }) => dates) ? 'the values' : 'entire values';
  note(`the service cannot search ${names}; opac reads all matching records and compares ${what}`);
}

/** Yields `pages` unchanged. Throws a clearer error if the service rejects the search. */
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

/** Returns a clearer UsageError if the service rejected an unknown sort field or facet. Otherwise, returns `error`. */
export async function explainError(
  error: unknown,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<unknown> {
  if (!(error instanceof OpacError) || error.kind !== 'usage' || context.dryRunLog) return error;
  try {
    const { facets = [], sort } = search;
    const published = new FieldLabels(sort === undefined ? [] : await fetchPublishedFields(context, kind));
    if (sort !== undefined && published.names.length > 0 && !published.names.includes(sort))
      return createUnknownFieldError(sort, kind, published);
    if (facets.length === 0) return error;
    const known = (await fetchFacetsWithValues(context, kind)).map(({ facetId }) => facetId);
    const unknown = facets.find(({ field }) => !known.includes(field));
    if (unknown === undefined || known.length === 0) return error;
    return new UsageError(
      `unknown facet "${unknown.field}" of ${kind}`,
      createNameHint(unknown.field, known),
    );
  } catch (better) {
    return better instanceof UsageError ? better : error;
  }
}
