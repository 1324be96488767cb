/** The source of an export: pages of records, and a report. */
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
  /** The offset from which a run resumes; undefined for a new run. */
  readonly offset: number | undefined;
  /** The number of records that earlier runs saved. */
  readonly delivered: number;
  /** Contains the ids of saved records. The source adds the ids that it reads. */
  readonly seen: SeenIds;
  readonly plan?: SlicePlan | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onPageRead?: ((bytes: Buffer, offset: number, list: ListResult<HasId>) => void) | undefined;
}

/** The JSON of each record is one line. */
export interface SourcePage extends Page<PageRecord> {
  /** The offset from which to resume after this page is saved. */
  readonly next: number;
}

export interface SourcePages extends AsyncIterable<SourcePage> {
  readonly report: PagingReport;
  /** Returns the entries of an id list that have no record. */
  readonly notFound?: () => readonly string[];
  /** Returns undefined before the plan exists. */
  readonly plan?: () => SlicePlan | undefined;
}

export interface ResultSearch extends Pick<PagingOptions, 'offset' | 'limit' | 'concurrency'> {
  readonly client: Client;
  readonly kind: Kind;
  readonly query: QueryParameters;
  /** If present, opac lists the ids of these searches, sorted as in `query`, instead of the ids of `query`. */
  readonly queries?: readonly QueryParameters[] | undefined;
  readonly part?: Part | undefined;
}

export interface RecordSource {
  /** Absent if opac cannot list the ids of the records. */
  readonly search?: ResultSearch | undefined;
  /** Absent if the export contains all records of the source. */
  readonly isWanted?: ((record: PageRecord) => boolean) | undefined;
  pages(start: ResumePoint): SourcePages;
}
