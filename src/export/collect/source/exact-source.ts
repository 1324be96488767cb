/** Filters the records of a source by search terms that a query cannot express. */
import { type PageRecord, parsePageRecord } from '../../../records/json/page-records.js';
import type { Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import type { RecordSource } from './record-source.js';

export function createExactSource(
  source: RecordSource,
  kind: Kind,
  isExact: (record: CollectionRecord) => boolean,
  onEnd?: () => void,
): RecordSource {
  const isWanted = (record: PageRecord) => isExact(readRecord(parsePageRecord(record), kind));
  return {
    search: source.search,
    isWanted,
    pages(from) {
      const pages = source.pages(from);
      return {
        get report() {
          return pages.report;
        },
        notFound: () => pages.notFound?.() ?? [],
        plan: () => pages.plan?.(),
        async *[Symbol.asyncIterator]() {
          for await (const page of pages) yield { ...page, records: page.records.filter(isWanted) };
          onEnd?.();
        },
      };
    },
  };
}
