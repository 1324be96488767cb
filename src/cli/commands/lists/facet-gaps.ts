/** Counts, for each facet, the records without a value and the records with several values. */
import { OpacError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, asText, type Json, type JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { fieldColumnName, parseColumn } from '../../../service/records/columns.js';
import type { CollectionRecord } from '../../../service/records/record.js';
import { readDateRanges } from '../../../service/search/date-terms.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { visitAllRecords } from '../records/fields.js';
import { COLUMN_TYPE } from './count-values.js';

/** 100 requests with 100 records each. */
const MAX_RECORDS = 10_000;

export interface FacetGap {
  readonly withoutValue: number;
  readonly severalValues: number;
}

/**
 * Returns the gaps by facet id. Omits a facet if its counts from the service do not agree with the records. With `isRequired`,
 * ignores MAX_RECORDS, and throws an OpacError if opac cannot read the records.
 */
export async function countFacetGaps(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  facets: readonly Json[],
  total: number,
  isRequired: boolean,
): Promise<ReadonlyMap<string, FacetGap>> {
  const counts = facets.map(asObject).map((facet) => ({ facet, withoutValue: 0, severalValues: 0 }));
  let read = 0;
  const count = (records: readonly CollectionRecord[]) => {
    read += records.length;
    for (const each of counts) {
      const readValues = createReader(each.facet);
      const sizes = records.map((record) => new Set(readValues(record).filter(Boolean)).size);
      each.withoutValue += sizes.filter((size) => size === 0).length;
      each.severalValues += sizes.filter((size) => size > 1).length;
    }
  };
  if (total > MAX_RECORDS && !isRequired)
    context.note(
      `records without a value are not counted, because more than ${formatNumber(MAX_RECORDS)} records match`,
    );
  else
    await visitAllRecords(
      { ...context, note: context.noteVerbose },
      kind,
      { ...search, view: 'detail' },
      count,
    ).catch((error) => {
      if (isRequired || !(error instanceof OpacError) || error.kind === 'interrupted') throw error;
      context.note(`cannot count records without a value: ${error.message}`);
    });
  const known = counts.filter((each) => read === total && agrees(each, total));
  return new Map(known.map(({ facet, ...gap }) => [asText(facet.facetId), gap]));
}

/** Whether the facet counts of the service agree with the records. */
function agrees(
  { facet, withoutValue, severalValues }: FacetGap & { readonly facet: JsonObject },
  total: number,
): boolean {
  const values = asList(facet.facetLabelValues).map((each) => asNumber(asObject(each).value) ?? 0);
  const sum = values.reduce((one, other) => one + other, 0);
  const filled = total - withoutValue;
  const isComplete = (asNumber(facet.totalLabelValues) ?? values.length) === values.length;
  if (isComplete && severalValues === 0) return filled === sum;
  // The service may count a record with several dates differently from opac.
  if (facet.facetType === 'range') return false;
  return filled >= Math.max(0, ...values) && (!isComplete || filled <= sum);
}

function createReader({ facetId, facetType }: JsonObject): (record: CollectionRecord) => readonly string[] {
  if (facetId === 'color')
    return ({ images }) => images.flatMap(({ cssColors }) => cssColors.map(({ name }) => name));
  if (facetType === COLUMN_TYPE) return parseColumn(asText(facetId)).values;
  if (facetId === 'recordType') return ({ recordType }) => [recordType];
  const column = facetId === 'collections' ? 'collection' : fieldColumnName(asText(facetId));
  if (facetType !== 'range') return parseColumn(column).values;
  // The service counts only dates that it can read.
  return (record) => readDateRanges(record, column).map(({ from, to }) => `${from}-${to}`);
}
