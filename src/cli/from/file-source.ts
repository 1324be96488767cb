/** The records of exported files as the source of an export. Only one page of records is in memory at a time. */
import { ReportWriter } from '../../client/paging/paging-report.js';
import type { RecordSource, ResumePoint, SourcePage } from '../../export/collect/source/record-source.js';
import type { FileRecord } from '../../local/record.js';
import { renderRecord } from '../../local/search/views.js';
import { readLines } from '../../records/json/page-records.js';
import { UsageError } from '../../service/errors.js';
import { KIND_KEYS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
import { type CheckedFiles, checkedRecords, refuseWithoutKind } from './checked-records.js';

const PAGE_SIZE = 500;

export interface FileSourceOptions {
  readonly files: CheckedFiles;
  readonly kind: Kind;
  readonly limit: number | undefined;
}

export function createFileSource(options: FileSourceOptions): RecordSource {
  return {
    pages: (from) => {
      const report = new ReportWriter(PAGE_SIZE);
      return { report, [Symbol.asyncIterator]: () => readPages(options, from, report) };
    },
  };
}

async function* readPages(
  options: FileSourceOptions,
  from: ResumePoint,
  report: ReportWriter,
): AsyncGenerator<SourcePage> {
  const { kind, files, limit = Number.POSITIVE_INFINITY } = options;
  const begin = from.offset ?? 0;
  const end = begin + limit - from.delivered;
  const addPage = (page: readonly FileRecord[], offset: number): SourcePage => {
    from.signal?.throwIfAborted();
    const { response, list } = createResponse(page, kind, offset);
    from.onPageRead?.(response, offset, list);
    const { records } = list;
    const received = records.length;
    report.received += received;
    report.distinct += received;
    report.pages.push({ offset, received });
    const next = offset + page.length;
    return { offset, records, received, total: undefined, retries: 0, elapsed: 0, next };
  };
  let position = 0;
  let page: FileRecord[] = [];
  for await (const record of readRecords(options, from.signal)) {
    if (position >= end) break;
    if (position++ >= begin) page.push(record);
    if (page.length < PAGE_SIZE) continue;
    yield addPage(page, position - page.length);
    page = [];
  }
  if (position === 0) refuseWithoutKind(kind, files);
  if (page.length > 0) yield addPage(page, position - page.length);
  if (limit === Number.POSITIVE_INFINITY) report.addTotal(begin, position);
  report.finish(limit === Number.POSITIVE_INFINITY ? 'complete' : 'limit', begin);
}

/** Returns the list of records, and a response like those of the service, but with the total 0. */
function createResponse(found: readonly FileRecord[], kind: Kind, offset: number) {
  const { listKey, totalKey } = KIND_KEYS[kind];
  const pieces = found.flatMap((record, index) => [
    Buffer.from(index === 0 ? `{"${listKey}":[` : ','),
    renderRecord(record, kind, 'complete'),
  ]);
  const response = Buffer.concat([...pieces, Buffer.from(`],"${totalKey}":0}`)]);
  const list = readLines(response, kind, offset);
  if (list) return { response, list };
  // Reading the file does not parse the JSON of each record. If the JSON is invalid, `parsed` throws.
  for (const record of found) void record.parsed;
  throw new UsageError('the records cannot be read', 'export or copy the file again');
}

/** If `kind` is `records`, yields one kind after the other, in the order of the service. */
async function* readRecords(
  { files, kind }: FileSourceOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileRecord> {
  for (const only of kind === 'records' ? RECORD_KINDS : [kind])
    for await (const records of checkedRecords(files, signal))
      for (const record of records) if (record.kind === only) yield record;
}
