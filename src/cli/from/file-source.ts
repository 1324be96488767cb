/** The records of exported files as the source of an export: in the order of the files, none held for longer than a page. */
import { ReportWriter } from '../../client/paging/report.js';
import type {
  RecordSource,
  ResumePoint,
  SourcePage,
  SourcePages,
} from '../../export/collect/source/record-source.js';
import type { FileRecord } from '../../local/record.js';
import { renderRecord } from '../../local/search/views.js';
import { readLines } from '../../records/json/page-records.js';
import { UsageError } from '../../service/errors.js';
import { KIND_WORDS, type Kind, RECORD_KINDS } from '../../service/kinds.js';
import { type CheckedFiles, checkedRecords, refuseNone } from './checked-records.js';

const PAGE_SIZE = 500;

export interface FileSourceOptions {
  readonly files: CheckedFiles;
  readonly kind: Kind;
  readonly offset: number;
  readonly limit: number | undefined;
}

export function fileSource(options: FileSourceOptions): RecordSource {
  return { pages: (from) => new FilePages(options, from) };
}

class FilePages implements SourcePages {
  readonly report = new ReportWriter(PAGE_SIZE);
  readonly #options: FileSourceOptions;
  readonly #from: ResumePoint;

  constructor(options: FileSourceOptions, from: ResumePoint) {
    this.#options = options;
    this.#from = from;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourcePage> {
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    const begin = this.#from.offset ?? this.#options.offset;
    const end = begin + limit - this.#from.delivered;
    let position = 0;
    let page: FileRecord[] = [];
    for await (const record of recordsOf(this.#options, this.#from.signal)) {
      if (position >= end) break;
      if (position++ >= begin) page.push(record);
      if (page.length < PAGE_SIZE) continue;
      yield this.#page(page, position - page.length);
      page = [];
    }
    if (position === 0) refuseNone(this.#options.kind, this.#options.files);
    if (page.length > 0) yield this.#page(page, position - page.length);
    if (limit === Number.POSITIVE_INFINITY) this.report.total(begin, position);
    this.report.end(limit === Number.POSITIVE_INFINITY ? 'complete' : 'limit', begin);
  }

  /** Puts the records into the response that the service would send. */
  #page(found: readonly FileRecord[], offset: number): SourcePage {
    this.#from.signal?.throwIfAborted();
    const { kind } = this.#options;
    const { listKey, totalKey } = KIND_WORDS[kind];
    const pieces = found.flatMap((record, index) => [
      Buffer.from(index === 0 ? `{"${listKey}":[` : ','),
      renderRecord(record, kind, 'whole'),
    ]);
    const response = Buffer.concat([...pieces, Buffer.from(`],"${totalKey}":0}`)]);
    const listed = readLines(response, kind, offset);
    if (!listed) {
      // Throws for the first record that only looked like JSON when its file was read.
      for (const record of found) void record.parsed;
      throw new UsageError('the records cannot be read', 'export or copy the file again');
    }
    this.#from.watch?.(response, offset, listed);
    const { records } = listed;
    const received = records.length;
    this.report.received += received;
    this.report.distinct += received;
    this.report.pages.push({ offset, received });
    return {
      offset,
      records,
      received,
      total: undefined,
      retries: 0,
      elapsed: 0,
      next: offset + found.length,
    };
  }
}

/** Of all kinds in the order of the service: kind after kind. */
async function* recordsOf(
  { files, kind }: FileSourceOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileRecord> {
  for (const only of kind === 'records' ? RECORD_KINDS : [kind])
    for await (const records of checkedRecords(files, signal))
      for (const record of records) if (record.kind === only) yield record;
}
