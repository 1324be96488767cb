/** The export that stands at a target: how much it holds, and its columns, so that exports of every night have the same. */
import { join } from 'node:path';
import { RECORD_COLUMN_NAMES } from '../../service/records/columns.js';
import { pathExists } from '../../system/error-code.js';
import type { ResolvedFormatOptions } from '../convert/formats.js';
import type { ExportJob } from '../export-job.js';
import { type ExportPaths, manifestPath } from '../export-paths.js';
import { readManifest } from './manifest.js';

export interface ExportBefore {
  readonly records: number;
  /** Those of the same search, which stay in their order; `[]` where columns are chosen. */
  readonly columns: readonly string[];
}

const SEARCH_KEYS: readonly string[] = ['deployment', 'kind', 'query', 'columns'];

/** Nothing where the manifest or the first file is gone. */
export async function readExportBefore(
  { path, folder }: ExportPaths,
  spec: ExportJob,
  { chosen, dialect }: Pick<ResolvedFormatOptions, 'chosen' | 'dialect'>,
): Promise<ExportBefore> {
  const manifest = await readManifest(manifestPath(path)).catch(() => undefined);
  const [first] = manifest?.files ?? [];
  if (!manifest || !first || !(await pathExists(join(folder, first.name))))
    return { records: 0, columns: [] };
  const { job, records, columns } = manifest;
  const isSame = SEARCH_KEYS.every((name) => JSON.stringify(job[name]) === JSON.stringify(spec[name]));
  const isOfRecords = RECORD_COLUMN_NAMES.every((name, n) => columns[n] === name);
  const areKept = dialect && !chosen && isSame && isOfRecords;
  return { records, columns: areKept ? columns : [] };
}
