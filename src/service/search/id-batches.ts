/** Splits a long list of ids, or of values of a field, into queries that fit into a URL. */
import { getEncodedLength } from '../percent-encoding.js';
import { buildQuery, formatAlternatives, type SearchTerms, type ValueList } from './query.js';
import type { RecordSearch } from './record-search.js';

/** Many servers and proxies refuse request lines over about 8,000 bytes. */
const MAX_QUERY_BYTES = 6000;

/** A page can contain this number of records, so one request is enough for a batch. */
export const MAX_BATCH_IDS = 100;

export function getValueList({ externalIds, oneOf }: SearchTerms): ValueList | undefined {
  return oneOf ?? (externalIds && { field: 'external_object_id', values: externalIds });
}

export function splitIntoBatches(terms: SearchTerms): string[][] {
  const { externalIds: _ids, oneOf: _values, ...others } = terms;
  const { field, values } = getValueList(terms) ?? { field: '', values: [] };
  const maxBytes = MAX_QUERY_BYTES - getEncodedLength(buildQuery(others) ?? '');
  const batches: string[][] = [];
  let batch: string[] = [];
  let used = 0;
  for (const value of values) {
    const length = getEncodedLength(formatAlternatives(field, [value]));
    if (batch.length > 0 && (batch.length >= MAX_BATCH_IDS || used + length > maxBytes)) {
      batches.push(batch);
      [batch, used] = [[], 0];
    }
    batch.push(value);
    used += length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

export function withValues(search: RecordSearch, values: readonly string[]): RecordSearch {
  const { oneOf } = search.terms;
  const list = oneOf ? { oneOf: { ...oneOf, values } } : { externalIds: values };
  return { ...search, terms: { ...search.terms, ...list } };
}

/** Splits a search with a list into searches whose queries fit into a URL. Keeps the order of the list. */
export function splitByIds(search: RecordSearch): readonly RecordSearch[] {
  if (getValueList(search.terms) === undefined) return [search];
  return splitIntoBatches(search.terms).map((values) => withValues(search, values));
}
