/** Verifies what a run collected: whether records moved while it was stopped, and whether its ids are those of the service. */
import type { PageRecord } from '../records/json/page-records.js';
import type { ExportRun, RunOptions, RunResult, RunSetup } from './collect/export-run.js';
import { checkIds, type IdCheck } from './verify/check-ids.js';
import { needsIdCheck } from './verify/completeness.js';
import { hasMoved } from './verify/list-ids.js';

/** A resumed run begins at an offset, where other records may stand by now. Costs one request. */
export async function warningOfMove(
  { checkpoint, options }: RunSetup,
  { lastIds: ids }: ExportRun,
): Promise<readonly string[]> {
  const { source, signal } = options;
  const offset = checkpoint?.pages.at(-1)?.[0];
  if (!source.search || offset === undefined || checkpoint?.plan) return [];
  return (await hasMoved(source.search, { offset, ids }, signal))
    ? ['records moved while the export was stopped']
    : [];
}

export interface Verified {
  readonly result: RunResult;
  /** Undefined where the ids were not compared. */
  readonly idCheck: IdCheck | undefined;
}

/** Compares the ids with those of the service where that is due, and adds the records that were missing. */
export async function verifyRun(
  run: ExportRun,
  result: RunResult,
  { source, signal = new AbortController().signal }: RunOptions,
  alwaysChecksIds: boolean,
): Promise<Verified> {
  const { search, isWanted } = source;
  if (!search || !needsIdCheck(result, alwaysChecksIds)) return { result, idCheck: undefined };
  const idCheck = await checkIds({
    search,
    plan: result.plan,
    isWanted,
    seen: run.seen,
    ids: () => run.ids(),
    append: (records: readonly PageRecord[]) => run.append(records),
    watch: run.watch,
    signal,
  });
  await run.checkpoint();
  const tally = { ...result.tally, written: run.count };
  return { result: { ...result, tally, notUtf8: run.notUtf8 }, idCheck };
}
