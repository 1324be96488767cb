/** Finishes a download: deletes images with `--prune`, and writes the index and the report. */
import { pathExists } from '../../system/error-code.js';
import { foldName } from '../names/file-names.js';
import { createIndexRow, type DownloadOutcome } from './download.js';
import type { DownloadPlan } from './download-plan.js';
import type { ImageFolder } from './image-folder.js';
import { getStem, type IndexRow, type ReportRow, ROW_FORMATS } from './index-file.js';

export interface FinishOptions {
  readonly prune: boolean;
  readonly signal: AbortSignal;
}

export interface FinishOutcome {
  readonly remarks: Readonly<Record<ReportRow['status'], number>>;
  readonly firstFailure: ReportRow | undefined;
  readonly leftOver: number;
  readonly pruned: number;
}

/** With `prune`, deletes unchanged images that the plan does not contain. If the signal is aborted, throws its reason. */
export async function finishDownload(
  plan: DownloadPlan,
  folder: ImageFolder,
  downloaded: DownloadOutcome,
  options: FinishOptions,
): Promise<FinishOutcome> {
  const { images } = downloaded;
  const { leftOver, pruned } = await handleLeftOvers(plan, folder, downloaded, options);

  async function* rows(): AsyncGenerator<IndexRow> {
    for await (const wanted of plan.wanted()) {
      const image = images.get(wanted.name);
      if (image) yield createIndexRow(wanted, image);
    }
    yield* leftOver;
  }

  const remarks = { failed: 0, refused: 0, skipped: 0, substituted: 0, renamed: 0 };
  let firstFailure: ReportRow | undefined;
  async function* report(): AsyncGenerator<ReportRow> {
    yield* plan.remarks();
    yield* downloaded.remarks;
  }
  for await (const remark of report()) {
    remarks[remark.status]++;
    if (remark.status === 'failed') firstFailure ??= remark;
  }
  if (Object.values(remarks).some((count) => count > 0)) await folder.writeRows('report', report);
  else for (const format of ROW_FORMATS) await folder.remove(`report.${format}`);
  await folder.writeRows('index', rows);
  return { remarks, firstFailure, leftOver: leftOver.length, pruned };
}

async function handleLeftOvers(
  plan: DownloadPlan,
  folder: ImageFolder,
  { images }: DownloadOutcome,
  { prune, signal }: FinishOptions,
): Promise<{ readonly leftOver: readonly IndexRow[]; readonly pruned: number }> {
  const rows = new Map<string, IndexRow>();
  for await (const row of folder.readRows())
    if (!images.has(getStem(row.file))) rows.set(getStem(row.file), row);
  if (rows.size === 0) return { leftOver: [], pruned: 0 };
  const wanted = new Set<string>();
  for await (const { name } of plan.wanted()) wanted.add(name);
  // Compares folded names, because file systems may ignore case.
  const current = new Set([...images.values()].map(({ file }) => foldName(file)));
  const leftOver: IndexRow[] = [];
  let pruned = 0;
  for (const [stem, row] of rows) {
    signal.throwIfAborted();
    if (current.has(foldName(row.file))) continue;
    if (prune && !wanted.has(stem) && (await folder.removeImage(row))) pruned++;
    else if (await pathExists(folder.getPath(row.file))) leftOver.push({ ...row, status: 'left over' });
  }
  return { leftOver: leftOver.sort((one, other) => (one.file < other.file ? -1 : 1)), pruned };
}
