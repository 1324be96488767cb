/** The records of a snapshot with the changes to it, as the source of an export. */
import { ReportWriter } from '../client/paging/report.js';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import type { RecordSource, SourcePage } from '../export/collect/source/record-source.js';
import type { RecordKind } from '../service/kinds.js';
import type { Changes } from './incremental-changes.js';

const PAGE_SIZE = 1000;

/** Records that are new come last. */
export function createSnapshotSource(
  index: SnapshotIndex,
  kind: RecordKind,
  { fetched, removed }: Changes,
): RecordSource {
  const ids = [...new Set([...index.ids(kind), ...fetched.keys()])].filter((id) => !removed.has(id));
  const createRecord = (id: string) => {
    const bytes = fetched.get(id) ?? index.bytes(index.find(kind, id) as number);
    return { id, bytes, start: 0, end: bytes.length };
  };
  return {
    pages({ signal }) {
      const report = new ReportWriter(PAGE_SIZE);
      report.total(0, ids.length);
      async function* read(): AsyncGenerator<SourcePage> {
        for (let offset = 0; offset < ids.length; offset += PAGE_SIZE) {
          signal?.throwIfAborted();
          const records = ids.slice(offset, offset + PAGE_SIZE).map(createRecord);
          const received = records.length;
          report.received += received;
          report.distinct += received;
          report.pages.push({ offset, received });
          const next = offset + received;
          yield { offset, records, received, total: ids.length, retries: 0, elapsed: 0, next };
        }
        report.end('complete', 0);
      }
      return { report, [Symbol.asyncIterator]: read };
    },
  };
}
