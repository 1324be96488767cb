/** Reads the pages of a list endpoint, and finds out whether records are missing. */
import { setImmediate } from 'node:timers/promises';
import type { HttpResponse } from '../../../client/http-request.js';
import type { ListResult } from '../../../client/paging/fetch-page.js';
import { findIncompleteError } from '../../../client/paging/incomplete-error.js';
import { type ListedRecord, paginateEndpoint } from '../../../client/paging/pages.js';
import { formatWithoutFields } from '../../../export/verify/completeness.js';
import {
  formatInvalidUtf8,
  type InvalidUtf8,
  InvalidUtf8Counter,
} from '../../../records/json/invalid-utf8.js';
import { keepLine } from '../../../records/json/item-bytes.js';
import { isStubOrUnreadable, parsePageRecord, readLines } from '../../../records/json/page-records.js';
import type { ListEndpointId } from '../../../service/endpoints/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { asObject, type Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { readRecord } from '../../../service/records/record.js';
import { createFilterCheck, formatExcluded } from '../../../service/search/filter-check.js';
import { isDetailView, type QueryParameters } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import type { ItemsResult } from '../../description/result.js';
import type { PagingInput } from '../../options/search.js';

export interface SearchPages extends Pick<ItemsResult, 'pages' | 'total' | 'failure'> {
  /** Returns an error if the pages so far do not match the user's list of ids or values, for example if an id was not found. */
  readonly missing?: () => OpacError | undefined;
  /** Returns true if `missing` may be incomplete, because some records do not show which entry of the list they match. */
  readonly isMissingUnknown?: () => boolean;
  /** Returns an error if the pages so far contain records that do not match a filter of the search. */
  readonly excluded?: () => OpacError | undefined;
  readonly notUtf8?: () => InvalidUtf8;
}

/** The endpoint must support limit and offset. Reading the pages sends the requests and throws their errors. */
export async function fetchEndpointPages(
  context: Context,
  endpointId: ListEndpointId,
  query: QueryParameters,
  paging: PagingInput,
): Promise<SearchPages> {
  const client = await context.client();
  const kind = KINDS.find((each) => endpointId === `${each}.search`);
  const notUtf8 = kind && new InvalidUtf8Counter(kind);
  const options = {
    ...paging,
    concurrency: context.globalOptions.concurrency,
    onPageRead: notUtf8?.addPage.bind(notUtf8),
  };
  const ask = { query, signal: context.signal };
  const withoutFields = new WeakSet<object>();
  const isDetailed = isDetailView(query);
  const isExcluded = kind && createFilterCheck(query);
  const counts = { records: 0, withoutFields: 0, excluded: 0 };
  const paginator = kind
    ? paginateEndpoint<ListedRecord>(client, endpointId, ask, {
        ...options,
        read: createRecordReader(kind, isDetailed, withoutFields),
      })
    : paginateEndpoint(client, endpointId, ask, options);
  const { report } = paginator;
  async function* pages(): AsyncGenerator<readonly Json[]> {
    for await (const page of paginator) {
      // With `--from`, opac reads pages without waiting. This pause lets a signal or a deadline end the command.
      await setImmediate();
      context.signal.throwIfAborted();
      counts.records += page.records.length;
      counts.withoutFields += page.records.filter(({ record }) => withoutFields.has(asObject(record))).length;
      if (isExcluded)
        counts.excluded += page.records.filter(({ record }) => isExcluded(readRecord(record, kind))).length;
      yield page.records.map(({ record }) => record);
    }
    for (const { kind: notice, message } of report.notices)
      if (notice === 'end-refused' || (kind && notice === 'no-total')) context.warn(message);
      else context.noteVerbose(message);
    if (kind && report.withoutId > 0)
      context.warn(`${formatCount(report.withoutId, 'record')} without an id`);
    // opac warns only if the search uses the view `detail`, because records in other views may have no fields.
    if (isDetailed && counts.withoutFields > 0)
      context.warn(formatWithoutFields(counts.withoutFields, counts.records));
  }
  return {
    pages: pages(),
    total: () => report.lastTotal,
    failure: () => findIncompleteError(report),
    ...(notUtf8 && { notUtf8: () => notUtf8.counts }),
    excluded: () => {
      const message = formatExcluded(counts.excluded, counts.records);
      return counts.excluded > 0 ? new OpacError('incomplete', message) : undefined;
    },
  };
}

/**
 * Keeps the bytes of records, to print the records unchanged. Fills `withoutFields` with the records that lack fields or images,
 * or that have unreadable parts.
 */
function createRecordReader(kind: Kind, isDetailed: boolean, withoutFields: WeakSet<object>) {
  return ({ bytes }: HttpResponse, offset: number): ListResult<ListedRecord> | undefined => {
    const page = readLines(bytes, kind, offset);
    return (
      page && {
        total: page.total,
        records: page.records.map((each) => {
          const record = asObject(parsePageRecord(each));
          if (isStubOrUnreadable(each, isDetailed)) withoutFields.add(record);
          keepLine(record, each.bytes.subarray(each.start, each.end));
          return { id: each.id, record };
        }),
      }
    );
  };
}

/** Call this function after the last page. Prints warnings; with `strict`, returns an error for them instead. */
export function findFailure(
  { failure, missing, excluded, notUtf8 }: SearchPages,
  context: Context,
  strict = false,
): OpacError | undefined {
  const risks = [missing?.(), excluded?.()].filter((each) => each !== undefined);
  if (!strict) for (const { message } of risks) context.warn(message);
  const damaged = notUtf8?.();
  if (!strict) warnNotUtf8(damaged, context);
  const text = damaged && damaged.records > 0 ? formatInvalidUtf8(damaged) : undefined;
  const strictFailure = risks[0] ?? (text ? new OpacError('incomplete', text) : undefined);
  return failure?.() ?? (strict ? strictFailure : undefined);
}

export function warnNotUtf8(damaged: InvalidUtf8 | undefined, { warn }: Context): void {
  if (damaged && damaged.records > 0) warn(formatInvalidUtf8(damaged));
}
