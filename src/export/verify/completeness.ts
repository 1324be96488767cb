/** Decides whether an export is complete, and describes problems. */
import type { Gap, PagingNoticeKind, StopReason } from '../../client/paging/paging-report.js';
import { formatInvalidUtf8 } from '../../records/json/invalid-utf8.js';
import { formatCount, formatList, formatNumber, formatRecordRange } from '../../service/format-numbers.js';
import { formatExcluded } from '../../service/search/filter-check.js';
import type { RunResult } from '../collect/export-run.js';
import type { Manifest, ManifestIdCheck } from './manifest.js';

export interface Completeness {
  /** Why the export is incomplete. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  /** Warnings about changes that opac noticed and repaired. */
  readonly repaired: readonly string[];
  /** True if the export is incomplete only because of `strict`. */
  readonly isOnlyStrict: boolean;
}

const UNCERTAIN_END_REASONS: Readonly<Partial<Record<StopReason, string>>> = {
  early: 'the service returned empty pages before the end of the list',
  'offset-ignored': 'the service ignores the offset, so opac can only get the first page',
  refused: 'the service refuses higher offsets',
  running: 'opac did not read all pages',
  failed: 'reading the pages failed',
  stopped: 'reading the pages was stopped',
};

/** Returns false if pages are missing; otherwise, whether `always` is true or records may have changed during the export. */
export function needsIdCheck(
  { report, tally, plan }: Pick<RunResult, 'report' | 'tally' | 'plan'>,
  always: boolean,
): boolean {
  const isCut = report.gaps.length > 0 || UNCERTAIN_END_REASONS[report.stopReason] !== undefined;
  if (isCut) return false;
  const isMoved = report.notices.some(({ kind }) => MOVED.includes(kind));
  const isAboveTotal = tally.received > (tally.drift.at(-1)?.total ?? tally.received);
  const isChanged =
    tally.drift.length > 1 || isAboveTotal || tally.duplicates > 0 || report.stopReason === 'missing';
  // An index that is being rebuilt may be empty for a moment. A part (`--part`) has a plan, and may really be empty.
  const isEmpty = tally.received === 0 && plan === undefined;
  return always || tally.resumed > 0 || isMoved || isChanged || isEmpty;
}

const MOVED: readonly PagingNoticeKind[] = ['moved-up', 'thin-page', 'repeats-past-end'];

type Assessed = Pick<RunResult, 'report' | 'tally' | 'pages' | 'notFound' | 'notUtf8'> & {
  readonly idCheck?: ManifestIdCheck | undefined;
  /** Number of records of the export that this export replaces. */
  readonly before?: number;
};

