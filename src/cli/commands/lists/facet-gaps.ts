/** Counts the records without a value in a facet, which the service does not report. */
import { OpacError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, asText, type Json, type JsonObject } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { fieldColumnName, parseColumn } from '../../../service/records/columns.js';
import type { CollectionRecord } from '../../../service/records/record.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { visitAllRecords } from '../records/fields.js';

/** About 100 requests. */
const MAX_RECORDS = 10_000;

export interface FacetGap {
  readonly withoutValue: number;
  readonly severalValues: number;
}

/** Reads the matching records. Facets whose counts do not agree with the records are missing from the result. */
export async function countFacetGaps(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  facets: readonly Json[],
  total: number,
): Promise<ReadonlyMap<string, FacetGap>> {
  const counts = facets.map(asObject).map((facet) => ({ facet, withoutValue: 0, severalValues: 0 }));
  let read = 0;
  const count = (records: readonly CollectionRecord[]) => {
    read += records.length;
    for (const each of counts) {
      const readValues = createReader(asText(each.facet.facetId));
      const sizes = records.map((record) => new Set(readValues(record).filter(Boolean)).size);
      each.withoutValue += sizes.filter((size) => size === 0).length;
      each.severalValues += sizes.filter((size) => size > 1).length;
    }
  };
  if (total > MAX_RECORDS)
    context.note(`records without a value are not counted above ${formatNumber(MAX_RECORDS)} records`);
  else
    await visitAllRecords(
      { ...context, note: context.noteVerbose },
      kind,
      { ...search, view: 'detail' },
      count,
    ).catch((error) => {
      if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
      context.note(`cannot count records without a value: ${error.message}`);
    });
  return new Map(
    counts.flatMap((each) => {
      const gap = read === total ? reconcile(each, total) : undefined;
      return gap ? [[asText(each.facet.facetId), gap] as const] : [];
    }),
  );
}

/** Undefined if the counts of the service are impossible with these counts of records. */
function reconcile(
  { facet, withoutValue, severalValues }: FacetGap & { readonly facet: JsonObject },
  total: number,
): FacetGap | undefined {
  const values = asList(facet.facetLabelValues).map((each) => asNumber(asObject(each).value) ?? 0);
  const sum = values.reduce((one, other) => one + other, 0);
  const isComplete = (asNumber(facet.totalLabelValues) ?? values.length) === values.length;
  if (isComplete && severalValues === 0) {
    // A range contains only the dates that the service can read.
    const isPossible = facet.facetType === 'range' ? sum <= total : sum === total - withoutValue;
    return isPossible ? { withoutValue: total - sum, severalValues } : undefined;
  }
  const filled = total - withoutValue;
  const isPossible =
    facet.facetType !== 'range' && filled >= Math.max(0, ...values) && (!isComplete || filled < sum);
  return isPossible ? { withoutValue, severalValues } : undefined;
}

function createReader(facetId: string): (record: CollectionRecord) => readonly string[] {
  if (facetId === 'color')
    return ({ images }) => images.flatMap(({ cssColors }) => cssColors.map(({ name }) => name));
  if (facetId === 'recordType') return ({ recordType }) => [recordType];
  return parseColumn(facetId === 'collections' ? 'collection' : fieldColumnName(facetId)).values;
}
