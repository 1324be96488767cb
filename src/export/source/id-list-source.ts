/**
 * Requests the records of a list of ids in batches and gives them in the order of the list. Responses have their own order,
 * so records are recognised by an id or the value of a field.
 */
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.js';
import { DEFAULT_CONCURRENCY, PREFETCH_PER_REQUEST } from '../../client/defaults.js';
import { HttpError } from '../../client/errors/http-error.js';
import type { HttpResponse } from '../../client/exchange.js';
import type { Identified, Listed } from '../../client/paging/page.js';
import { pagesOf } from '../../client/paging/pages.js';
import { PrefetchQueue } from '../../client/paging/prefetch.js';
import { ReportWriter } from '../../client/paging/report.js';
import type { SeenIds } from '../../client/paging/seen-ids.js';
import { asObject, type Json, type JsonObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { inListOrder } from '../../service/search/exact.js';
import type { QueryParameters } from '../../service/search/search.js';
import { parsedRecord, readPage } from '../json/page-records.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages, TryRead } from './record-source.js';

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
    pages<R extends Identified>(tryRead: TryRead<R>, from: ResumePoint): SourcePages<R> {
      const report = new ReportWriter(Math.max(1, ...options.batches.map((batch) => batch.length)));
      const notFound: string[] = [];
      return {
        report,
        notFound: () => notFound,
        [Symbol.asyncIterator]: () => pagesOfBatches(options, tryRead, from, report, notFound),
      };
    },
  };
}

interface BatchPlan {
  readonly ids: readonly string[];
  readonly offset: number;
}

interface Batch<R> extends BatchPlan {
  readonly records: readonly R[];
  readonly raws: readonly JsonObject[];
  readonly retries: number;
  readonly elapsed: number;
}

async function* pagesOfBatches<R extends Identified>(
  options: IdListOptions,
  tryRead: TryRead<R>,
  { offset = 0, seen, signal }: ResumePoint,
  report: ReportWriter,
  notFound: string[],
): AsyncGenerator<SourcePage<R>> {
  const total = options.batches.reduce((sum, batch) => sum + batch.length, 0);
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const plans = batchesFrom(options.batches, offset);
  const queue = batchQueue(options, plans, tryRead, both);
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
        const found = batch.records.map((record, n) => ({ record, raw: batch.raws[n] ?? {} }));
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

function batchQueue<R extends Identified>(
  { client, kind, query, concurrency = DEFAULT_CONCURRENCY }: IdListOptions,
  plans: readonly BatchPlan[],
  tryRead: TryRead<R>,
  signal: AbortSignal,
): PrefetchQueue<Batch<R>> {
  const waiting = plans.values();
  return new PrefetchQueue<Batch<R>>({
    concurrency,
    depth: concurrency * PREFETCH_PER_REQUEST,
    next: () => {
      const { value: plan } = waiting.next();
      return plan && fetchBatch(client, kind, { ...plan, query: query(plan.ids) }, tryRead, signal);
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
function pageOf<R extends Identified>(
  { offset, retries, elapsed }: Batch<R>,
  ordered: readonly R[],
  report: ReportWriter,
  seen: SeenIds,
): Omit<SourcePage<R>, 'total' | 'next'> {
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

async function fetchBatch<R extends Identified>(
  client: Client,
  kind: Kind,
  { ids, offset, query }: BatchPlan & { readonly query: QueryParameters },
  tryRead: TryRead<R>,
  signal: AbortSignal,
): Promise<Batch<R>> {
  const raws = new Map<R, JsonObject>();
  const read = ({ bytes }: HttpResponse, at: number): Listed<R> | undefined => {
    const listed = tryRead(bytes, at);
    const page = listed && readPage(bytes, kind, at);
    listed?.records.forEach((record, n) => {
      const same = page?.records[n];
      if (same) raws.set(record, asObject(parsedRecord(same)));
    });
    return listed;
  };
  const pages = pagesOf<R>(client, `${kind}.search`, { query }, { read, signal, concurrency: 1 });
  const records: R[] = [];
  let retries = 0;
  let elapsed = 0;
  for await (const page of pages) {
    records.push(...page.records);
    retries += page.retries;
    elapsed += page.elapsed;
  }
  return { ids, offset, records, raws: records.map((record) => raws.get(record) ?? {}), retries, elapsed };
}
