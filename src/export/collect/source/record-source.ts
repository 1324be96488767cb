/** The source of an export: returns pages of records, and a report. */
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
  /** Undefined for a new run. */
  readonly offset: number | undefined;
  /** The number of records that earlier runs saved. */
  readonly delivered: number;
  /** The ids of the records that earlier runs saved. The source adds the ids that it reads. */
  readonly seen: SeenIds;
  /** The slices of the earlier runs (slices/slice-plan.ts). */
  readonly plan?: SlicePlan | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onPageRead?: ((bytes: Buffer, offset: number, list: ListResult<HasId>) => void) | undefined;
}

/** A page of records. The JSON of each record is one line. */
export interface SourcePage extends Page<PageRecord> {
  /** The offset from which to resume after this page is saved. */
  readonly next: number;
}

export interface SourcePages extends AsyncIterable<SourcePage> {
  readonly report: PagingReport;
  /** For a list of ids or values: returns the list entries that have no record. */
  readonly notFound?: () => readonly string[];
  /** Returns the slices of the search; undefined if the search has no slices, or if they are not planned yet. */
  readonly plan?: () => SlicePlan | undefined;
}

export interface ResultSearch extends Pick<PagingOptions, 'offset' | 'limit' | 'concurrency'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: QueryParameters;
  /** If set, opac lists the ids of these searches instead of `query`. The sort order and the view are still those of `query`. */
  readonly queries?: readonly QueryParameters[] | undefined;
  readonly part?: Part | undefined;
}

export interface RecordSource {
  /** The search that finds the records; absent if opac cannot list their ids, as for a list of ids or for files. */
  readonly search?: ResultSearch | undefined;
  /** Whether to export a record of the search; absent to export all records. */
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  pages(start: ResumePoint): SourcePages;
}
