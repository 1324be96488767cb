/** What an export reads: pages of records and a report of them. */
import type { Page } from '../../client/paging/options.js';
import type { Identified, Listed } from '../../client/paging/page.js';
import type { PagingReport } from '../../client/paging/report.js';
import type { SeenIds } from '../../client/paging/seen-ids.js';
import type { PageRecord } from '../json/page-records.js';
import type { Drift } from './drift.js';
import type { SlicePlan } from './slices/plan.js';

export interface ResumePoint {
  readonly offset: number | undefined;
  /** Of earlier runs: records, their ids, and duplicates dropped. */
  readonly delivered: number;
  readonly duplicates: number;
  readonly drift: readonly Drift[];
  readonly seen: SeenIds;
  /** The plan that earlier runs followed. */
  readonly plan?: SlicePlan | undefined;
  readonly signal: AbortSignal | undefined;
  /** Sees each page that was read, with the bytes of the response. */
  readonly watch?: ((bytes: Buffer, offset: number, list: Listed<Identified>) => void) | undefined;
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

export interface RecordSource {
  pages(start: ResumePoint): SourcePages;
}
