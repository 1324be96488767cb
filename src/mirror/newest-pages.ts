/** Reads pages of records sorted by a field, the newest first. Checks the order, because a service may ignore `sort`. */
import { DEFAULT_PAGE_SIZE } from '../client/defaults.js';
import { HttpError } from '../client/errors/http-error.js';
import type { HttpRequest, HttpResponse } from '../client/http-request.js';
import { parseJsonResponse } from '../client/read-json.js';
import { createJsonRecord, type SnapshotRecord } from '../diff/snapshot-record.js';
import { type PageRecords, parsePageRecord, readLines, readPage } from '../records/json/page-records.js';
import { asObject } from '../service/json.js';
import { pagingParameters, type QueryParameters } from '../service/search/record-search.js';
import type { KindReading } from './sync-options.js';

export interface NewestRecord {
  readonly record: SnapshotRecord;
  /** A copy of the bytes of the record, without line breaks. */
  readonly line: Buffer;
  /** The first value of the field by which the page is sorted; `''` if the record has no value. */
  readonly value: string;
}

interface NewestPage {
  readonly records: readonly NewestRecord[];
  readonly total: number | undefined;
}

/** Thrown if the deployment does not sort by the field, or returns no records. */
export class NotSortedError extends Error {}

/** Thrown if records moved from one page to another while opac read the pages. */
export class MovedError extends Error {}

export class NewestPages {
  readonly #reading: KindReading;
  readonly #field: string;
  readonly #first: NewestPage;

  private constructor(reading: KindReading, field: string, first: NewestPage) {
    this.#reading = reading;
    this.#field = field;
    this.#first = first;
  }

  /** Throws a NotSortedError if the deployment does not sort by the field, or if the list is empty and `mayBeEmpty` is false. */
  static async open(reading: KindReading, field: string, mayBeEmpty: boolean): Promise<NewestPages> {
    const first = await fetchPage(reading, field, 0, mayBeEmpty);
    const { records, total } = first;
    const [newest] = records;
    assertDescending(records);
    if (newest && records.every(({ value }) => value === '')) throw new NotSortedError();
    if (newest && total !== 1 && (await fetchOldestId(reading, field)) === newest.record.id)
      throw new NotSortedError();
    return new NewestPages(reading, field, first);
  }

  /** The last value on the first page. Records that are edited after the start of this run get this value or a higher value. */
  get newest(): string {
    return this.#first.records.at(-1)?.value ?? '';
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly NewestRecord[]> {
    const { total, records: first } = this.#first;
    yield first;
    let last = first.at(-1);
    let offset = first.length - 1;
    // Does not read pages in advance, because the caller may stop. Each page begins with the last record of the previous page.
    while (last && (total === undefined || offset + 1 < total)) {
      const page = await fetchPage(this.#reading, this.#field, offset, false);
      const [overlap, ...records] = page.records;
      if (overlap?.record.id !== last.record.id || page.total !== total) throw new MovedError();
      if (records.length === 0 && total !== undefined) throw new NotSortedError();
      assertDescending(page.records);
      yield records;
      offset += records.length;
      last = records.at(-1);
    }
  }
}

const { compare: compareByLocale } = new Intl.Collator('en');

/** Whether `one` is certainly lower than `other`. The API documentation defines no order, so all usual orders must agree. */
export function isBelow(one: string, other: string): boolean {
  if (one === '' || other === '') return one < other;
  const isNotNumber = Number.isNaN(Number(one) - Number(other));
  return one < other && compareByLocale(one, other) < 0 && (isNotNumber || Number(one) < Number(other));
}

function assertDescending(records: readonly NewestRecord[]): void {
  for (const [n, { value }] of records.entries())
    if (isBelow(records[n - 1]?.value ?? value, value)) throw new NotSortedError();
}

function createQuery({ source }: KindReading, field: string, direction: 'asc' | 'desc'): QueryParameters {
  return [...source.search.query, ['sort', field], ['direction', direction]];
}

async function fetchOldestId(reading: KindReading, field: string): Promise<string | undefined> {
  const { kind, source, signal } = reading;
  const sorted = createQuery(reading, field, 'asc').filter(([name]) => name !== 'view');
  const query = [...sorted, ...pagingParameters(1, 0)];
  const { bytes } = await source.search.client.fetch(`${kind}.search`, { query, signal });
  return readPage(bytes, kind, 0)?.records[0]?.id;
}

async function fetchPage(
  reading: KindReading,
  field: string,
  offset: number,
  mayBeEmpty: boolean,
): Promise<NewestPage> {
  const { kind, source, notUtf8, signal } = reading;
  const { client } = source.search;
  const query = [...createQuery(reading, field, 'desc'), ...pagingParameters(DEFAULT_PAGE_SIZE, offset)];
  const decode = (response: HttpResponse, request: HttpRequest): PageRecords => {
    const page = readLines(response.bytes, kind, offset);
    if (page && (page.records.length > 0 || mayBeEmpty)) {
      notUtf8.addPage(response.bytes, offset, page);
      return page;
    }
    parseJsonResponse(request, response, { baseUrl: client.baseUrl });
    const message = 'the response contains no records';
    const error = { kind: 'deployment', code: 'unexpected-response', retry: 'always', message } as const;
    throw new HttpError({ ...error, request, response });
  };
  const { value: page } = await client.fetch(`${kind}.search`, { query, signal, decode }).catch((error) => {
    if (error instanceof HttpError && error.code === 'unexpected-response') throw new NotSortedError();
    throw error;
  });
  const records = page.records.map((each): NewestRecord => {
    const line = Buffer.from(each.bytes.subarray(each.start, each.end));
    const record = createJsonRecord(asObject(parsePageRecord(each)), kind, line);
    return { record, line, value: record.values(field)?.[0] ?? '' };
  });
  return { records, total: page.total };
}
