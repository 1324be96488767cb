/**
 * Pages of records with the newest first. Unknown parameters are silently ignored (FIELD-NOTES.md "Requests"), so the order is
 * never taken for granted.
 */
import { DEFAULT_PAGE_SIZE } from '../client/defaults.js';
import { HttpError } from '../client/errors/http-error.js';
import { readJson } from '../client/errors/response-errors.js';
import type { HttpResponse, Request } from '../client/exchange.js';
import { jsonRecord, type SnapshotRecord } from '../diff/snapshot-record.js';
import { type PageRecords, parsedRecord, readPage } from '../records/json/page-records.js';
import { asObject } from '../service/json.js';
import { pagingParameters, type QueryParameters } from '../service/search/search.js';
import { lineOf } from './fetch-records.js';
import type { KindReading } from './mirror-search.js';
import { SortOrder } from './sort-order.js';

export interface NewestRecord {
  readonly record: SnapshotRecord;
  readonly line: Buffer;
  readonly value: string;
}

interface NewestPage {
  readonly records: readonly NewestRecord[];
  readonly total: number | undefined;
}

/** The deployment does not sort by the field, or gives no records when it should. */
export class NotSortedError extends Error {}

/** Records moved between two pages. */
export class MovedError extends Error {}

export class NewestPages {
  readonly #reading: KindReading;
  readonly #field: string;
  readonly #order = new SortOrder();
  readonly #first: NewestPage;
  /** The oldest value of the first page, as read before anything else: every later edit has a value equal to it or above. */
  readonly newest: string;

  private constructor(reading: KindReading, field: string, first: NewestPage) {
    this.#reading = reading;
    this.#field = field;
    this.#first = first;
    this.#take(first.records);
    this.newest = first.records.at(-1)?.value ?? '';
  }

  /** Reads the first page; `mayBeEmpty` where no record is known. Throws a NotSortedError, and the error of a request. */
  static async open(reading: KindReading, field: string, mayBeEmpty: boolean): Promise<NewestPages> {
    const first = await readNewest(reading, field, 0, mayBeEmpty);
    const { total, records } = first;
    const pages = new NewestPages(reading, field, first);
    if (records.length > 0 && records.every(({ value }) => value === '')) throw new NotSortedError();
    if (total !== 1 && records.length > 0 && (await oldestId(reading, field)) === records[0]?.record.id)
      throw new NotSortedError();
    return pages;
  }

  /** Whether a value is certainly older than another. */
  isOlder(value: string, other: string): boolean {
    return this.#order.isBefore(value, other);
  }

  /** Throws a NotSortedError, a MovedError, and the errors of requests. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly NewestRecord[]> {
    const { total, records: first } = this.#first;
    yield first;
    let last = first.at(-1);
    let offset = first.length - 1;
    // One page after the other and none ahead, as any may be the last that is needed; each begins with the last record before.
    while (last && (total === undefined || offset + 1 < total)) {
      const page = await readNewest(this.#reading, this.#field, offset, false);
      const [overlap, ...records] = page.records;
      if (overlap?.record.id !== last.record.id || page.total !== total) throw new MovedError();
      if (records.length === 0 && total !== undefined) throw new NotSortedError();
      this.#take(records);
      yield records;
      last = records.at(-1);
      offset += records.length;
    }
  }

  #take(records: readonly NewestRecord[]): void {
    for (const { value } of records) if (!this.#order.take(value)) throw new NotSortedError();
  }
}

function sortedBy({ search }: KindReading, field: string, direction: 'asc' | 'desc'): QueryParameters {
  return [...search.query([]), ['sort', field], ['direction', direction]];
}

async function oldestId(reading: KindReading, field: string): Promise<string | undefined> {
  const { client, kind, signal } = reading;
  const bare = sortedBy(reading, field, 'asc').filter(([name]) => name !== 'view');
  const query = [...bare, ...pagingParameters(1, 0)];
  const { bytes } = await client.fetch(`${kind}.search`, { query, signal });
  return readPage(bytes, kind, 0)?.records[0]?.id;
}

async function readNewest(
  reading: KindReading,
  field: string,
  offset: number,
  mayBeEmpty: boolean,
): Promise<NewestPage> {
  const { client, kind, signal } = reading;
  const query = [...sortedBy(reading, field, 'desc'), ...pagingParameters(DEFAULT_PAGE_SIZE, offset)];
  const decode = (response: HttpResponse, request: Request): PageRecords => {
    const page = readPage(response.bytes, kind, offset);
    if (page && (page.records.length > 0 || mayBeEmpty)) return page;
    readJson(request, response, { baseUrl: client.baseUrl });
    throw new HttpError({
      kind: 'deployment',
      code: 'unexpected-response',
      request,
      response,
      message: 'the response has no records',
      retry: 'always',
    });
  };
  const { value: page } = await client.fetch(`${kind}.search`, { query, signal, decode }).catch((error) => {
    if (error instanceof HttpError && error.code === 'unexpected-response') throw new NotSortedError();
    throw error;
  });
  const records = page.records.map((each): NewestRecord => {
    const line = lineOf(each.bytes.subarray(each.start, each.end));
    const record = jsonRecord(asObject(parsedRecord(each)), kind, line);
    return { record, line, value: record.values(field)?.[0] ?? '' };
  });
  return { records, total: page.total };
}
