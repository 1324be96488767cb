/** Ends a download: prunes if asked, and writes the index and the report. */
import { exists } from '../../system/error-code.js';
import { foldedName } from '../names/safe-name.js';
import { type Downloaded, removeImage, rowFor } from './download.js';
import type { ImageFolder } from './image-folder.js';
import { type IndexFormat, type IndexRow, type ReportRow, stemOf } from './index-file.js';
import type { Plan } from './plan.js';

export interface FinishOptions {
  readonly formats: Readonly<Record<IndexFormat, boolean>>;
  /** Remove images that the search no longer finds; only files downloaded by opac. */
  readonly prune: boolean;
}

export interface Finished {
  readonly remarks: Readonly<Record<ReportRow['status'], number>>;
  readonly firstFailure: ReportRow | undefined;
  readonly leftOver: number;
  readonly pruned: number;
  readonly bytes: number;
}

export async function finishDownload(
  plan: Plan,
  folder: ImageFolder,
  downloaded: Downloaded,
  { formats, prune }: FinishOptions,
): Promise<Finished> {
  const { images } = downloaded;
  const { kept, pruned } = await leftOvers(plan, folder, downloaded, prune);
  let bytes = 0;
  for (const held of images.values()) bytes += held.bytes;

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
  await folder.writeRows('report', report, formats);
  await folder.writeRows('index', rows, formats);
  return { remarks, firstFailure, leftOver: kept.length, pruned, bytes };
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
