/** Writes the file of `--report`, even if nothing changed, so that the file never describes an earlier run. */
import { Tally } from '../../../diff/tally.js';
import type { SyncOutcome } from '../../../mirror/sync-mirror.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import type { Context } from '../../context.js';
import { findRequestedFormat } from '../../options/output-kind.js';
import { assertReportFolders } from '../check/report-option.js';
import { hasLabels } from '../diff/formats.js';
import { findDiffFormat } from '../diff/options.js';
import { writeChangeLogs } from '../diff/show-change-log.js';
import { fetchPublishedFields } from '../search/search-pages.js';

/** Throws a UsageError for an unknown file extension and for a missing folder. Call this function before the run. */
export async function checkReport(context: Context, file: string): Promise<void> {
  findDiffFormat(createReportContext(context, file));
  await assertReportFolders([{ file }]);
}

export async function writeReport(
  context: Context,
  file: string,
  { kinds, changes }: SyncOutcome,
): Promise<void> {
  const own = createReportContext(context, file);
  const isLabelled = hasLabels(findDiffFormat(own));
  const fields = isLabelled ? kinds.map(({ kind }) => fetchPublishedFields(context, kind)) : [];
  const labels = isLabelled ? new FieldLabels((await Promise.all(fields)).flat()) : undefined;
  const tally = new Tally(true, labels);
  for (const { kind, records, added, removed, isFirst } of kinds)
    if (!isFirst) tally.getOrAdd(kind).older = records - added + removed;
  const first = kinds.filter(({ isFirst }) => isFirst).map(({ kind }) => kind);
  const remark =
    first.length > 0 ? `the mirror did not contain these kinds before: ${first.join(', ')}` : undefined;
  const input = { show: [], context: [], delta: false, exitCode: false };
  try {
    const logs = changes === undefined ? [] : [changes];
    await writeChangeLogs(own, logs, input, tally, { remark, labels });
  } catch (error) {
    context.note('the mirror is up to date, but its report is not');
    throw error;
  }
}

function createReportContext(context: Context, file: string): Context {
  const globalOptions = { ...context.globalOptions, format: undefined, output: file };
  return { ...context, globalOptions, format: findRequestedFormat(globalOptions), note: () => undefined };
}
