/** Ends a download: prunes if asked, and writes the index and the report. */
import { exists } from '../../system/error-code.js';
import { foldedName } from '../names/file-names.js';
import { type Downloaded, removeImage, rowFor } from './download.js';
import type { ImageFolder } from './image-folder.js';
import { type IndexRow, type ReportRow, ROW_FORMATS, stemOf } from './index-file.js';
import type { Plan } from './plan.js';

export interface Finished {
  readonly remarks: Readonly<Record<ReportRow['status'], number>>;
  readonly firstFailure: ReportRow | undefined;
  readonly leftOver: number;
  readonly pruned: number;
}

/** With `prune`, removes images that the search no longer finds; only files downloaded by opac. */
export async function finishDownload(
  plan: Plan,
  folder: ImageFolder,
  downloaded: Downloaded,
  prune: boolean,
): Promise<Finished> {
  const { images } = downloaded;
  const { kept, pruned } = await leftOvers(plan, folder, downloaded, prune);

  async function* rows(): AsyncGenerator<IndexRow> {
    for await (const wanted of plan.wanted()) {
      const held = images.get(wanted.name);
      if (held) yield rowFor(wanted, held);
    }
    yield* kept;
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
  return { remarks, firstFailure, leftOver: kept.length, pruned };
}

async function leftOvers(
  plan: Plan,
  folder: ImageFolder,
  { images }: Downloaded,
  prune: boolean,
): Promise<{ readonly kept: readonly IndexRow[]; readonly pruned: number }> {
  const rows = new Map<string, IndexRow>();
  for await (const row of folder.rows()) if (!images.has(stemOf(row.file))) rows.set(stemOf(row.file), row);
  if (rows.size === 0) return { kept: [], pruned: 0 };
  const wanted = new Set<string>();
  for await (const { name } of plan.wanted()) wanted.add(name);
  // File systems may ignore case.
  const current = new Set([...images.values()].map(({ file }) => foldedName(file)));
  const kept: IndexRow[] = [];
  let pruned = 0;
  for (const [stem, row] of rows) {
    if (current.has(foldedName(row.file))) continue;
    if (prune && !wanted.has(stem)) {
      await removeImage(row.file, folder);
      pruned++;
    } else if (await exists(folder.pathOf(row.file))) kept.push({ ...row, status: 'left over' });
  }
  return { kept: kept.sort((one, other) => (one.file < other.file ? -1 : 1)), pruned };
}
