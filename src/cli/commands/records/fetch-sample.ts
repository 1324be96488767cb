/** Reads a sample of the records of a search, spread across the result. */
import { UsageError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import type { Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import { chooseSamplePages } from '../../../service/records/sample-pages.js';
import { isComparedByRecord } from '../../../service/search/exact-match.js';
import { splitByIds } from '../../../service/search/id-batches.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { fetchSearchPage } from '../search/search-pages.js';

export interface Sample {
  /** Without duplicates, in the order of the service. */
  readonly records: readonly CollectionRecord[];
  readonly total: number;
}

/** Throws a UsageError if opac must compare each record with the search, or if a list of ids or values needs several requests. */
export async function fetchSample(
  context: Context,
  kind: Kind,
  search: RecordSearch,
  size: number,
): Promise<Sample> {
  if (isComparedByRecord(search.terms) || splitByIds(search).length > 1)
    throw new UsageError(
      '--exact, --no-images, ranges of dates, columns that the service cannot search, and long lists do not work with a sample',
      'use --all',
    );
  const firstSize = chooseSamplePages(Number.MAX_SAFE_INTEGER, size)[0]?.limit ?? size;
  const first = await fetchSearchPage(context, kind, search, { offset: 0, limit: firstSize });
  const { records, total = records.length } = first;
  const others = size > firstSize && total > records.length ? chooseSamplePages(total, size).slice(1) : [];
  const pages = await Promise.allSettled(others.map((page) => fetchSearchPage(context, kind, search, page)));
  context.signal.throwIfAborted();
  const received = pages.flatMap((each) => (each.status === 'fulfilled' ? each.value.records : []));
  const failed = pages.filter(({ status }) => status === 'rejected').length;
  // Some deployments reject high offsets (FIELD-NOTES.md "Requests": cost).
  if (failed > 0)
    context.note(
      `${formatNumber(failed)} of ${formatNumber(pages.length + 1)} pages of the sample were not received; use a smaller --sample or a narrower search`,
    );
  return { records: deduplicateRecords([...records, ...received], kind), total };
}

/** Returns each record once. A deployment that ignores the offset returns the same page every time. */
function deduplicateRecords(all: readonly Json[], kind: Kind): CollectionRecord[] {
  const records = new Map<string, CollectionRecord>();
  for (const [index, each] of all.entries()) {
    const record = readRecord(each, kind);
    records.set(record.id === '' ? `#${index}` : `${record.recordType} ${record.id}`, record);
  }
  return [...records.values()];
}
