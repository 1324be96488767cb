/** The input of an export: pages of records, and a report. */
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
  /** The number of records that earlier runs saved. */
  readonly delivered: number;
  /** The ids of these records. */
  readonly seen: SeenIds;
  readonly plan?: SlicePlan | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onPageRead?: ((bytes: Buffer, offset: number, list: ListResult<HasId>) => void) | undefined;
}

/** The JSON of each record has no line breaks. */
export interface SourcePage extends Page<PageRecord> {
  /** The offset from which to resume after this page is saved. */
  readonly next: number;
}

export interface SourcePages extends AsyncIterable<SourcePage> {
  readonly report: PagingReport;
  readonly notFound?: () => readonly string[];
  /** The slices of the search; undefined if it has no slices, or as long as they are not planned. */
  readonly plan?: () => SlicePlan | undefined;
}

export interface ResultSearch extends Pick<PagingOptions, 'offset' | 'limit' | 'concurrency'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: QueryParameters;
  /** If set, these searches replace `query`, of which only the order and the view are used. */
  readonly queries?: readonly QueryParameters[] | undefined;
  readonly part?: Part | undefined;
}

export interface RecordSource {
  /** The search that found the records; absent for an id list. */
  readonly search?: ResultSearch | undefined;
  /** Whether a record of the search is exported; absent if all are. */
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  pages(start: ResumePoint): SourcePages;
}
