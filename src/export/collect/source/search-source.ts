/** Reads the pages of a search for an export. */
import type { Client } from '../../../client/client.js';
import type { HttpRequest } from '../../../client/http-request.js';
import { paginateEndpoint } from '../../../client/paging/pages.js';
import type { Paging } from '../../../client/paging/paginate.js';
import type { PagingOptions } from '../../../client/paging/paging-options.js';
import { type PageRecord, readLines } from '../../../records/json/page-records.js';
import type { Kind } from '../../../service/kinds.js';
import type { RecordSource, ResumePoint, SourcePage, SourcePages } from './record-source.js';

export interface SearchOptions
  extends Pick<PagingOptions, 'pageSize' | 'offset' | 'limit' | 'concurrency' | 'window' | 'onTotal'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: NonNullable<HttpRequest['query']>;
}

/** A failed page is a gap in the report. opac may miss a record that changes pages, but verify/check-ids.ts can find it. */
export function createSearchSource(options: SearchOptions): RecordSource {
  return {
    search: options,
    pages(from) {
      const { limit } = options;
      return readSearch(options, from, {
        onTotal: options.onTotal,
        seen: from.seen,
        offset: from.offset ?? options.offset ?? 0,
        limit: limit === undefined ? undefined : limit - from.delivered,
      });
    },
  };
}

export function readSearch(
  { client, kind, query, concurrency, pageSize, window }: SearchOptions,
  { signal, onPageRead }: ResumePoint,
  options: PagingOptions,
): SourcePages {
  const pages = paginateEndpoint<PageRecord>(
    client,
    `${kind}.search`,
    { query },
    {
      concurrency,
      pageSize,
      window,
      ...options,
      signal,
      onPageError: 'gap',
      read: ({ bytes }, at) => readLines(bytes, kind, at),
      onPageRead,
    },
  );
  return { report: pages.report, [Symbol.asyncIterator]: () => addNextOffset(pages) };
}

async function* addNextOffset(paging: Paging<PageRecord>): AsyncGenerator<SourcePage> {
  let first = true;
  for await (const page of paging) {
    // If the first page is short, the second page begins directly after it. Later pages are one page size apart, even if short.
    const step = first ? page.received : Math.max(page.received, paging.report.pageSize);
    first = false;
    yield { ...page, next: page.offset + step };
  }
}