/** With `strict`, some warnings become reasons, for example warnings about invalid UTF-8. */
export function assessCompleteness(
  { report, tally, pages, notFound, notUtf8, idCheck, before = 0 }: Assessed,
  strict: boolean,
): Completeness {
  const reasons: string[] = [];
  const soft: string[] = [];
  const isSettled = idCheck?.isSettled ?? false;
  const repaired: string[] = [];
  for (const { kind, message } of report.notices) {
    // A warning below reports changed totals. If the ids are the same as those of the service, a missing total does not matter.
    if (kind === 'total-moved' || (kind === 'no-total' && isSettled)) continue;
    const isRisk = kind === 'ids-unmatched' || kind === 'no-total' || (kind === 'end-refused' && !isSettled);
    (isRisk ? soft : repaired).push(message);
  }
  const { drift } = tally;
  const total = drift.at(-1)?.total;
  const first = drift[0]?.total ?? 0;
  if (isLessThanHalf(total ?? 0, first))
    reasons.push(`the total fell from ${formatNumber(first)} to ${formatNumber(total ?? 0)} during the run`);
  for (const gap of report.gaps) reasons.push(formatGap(gap));
  const doubt = UNCERTAIN_END_REASONS[report.stopReason];
  if (doubt) reasons.push(doubt);
  // `tally` counts the records of all runs. `report` counts only the records of this run.
  const start = pages[0]?.[0] ?? 0;
  const inGaps = report.gaps.reduce((sum, { limit }) => sum + limit, 0);
  const missing = (total ?? 0) - start - (tally.received - tally.duplicates) - inGaps;
  if (report.stopReason === 'missing' && missing > 0 && !isSettled) {
    reasons.push(
      `${formatNumber(missing)} of ${formatCount(total ?? 0, 'record')} ${missing === 1 ? 'was' : 'were'} not received`,
    );
  }
  if (idCheck) {
    const { added, dropped } = idCheck;
    if (!isSettled) reasons.push(formatUnsettled(idCheck, tally.written));
    if (added + dropped > 0)
      repaired.push(
        `the result changed during the export: ${formatCount(added, 'record')} fetched by id, ${formatNumber(dropped)} no longer listed`,
      );
  }
  if (drift.length > 1) {
    (isSettled ? repaired : soft).push(
      `the total changed during the run: ${drift.map((each) => formatNumber(each.total)).join(', ')}`,
    );
  }
  if (notFound.length > 0) {
    soft.push(formatNotFound(notFound));
  }
  if (tally.withoutId > 0)
    soft.push(
      `${formatCount(tally.withoutId, 'record')} without an id, so opac cannot check whether records are missing or repeated`,
    );
  if (tally.stubs > 0) soft.push(formatWithoutFields(tally.stubs, tally.written));
  if (tally.excluded > 0) soft.push(formatExcluded(tally.excluded, tally.written));
  if (notUtf8.records > 0) soft.push(formatInvalidUtf8(notUtf8));
  const left = tally.written - (idCheck?.dropped ?? 0);
  if (isLessThanHalf(left, before))
    soft.push(`only ${formatCount(left, 'record')}; the earlier export has ${formatNumber(before)}`);
  if (tally.duplicates > 0) repaired.push(`${formatCount(tally.duplicates, 'duplicate record')} dropped`);
  const risks = strict ? [] : soft;
  const isOnlyStrict = strict && reasons.length === 0 && soft.length > 0;
  return {
    reasons: strict ? [...reasons, ...soft] : reasons,
    warnings: [...risks, ...repaired],
    repaired,
    isOnlyStrict,
  };
}

function formatUnsettled({ listings, missing, unlisted }: ManifestIdCheck, received: number): string {
  if (unlisted !== undefined)
    return `the service no longer lists ${formatNumber(unlisted)} of the ${formatCount(received, 'record')} that were received`;
  const some = missing.length === 0 ? '' : `; not received: ${formatList(missing)}`;
  return `opac could not confirm that the records are complete: it listed the ids ${formatCount(listings, 'time')}, and each list was incomplete or did not match the records${some}`;
}

export function formatNotFound(ids: readonly string[]): string {
  return `${formatCount(ids.length, 'entry', 'entries')} of the list ${ids.length === 1 ? 'was' : 'were'} not found: ${formatList(ids)}`;
}

export function formatWithoutFields(records: number, total: number): string {
  return `${formatNumber(records)} of ${formatCount(total, 'record')} ${records === 1 ? 'has' : 'have'} no fields, fewer images than stated, or parts that opac cannot read`;
}

export function isLessThanHalf(records: number, before: number): boolean {
  return records < before / 2;
}

export function formatGap({ offset, limit, error, what = formatRecordRange(offset, limit) }: Gap): string {
  return `${what} ${limit === 1 ? 'is' : 'are'} missing: ${error?.message ?? 'the service returned an empty page'}`;
}

/** Returns a hint if a resumed run cannot make the export complete; undefined if a resumed run may receive more records. */
export function getResumeBlockedHint(
  { job, reasons, gaps, plan }: Manifest,
  { isOnlyStrict }: Pick<Completeness, 'isOnlyStrict'>,
): string | undefined {
  if (isOnlyStrict) return 'run the export again, or run it without --strict';
  if (job.from) return 'the files of --from are incomplete; export them again';
  const isUnreachable = ({ reason }: Manifest['gaps'][number]) =>
    plan?.unreachable.some(({ what }) => reason.includes(what));
  if (gaps.length === 0 || gaps.length < reasons.length || !gaps.every(isUnreachable)) return undefined;
  return 'opac cannot reach these records with slices; search for them with --where';
}

const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export function formatAgeWarning(started: string, now: number): string | undefined {
  const age = now - Date.parse(started);
  if (!(age > MAX_AGE_MS)) return undefined;
  const days = Math.floor(age / MAX_AGE_MS);
  return `opac received the first records ${days === 1 ? 'a day' : `${days} days`} before the last ones: the first run was on ${started.slice(0, 10)}`;
}
