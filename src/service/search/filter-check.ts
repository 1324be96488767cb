/** Finds records that do not match the filters of a search. A service may ignore a filter that it does not know. */
import { formatCount, formatNumber } from '../format-numbers.js';
import { isObject } from '../json.js';
import { type CollectionRecord, hasOnlyId } from '../records/record.js';
import { normalizeText } from './exact-match.js';
import { bracketOr } from './query.js';
import { parseFacets, type QueryParameters } from './record-search.js';

/** Returns true if a filter excludes the record. Returns false if the record matches, or lacks the values to decide. */
export type FilterCheck = (record: CollectionRecord) => boolean;

/** Checks images, facet values and the collection. Returns undefined for a search without these filters. */
export function createFilterCheck(query: QueryParameters): FilterCheck | undefined {
  const parameters = new Map(query);
  const checks: FilterCheck[] = [];
  if (parameters.get('hasImages') === 'true') checks.push(createImageCheck(parameters.get('view')));
  // A facet value that is a range, such as "1850-1899", is not a value of a record.
  for (const { field, value } of parseFacets(parameters.get('facet') ?? ''))
    if (!/\d\D+\d/.test(value)) checks.push((record) => lacksFacetValue(record, field, normalizeText(value)));
  const collection = readCollection(parameters.get('query') ?? '');
  if (collection !== undefined)
    checks.push((record) => record.collection !== undefined && record.collection.id !== collection);
  return checks.length === 0 ? undefined : (record) => checks.some((isExcluded) => isExcluded(record));
}

export function formatExcluded(records: number, total: number): string {
  const doNot = records === 1 ? 'does' : 'do';
  return `${formatNumber(records)} of ${formatCount(total, 'record')} ${doNot} not match the filter of the search (images, facet or collection); the service may ignore the filter`;
}

/** Returns the id of the collection that all records of the result must belong to; undefined if the query has no such term. */
function readCollection(query: string): string | undefined {
  const hasOr = bracketOr(query) !== query;
  return hasOr ? undefined : /(?:^| AND )collections:"?([^"\\()\s]+)"?(?: AND |$)/.exec(query)?.[1];
}

/** Views other than `detail` may omit the images. */
function createImageCheck(view: string | undefined): FilterCheck {
  return ({ raw, images }) =>
    images.length === 0 && !hasOnlyId(raw) && (view === 'detail' || isObject(raw.imagesCollection));
}

/** In a hierarchy, the value in the record may contain the facet value, or be a part of it. */
function lacksFacetValue(record: CollectionRecord, field: string, wanted: string): boolean {
  const { collection, fields } = record;
  const shown =
    field === 'collections'
      ? [collection?.id, collection?.name]
      : fields.get(field)?.map(({ value }) => value);
  const texts = (shown ?? []).flatMap((text) => (text ? [normalizeText(text)] : []));
  return texts.length > 0 && !texts.some((text) => text.includes(wanted) || wanted.includes(text));
}
