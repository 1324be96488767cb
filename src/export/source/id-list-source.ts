/**
 * The records of a list of ids, asked for in as many requests as it takes, in the order of the list. The service answers each
 * request in an order of its own, so a record is recognised by its id, or by a value of one of its fields.
 */
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.js';
import { DEFAULT_CONCURRENCY, PREFETCH_PER_REQUEST } from '../../client/defaults.js';
import { HttpError } from '../../client/errors/http-error.js';
import type { Answer } from '../../client/exchange.js';
import type { Identified, Listed } from '../../client/paging/page.js';
import { pagesOf } from '../../client/paging/pages.js';
import { PrefetchQueue } from '../../client/paging/prefetch.js';
import { ReportWriter } from '../../client/paging/report.js';
import { asObject, isObject, type Json, type JsonObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { readRecord, recordId } from '../../service/records/record.js';
import type { QueryParameters } from '../../service/search/search.js';
import { parsedRecord, readPage } from '../json/page-records.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages, TryRead } from './record-source.js';

export interface IdListOptions {
  readonly client: Client;
  readonly kind: Kind;
  /** The ids in the order of the list, in batches of one request each. */
  readonly batches: readonly (readonly string[])[];
  /** The query parameters that ask for a batch, without those of paging. */
  readonly query: (ids: readonly string[]) => QueryParameters;
  /** Most requests at once. Default 6. */
  readonly concurrency?: number | undefined;
}

/** Batches in a row that must fail before the rest is given up. */
const ENOUGH = 3;

/** What stands for the list in a `Job`. */
export function idListSpec(batches: IdListOptions['batches']): Readonly<Record<string, Json>> {
  const ids = batches.flat();
  return { ids: ids.length, idsSha256: createHash('sha256').update(JSON.stringify(ids)).digest('hex') };
}

/** The records of a list of ids; ids without a record are in `notFound`. A batch that cannot be had leaves a gap. */
export function idListSource(options: IdListOptions): RecordSource {
  return {
    pages<R extends Identified>(tryRead: TryRead<R>, start: ResumePoint): SourcePages<R> {
      const report = new ReportWriter(Math.max(1, ...options.batches.map((batch) => batch.length)));
      const notFound: string[] = [];
      return {
        report,
        notFound: () => notFound,
        [Symbol.asyncIterator]: () => walk(options, tryRead, start, report, notFound),
      };
    },
  };
}

interface Batch<R> {
  readonly ids: readonly string[];
  /** Place of the first id in the list. */
  readonly offset: number;
  readonly records: readonly R[];
  /** In step with the records. */
  readonly raws: readonly JsonObject[];
  readonly retries: number;
  readonly elapsed: number;
}

async function* walk<R extends Identified>(
  { client, kind, batches, query, concurrency = DEFAULT_CONCURRENCY }: IdListOptions,
  tryRead: TryRead<R>,
  { offset: from = 0, seen, signal }: ResumePoint,
  report: ReportWriter,
  notFound: string[],
): AsyncGenerator<SourcePage<R>> {
  const total = batches.reduce((sum, batch) => sum + batch.length, 0);
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const plans = batchesFrom(batches, from);
  const begun: (typeof plans)[number][] = [];
  const window = new PrefetchQueue<Batch<R>>({
    concurrency,
    depth: concurrency * PREFETCH_PER_REQUEST,
    next: () => {
      const plan = plans.shift();
      if (!plan) return undefined;
      begun.push(plan);
      return fetchBatch(client, kind, { ...plan, query: query(plan.ids) }, tryRead, both);
    },
  });
  let failed = 0;
  let ending: 'complete' | 'failed' = 'failed';
  try {
    for (;;) {
      const outcome = await window.take();
      signal?.throwIfAborted();
      const plan = begun.shift();
      if (!outcome || !plan) break;
      if (!('value' in outcome)) {
        const { error } = outcome;
        if (!(error instanceof HttpError) || error.kind !== 'deployment' || ++failed >= ENOUGH) throw error;
        report.gaps.push({ offset: plan.offset, limit: plan.ids.length, error });
        continue;
      }
      failed = 0;
      const { ids, offset, retries, elapsed, ...came } = outcome.value;
      const { ordered, missing, strangers } = inOrder(ids, came);
      if (strangers === 0) notFound.push(...missing);
      else if (missing.length > strangers) {
        report.notice(
          'thin-page',
          `${missing.length - strangers} ids were not found, but records do not show which (first among ids ${offset + 1} to ${offset + ids.length})`,
        );
      }
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
      yield { offset, records, received, total, retries, elapsed, next: offset + ids.length };
    }
    const [gap] = report.gaps;
    // Where nothing came at all, what kept it from coming is the news, not the gap.
    if (gap?.error && report.pages.length === 0) throw gap.error;
    ending = 'complete';
  } finally {
    stop.abort(new Error('the walk is over'));
    await window.stop();
    report.stopReason = ending;
  }
}

function batchesFrom(batches: IdListOptions['batches'], from: number) {
  let offset = 0;
  return batches.flatMap((ids) => {
    const batch = { ids, offset };
    offset += ids.length;
    return batch.offset >= from ? [batch] : [];
  });
}

/** All records of a batch, with what they say. */
async function fetchBatch<R extends Identified>(
  client: Client,
  kind: Kind,
  { ids, offset, query }: Pick<Batch<R>, 'ids' | 'offset'> & { readonly query: QueryParameters },
  tryRead: TryRead<R>,
  signal: AbortSignal,
): Promise<Batch<R>> {
  const raws = new Map<R, JsonObject>();
  const read = ({ bytes }: Answer, at: number): Listed<R> | undefined => {
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

/** The records in the order of their ids; those that show none of the ids come last. */
function inOrder<R>(ids: readonly string[], { records, raws }: Pick<Batch<R>, 'records' | 'raws'>) {
  const places = new Map(ids.map((id, place) => [id, place]));
  const found = new Set<number>();
  let strangers = 0;
  const placed = records.map((record, n) => {
    const place = placeOf(raws[n] ?? {}, places);
    if (place === undefined) strangers++;
    else found.add(place);
    return { record, place: place ?? ids.length };
  });
  placed.sort((one, other) => one.place - other.place);
  return {
    ordered: placed.map(({ record }) => record),
    missing: ids.filter((_, place) => !found.has(place)),
    strangers,
  };
}

function placeOf(raw: JsonObject, places: ReadonlyMap<string, number>): number | undefined {
  const own = places.get(recordId(raw));
  if (own !== undefined || !isObject(raw)) return own;
  for (const values of readRecord(raw).fields.values()) {
    for (const { value } of values) {
      const place = places.get(value);
      if (place !== undefined) return place;
    }
  }
  return undefined;
}
