/** Writes the changes of a run to the file of `--report`, also if nothing changed: a report never describes an earlier run. */
import { Tally } from '../../../diff/tally.js';
import type { SyncOutcome } from '../../../mirror/sync-mirror.js';
import type { Context } from '../../context.js';
import { findRequestedFormat } from '../../options/output-kind.js';
import { assertReportFolders } from '../check/report-option.js';
import { findDiffFormat } from '../diff/options.js';
import { writeChangeLogs } from '../diff/show-change-log.js';

/** Throws a UsageError before the run for an unknown file extension and for a missing folder. */
export async function checkReport(context: Context, file: string): Promise<void> {
  findDiffFormat(createReportContext(context, file));
  await assertReportFolders([{ file }]);
}

export async function writeReport(
  context: Context,
  file: string,
  { kinds, changes }: SyncOutcome,
): Promise<void> {
  const tally = new Tally();
  for (const { kind, records, added, removed, isFirst } of kinds)
    if (!isFirst) tally.getOrAdd(kind).older = records - added + removed;
  const first = kinds.filter(({ isFirst }) => isFirst).map(({ kind }) => kind);
  const remark =
    first.length > 0 ? `the mirror did not contain these kinds before: ${first.join(', ')}` : undefined;
  const input = { show: [], context: [], delta: false, exitCode: false };
  try {
    const logs = changes === undefined ? [] : [changes];
    await writeChangeLogs(createReportContext(context, file), logs, input, tally, { remark });
  } catch (error) {
    context.note('the mirror is up to date, but its report is not');
    throw error;
  }
}

function createReportContext(context: Context, file: string): Context {
  const globalOptions = { ...context.globalOptions, format: undefined, output: file };
  return { ...context, globalOptions, format: findRequestedFormat(globalOptions), note: () => undefined };
}
