/** What an export reads from: pages of records from a start on, with a report of them. */
import type { Page } from '../../client/paging/options.js';
import type { Identified, Listed } from '../../client/paging/page.js';
import type { PagingReport } from '../../client/paging/report.js';
import type { SeenIds } from '../../client/paging/seen-ids.js';
import type { Drift } from './drift.js';

/** Where and after what a run begins. */
export interface ResumePoint {
  readonly offset: number | undefined;
  /** Records that earlier runs have got, their ids, and repeats that they dropped. */
  readonly delivered: number;
  readonly duplicates: number;
  readonly drift: readonly Drift[];
  readonly seen: SeenIds;
  readonly signal: AbortSignal | undefined;
}

/** Reads a response; undefined for what is no list of records. */
export type TryRead<R> = (bytes: Buffer, offset: number) => Listed<R> | undefined;

export interface SourcePage<R> extends Page<R> {
  /** The offset to resume from when this page is safe. */
  readonly next: number;
}

export interface SourcePages<R> extends AsyncIterable<SourcePage<R>> {
  readonly report: PagingReport;
  readonly notFound?: () => readonly string[];
}

export interface RecordSource {
  pages<R extends Identified>(read: TryRead<R>, start: ResumePoint): SourcePages<R>;
}
