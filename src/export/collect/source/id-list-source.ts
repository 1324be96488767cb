/**
 * Requests the records of a list of ids in batches and gives them in the order of the list. Responses have their own order,
 * so records are recognised by an id or the value of a field.
 */
import { createHash } from 'node:crypto';
import type { Client } from '../../../client/client.js';
import { DEFAULT_CONCURRENCY, PREFETCH_PER_REQUEST } from '../../../client/defaults.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { pagesOf } from '../../../client/paging/pages.js';
import { PrefetchQueue } from '../../../client/paging/prefetch.js';
import { ReportWriter } from '../../../client/paging/report.js';
import type { SeenIds } from '../../../client/paging/seen-ids.js';
import { type PageRecord, parsedRecord, readLines } from '../../../records/json/page-records.js';
import { asObject, type Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { inListOrder } from '../../../service/search/exact.js';
import type { QueryParameters } from '../../../service/search/search.js';
import type { RecordSource, ResumePoint, SourcePage } from './record-source.js';

export interface IdListOptions {
  readonly client: Client;
  readonly kind: Kind;
  readonly batches: readonly (readonly string[])[];
  /** The batches are whole values of this field; undefined: they are ids. */
  readonly field?: string | undefined;
  readonly query: (ids: readonly string[]) => QueryParameters;
  readonly concurrency?: number | undefined;
}

/** Batches in a row that fail before the rest is given up. */
const MOST_FAILURES = 3;

export function idListSpec(
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

/** Ids without a record are in `notFound`. A batch that fails leaves a gap. */
export function idListSource(options: IdListOptions): RecordSource {
  return {
    pages(from) {
      const report = new ReportWriter(Math.max(1, ...options.batches.map((batch) => batch.length)));
      const notFound: string[] = [];
      return {
        report,
        notFound: () => notFound,
        [Symbol.asyncIterator]: () => pagesOfBatches(options, from, report, notFound),
      };
    },
  };
}

interface BatchPlan {
  readonly ids: readonly string[];
  readonly offset: number;
}

interface Batch extends BatchPlan {
  readonly records: readonly PageRecord[];
  readonly retries: number;
  readonly elapsed: number;
}

async function* pagesOfBatches(
  options: IdListOptions,
  { offset = 0, seen, signal, watch }: ResumePoint,
  report: ReportWriter,
  notFound: string[],
): AsyncGenerator<SourcePage> {
  const total = options.batches.reduce((sum, batch) => sum + batch.length, 0);
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const plans = batchesFrom(options.batches, offset);
  const queue = batchQueue(options, plans, watch, both);
  let failed = 0;
  let stopReason: 'complete' | 'failed' = 'failed';
  try {
    for (const plan of plans) {
      const outcome = await queue.take();
      signal?.throwIfAborted();
      if (!outcome) break;
      if ('value' in outcome) {
        failed = 0;
        const batch = outcome.value;
        const found = batch.records.map((record) => ({ record, raw: asObject(parsedRecord(record)) }));
        const { ordered, missing, strangers } = inListOrder(batch.ids, found, options.field);
        noteMissing(report, batch, missing, strangers, notFound);
        yield { ...pageOf(batch, ordered, report, seen), total, next: plan.offset + plan.ids.length };
      } else {
        const { error } = outcome;
        if (!(error instanceof HttpError) || error.kind !== 'deployment' || ++failed >= MOST_FAILURES)
          throw error;
        report.gaps.push({ offset: plan.offset, limit: plan.ids.length, error });
      }
    }
    const [gap] = report.gaps;
    // When nothing arrived, report the cause instead of the gap.
    if (gap?.error && report.pages.length === 0) throw gap.error;
    stopReason = 'complete';
  } finally {
    stop.abort(new Error('the export has ended'));
    await queue.stop();
    report.stopReason = stopReason;
  }
}

function batchQueue(
  { client, kind, query, concurrency = DEFAULT_CONCURRENCY }: IdListOptions,
  plans: readonly BatchPlan[],
  watch: ResumePoint['watch'],
  signal: AbortSignal,
): PrefetchQueue<Batch> {
  const waiting = plans.values();
  return new PrefetchQueue<Batch>({
    concurrency,
    depth: concurrency * PREFETCH_PER_REQUEST,
    next: () => {
      const { value: plan } = waiting.next();
      return plan && fetchBatch(client, kind, { ...plan, query: query(plan.ids) }, watch, signal);
    },
  });
}

function noteMissing(
  report: ReportWriter,
  { ids, offset }: BatchPlan,
  missing: readonly string[],
  strangers: number,
  notFound: string[],
): void {
  if (strangers === 0) notFound.push(...missing);
  else if (missing.length > strangers) {
    report.notice(
      'thin-page',
      `${missing.length - strangers} of the list were not found, but the records do not show which (first among ${offset + 1} to ${offset + ids.length})`,
    );
  }
}

/** Drops records already seen, and counts them in the report. */
function pageOf(
  { offset, retries, elapsed }: Batch,
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

function batchesFrom(batches: IdListOptions['batches'], from: number): readonly BatchPlan[] {
  let offset = 0;
  return batches.flatMap((ids) => {
    const batch = { ids, offset };
    offset += ids.length;
    return batch.offset >= from ? [batch] : [];
  });
}

async function fetchBatch(
  client: Client,
  kind: Kind,
  { ids, offset, query }: BatchPlan & { readonly query: QueryParameters },
  watch: ResumePoint['watch'],
  signal: AbortSignal,
): Promise<Batch> {
  const pages = pagesOf<PageRecord>(
    client,
    `${kind}.search`,
    { query },
    { read: ({ bytes }, at) => readLines(bytes, kind, at), watch, signal, concurrency: 1 },
  );
  const records: PageRecord[] = [];
  let retries = 0;
  let elapsed = 0;
  for await (const page of pages) {
    records.push(...page.records);
    retries += page.retries;
    elapsed += page.elapsed;
  }
  return { ids, offset, records, retries, elapsed };
}
