/** Requests the records of a list of ids or values in batches, and returns them in the order of the list. */
import { createHash } from 'node:crypto';
import type { Client } from '../../../client/client.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { paginateEndpoint } from '../../../client/paging/pages.js';
import { ReportWriter } from '../../../client/paging/paging-report.js';
import { runInOrder } from '../../../client/paging/prefetch.js';
import type { SeenIds } from '../../../client/paging/seen-ids.js';
import { type PageRecord, parsePageRecord, readLines } from '../../../records/json/page-records.js';
import { asObject, type Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { formatExcess, sortByList } from '../../../service/search/exact-match.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import type { RecordSource, ResumePoint, SourcePage } from './record-source.js';

export interface IdListOptions {
  readonly client: Client;
  readonly kind: Kind;
  readonly batches: readonly (readonly string[])[];
  /** Undefined if the batches contain ids. */
  readonly field?: string | undefined;
  readonly query: (ids: readonly string[]) => QueryParameters;
  readonly concurrency?: number | undefined;
}

/** After this number of failed batches in a row, the run ends with an error. */
const MAX_FAILURES = 3;

export function describeIdList(
  batches: IdListOptions['batches'],
  field?: string,
): Readonly<Record<string, Json>> {
  const ids = batches.flat();
  return {
    ...(field !== undefined && { idsField: field }),
    ids: ids.length,
    idsSha256: createHash('sha256').update(JSON.stringify(ids)).digest('hex'),
  };
}

/** A failed batch is a gap in the report. If opac cannot know which entries have no record, the report has a notice. */
export function createIdListSource(options: IdListOptions): RecordSource {
  return {
    pages(from) {
      const report = new ReportWriter(Math.max(1, ...options.batches.map((batch) => batch.length)));
      const notFound: string[] = [];
      return {
        report,
        notFound: () => notFound,
        [Symbol.asyncIterator]: () => readBatches(options, from, report, notFound),
      };
    },
  };
}

interface Batch {
  readonly ids: readonly string[];
  readonly offset: number;
}

interface FetchedBatch extends Batch {
  readonly records: readonly PageRecord[];
  readonly retries: number;
  readonly elapsed: number;
}

async function* readBatches(
  options: IdListOptions,
  { offset = 0, seen, signal = new AbortController().signal, onPageRead }: ResumePoint,
  report: ReportWriter,
  notFound: string[],
): AsyncGenerator<SourcePage> {
  const { batches, concurrency, field } = options;
  const total = batches.reduce((sum, batch) => sum + batch.length, 0);
  const waiting = selectBatches(batches, offset).values();
  const next = (stop: AbortSignal) => {
    const { value: batch } = waiting.next();
    return batch && fetchBatch(options, batch, onPageRead, stop);
  };
  let failed = 0;
  report.stopReason = 'failed';
  for await (const batch of runInOrder({ concurrency, next, signal })) {
    signal.throwIfAborted();
    if ('error' in batch) {
      if (++failed >= MAX_FAILURES) throw batch.error;
      report.gaps.push({ offset: batch.offset, limit: batch.ids.length, error: batch.error });
      continue;
    }
    failed = 0;
    const found = batch.records.map((record) => ({ record, raw: asObject(parsePageRecord(record)) }));
    const { ordered, missing, unmatched } = sortByList(batch.ids, found, field);
    reportMissing(report, batch, missing, unmatched, notFound, field === undefined);
    yield { ...createPage(batch, ordered, report, seen), total, next: batch.offset + batch.ids.length };
  }
  const [gap] = report.gaps;
  // If no batch succeeded, the error of the first batch is more useful than a list of gaps.
  if (gap?.error && report.pages.length === 0) throw gap.error;
  report.stopReason = 'complete';
}

function reportMissing(
  report: ReportWriter,
  { ids, offset }: Batch,
  missing: readonly string[],
  unmatched: number,
  notFound: string[],
  isOfIds: boolean,
): void {
  if (unmatched === 0) notFound.push(...missing);
  else if (isOfIds && unmatched > missing.length)
    report.addNotice('ids-unmatched', formatExcess(unmatched - missing.length));
  else if (missing.length > unmatched) {
    report.addNotice(
      isOfIds ? 'ids-unmatched' : 'thin-page',
      `not found: ${missing.length - unmatched} of the entries ${offset + 1} to ${offset + ids.length} of the list; opac cannot tell which entries`,
    );
  }
}

function createPage(
  { offset, retries, elapsed }: FetchedBatch,
  ordered: readonly PageRecord[],
  report: ReportWriter,
  seen: SeenIds,
): Omit<SourcePage, 'total' | 'next'> {
  const records = ordered.filter(({ id }) => {
    if (id === undefined) report.withoutId++;
    else if (seen.add(id)) report.distinct++;
    else {
      report.duplicates++;
      return false;
    }
    return true;
  });
  const received = ordered.length;
  report.received += received;
  report.pages.push({ offset, received });
  return { offset, records, received, retries, elapsed };
}

function selectBatches(batches: IdListOptions['batches'], from: number): readonly Batch[] {
  let offset = 0;
  return batches.flatMap((ids) => {
    const batch = { ids, offset };
    offset += ids.length;
    return batch.offset >= from ? [batch] : [];
  });
}

async function fetchBatch(
  { client, kind, query }: IdListOptions,
  batch: Batch,
  onPageRead: ResumePoint['onPageRead'],
  signal: AbortSignal,
): Promise<FetchedBatch | (Batch & { readonly error: HttpError })> {
  const pages = paginateEndpoint<PageRecord>(
    client,
    `${kind}.search`,
    { query: query(batch.ids) },
    { read: ({ bytes }, at) => readLines(bytes, kind, at), onPageRead, signal, concurrency: 1 },
  );
  const records: PageRecord[] = [];
  let retries = 0;
  let elapsed = 0;
  try {
    for await (const page of pages) {
      for (const record of page.records) records.push(record);
      retries += page.retries;
      elapsed += page.elapsed;
    }
  } catch (error) {
    if (error instanceof HttpError && error.kind === 'deployment') return { ...batch, error };
    throw error;
  }
  return { ...batch, records, retries, elapsed };
}
