/** Leaves out the records of a source that hold the words of a search, but not its whole values. */
import type { Identified } from '../../client/paging/page.js';
import type { Kind } from '../../service/kinds.js';
import { readRecord } from '../../service/records/record.js';
import { isExact } from '../../service/search/exact.js';
import type { Search } from '../../service/search/query.js';
import { parsedRecord, readPage } from '../json/page-records.js';
import type { RecordSource, ResumePoint, SourcePages, TryRead } from './record-source.js';

export function exactSource(source: RecordSource, kind: Kind, terms: Search): RecordSource {
  return {
    pages<R extends Identified>(tryRead: TryRead<R>, from: ResumePoint): SourcePages<R> {
      const others = new WeakSet<R>();
      const marking: TryRead<R> = (bytes, at) => {
        const listed = tryRead(bytes, at);
        const page = listed && readPage(bytes, kind, at);
        listed?.records.forEach((record, n) => {
          const same = page?.records[n];
          if (same && !isExact(terms, readRecord(parsedRecord(same), kind))) others.add(record);
        });
        return listed;
      };
      const pages = source.pages(marking, from);
      async function* exact() {
        for await (const page of pages)
          yield { ...page, records: page.records.filter((record) => !others.has(record)) };
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
