/** The records of a source that hold the words of a search, but not its whole values: left out, or only counted. */

import { type PageRecord, parsedRecord } from '../../../records/json/page-records.js';
import type { Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import type { RecordSource } from './record-source.js';

export interface Exactness {
  seen: number;
  exact: number;
}

/** With `counts` every record is passed on, and counted as it is. */
export function exactSource(
  source: RecordSource,
  kind: Kind,
  isExact: (record: CollectionRecord) => boolean,
  counts?: Exactness,
): RecordSource {
  const isWanted = (record: PageRecord) => isExact(readRecord(parsedRecord(record), kind));
  return {
    search: source.search,
    ...(!counts && { isWanted }),
    pages(from) {
      const pages = source.pages(from);
      async function* exact() {
        for await (const page of pages) {
          const records = page.records.filter(isWanted);
          if (counts) {
            counts.seen += page.records.length;
            counts.exact += records.length;
          }
          yield counts ? page : { ...page, records };
        }
      }
      return {
        get report() {
          return pages.report;
        },
        notFound: () => pages.notFound?.() ?? [],
        plan: () => pages.plan?.(),
        [Symbol.asyncIterator]: exact,
      };
    },
  };
}
