/** The records of a source that hold the words of a search, but not its whole values: left out, or only counted. */
import type { Identified } from '../../client/paging/page.js';
import type { Kind } from '../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../service/records/record.js';
import { parsedRecord, readPage } from '../json/page-records.js';
import type { RecordSource, ResumePoint, SourcePages, TryRead } from './record-source.js';

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
  return {
    pages<R extends Identified>(tryRead: TryRead<R>, from: ResumePoint): SourcePages<R> {
      const others = new WeakSet<R>();
      const marking: TryRead<R> = (bytes, at) => {
        const listed = tryRead(bytes, at);
        const page = listed && readPage(bytes, kind, at);
        listed?.records.forEach((record, n) => {
          const same = page?.records[n];
          if (same && !isExact(readRecord(parsedRecord(same), kind))) others.add(record);
        });
        return listed;
      };
      const pages = source.pages(marking, from);
      async function* exact() {
        for await (const page of pages) {
          const records = page.records.filter((record) => !others.has(record));
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
