/** What an export reads: pages of records and a report of them. */
import type { Client } from '../../../client/client.js';
import type { HasId, ListResult } from '../../../client/paging/fetch-page.js';
import type { Page, PagingOptions } from '../../../client/paging/paging-options.js';
import type { PagingReport } from '../../../client/paging/paging-report.js';
import type { SeenIds } from '../../../client/paging/seen-ids.js';
import type { PageRecord } from '../../../records/json/page-records.js';
import type { Kind } from '../../../service/kinds.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import type { Part, SlicePlan } from './slices/slice-plan.js';

export interface ResumePoint {
  readonly offset: number | undefined;
  /** Of earlier runs: records, and their ids. */
  readonly delivered: number;
  readonly seen: SeenIds;
  /** The plan that earlier runs followed. */
  readonly plan?: SlicePlan | undefined;
  readonly signal: AbortSignal | undefined;
  /** Sees each page that was read, with the bytes of the response. */
  readonly onPageRead?: ((bytes: Buffer, offset: number, list: ListResult<HasId>) => void) | undefined;
}

/** Each record is on one line. */
export interface SourcePage extends Page<PageRecord> {
  /** Where to resume once this page is saved. */
  readonly next: number;
}

export interface SourcePages extends AsyncIterable<SourcePage> {
  readonly report: PagingReport;
  readonly notFound?: () => readonly string[];
  /** How the search was sliced; undefined for one that was not, and before that is known. */
  readonly plan?: () => SlicePlan | undefined;
}

/** A search, as its result is listed again. */
export interface ResultSearch extends Pick<PagingOptions, 'offset' | 'limit' | 'concurrency'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: QueryParameters;
  /** Searches that have the records together, in place of `query`, which has their order and view. */
  readonly queries?: readonly QueryParameters[] | undefined;
  readonly part?: Part | undefined;
}

export interface RecordSource {
  /** The search whose result it is; absent for records whose ids are given. */
  readonly search?: ResultSearch | undefined;
  /** Whether a record of the search is exported; absent where all are. */
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  pages(start: ResumePoint): SourcePages;
}
