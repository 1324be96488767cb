/** Reads the pages of list endpoints. */
import { assertIntegers } from '../../service/assert-options.js';
import { getEndpoint, type ListEndpointId } from '../../service/endpoints/catalogue.js';
import { type ItemType, isServiceItem, SERVICE_ITEMS } from '../../service/endpoints/items.js';
import { UsageError } from '../../service/errors.js';
import { asText, isObject, type Json, type JsonObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { readRecordId } from '../../service/records/record.js';
import { readRecordKey } from '../../service/records/record-key.js';
import { pagingParameters } from '../../service/search/record-search.js';
import type { Client, RequestOptions } from '../client.js';
import { HttpError } from '../errors/http-error.js';
import type { HttpRequest, HttpResponse } from '../http-request.js';
import { parseJsonResponse } from '../read-json.js';
import type { FetchPage, HasId, ListResult } from './fetch-page.js';
import { type Paging, paginate } from './paginate.js';
import type { PagingOptions } from './paging-options.js';
import { readList, readRecords } from './read-list.js';

/** An item of a list, as the service sent it. */
export interface ListedRecord extends HasId {
  readonly record: Json;
}

type ReadPage<R> = (response: HttpResponse, offset: number) => ListResult<R> | undefined;

interface PagesOptions<R extends HasId> extends PagingOptions {
  /** Reads a page without parsing all of it. Returns undefined if the response is not a list. */
  readonly read?: ReadPage<R> | undefined;
  readonly onPageRead?: ((bytes: Buffer, offset: number, list: ListResult<HasId>) => void) | undefined;
}

/** Throws a UsageError for invalid options. Reading the pages throws the errors of `paginate`. */
export function paginateEndpoint(
  client: Client,
  endpointId: ListEndpointId,
  requestOptions?: RequestOptions,
  options?: Omit<PagesOptions<ListedRecord>, 'read'>,
): Paging<ListedRecord>;
export function paginateEndpoint<R extends HasId>(
  client: Client,
  endpointId: ListEndpointId,
  requestOptions: RequestOptions,
  options: PagesOptions<R> & { readonly read: ReadPage<R> },
): Paging<R>;
export function paginateEndpoint<R extends HasId>(
  client: Client,
  endpointId: ListEndpointId,
  requestOptions: RequestOptions = {},
  options: PagesOptions<R> = {},
): Paging<R | ListedRecord> {
  const {
    read = createJsonPageReader(endpointId),
    onPageRead,
    offset,
    limit,
    pageSize,
    concurrency,
    window,
  } = options;
  assertIntegers(0, { offset, limit, window });
  assertIntegers(1, { pageSize, concurrency });
  const readPage: ReadPage<R | ListedRecord> = (response, offset) => {
    const list = read(response, offset);
    if (list) onPageRead?.(response.bytes, offset, list);
    return list;
  };
  const fetchPage = createPageFetcher(client, endpointId, requestOptions, readPage);
  return paginate(fetchPage, { signal: requestOptions.signal, ...options });
}

/** Requests the total with `limit=0`. Returns undefined if the service sends no total. */
export async function fetchTotal(
  client: Client,
  endpointId: ListEndpointId,
  options: RequestOptions = {},
): Promise<number | undefined> {
  const fetchPage = createPageFetcher(client, endpointId, options, createJsonPageReader(endpointId));
  const { value } = await fetchPage(0, 0, options.signal ?? new AbortController().signal);
  return value.total;
}

/** The returned function retries if the response is not a list. If no retry returns a list, it throws an HttpError. */
export function createPageFetcher<R>(
  client: Client,
  endpointId: ListEndpointId,
  options: RequestOptions,
  readPage: ReadPage<R>,
): FetchPage<R> {
  return (offset, limit, signal) => {
    const query = [...(options.query ?? []), ...pagingParameters(limit, offset)];
    const decode = (response: HttpResponse, request: HttpRequest): ListResult<R> => {
      const list = readPage(response, offset);
      if (!list) throw createNotAListError(client, request, response);
      return list;
    };
    return client.fetch(endpointId, { ...options, query, signal, decode });
  };
}

function createNotAListError({ baseUrl }: Client, request: HttpRequest, response: HttpResponse): HttpError {
  const value = parseJsonResponse(request, response, { baseUrl });
  const keys = Object.keys(value)
    .slice(0, 5)
    .map((key) => `"${key.slice(0, 40)}"`);
  return new HttpError({
    kind: 'deployment',
    code: 'unexpected-response',
    request,
    response,
    message: `the response is not a list of records: ${keys.length > 0 ? `it contains ${keys.join(', ')}` : 'it is empty'}`,
    hint: `check that ${baseUrl} is the right base URL`,
    retry: 'always',
  });
}

function createJsonPageReader(endpointId: ListEndpointId): ReadPage<ListedRecord> {
  const shape = getEndpoint(endpointId).response;
  if (shape.shape !== 'list') throw new UsageError(`${endpointId} does not respond with a list`);
  const read = isServiceItem(shape.item) ? readList : readRecords;
  const readId = createIdReader(shape.item);
  return ({ bytes }, offset) => {
    const list = read(tryParseJson(bytes), shape, offset);
    const records = list?.records.map((record) => ({
      record,
      id: isObject(record) ? readId(record) : undefined,
    }));
    return list && records && { total: list.total, records };
  };
}

function createIdReader(item: ItemType): (item: JsonObject) => string | undefined {
  if (isServiceItem(item)) {
    const { uniqueKey } = SERVICE_ITEMS[item];
    return uniqueKey === undefined ? () => undefined : (object) => asText(object[uniqueKey]) || undefined;
  }
  return (record) =>
    item === 'record' ? readRecordKey(record, 'records') : readRecordId(record) || undefined;
}
