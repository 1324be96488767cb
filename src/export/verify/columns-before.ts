/** The columns of the export that stands at the target: they stay, in their order, so that exports of every night have the same. */
import { join } from 'node:path';
import { RECORD_COLUMN_NAMES } from '../../service/records/columns.js';
import { exists } from '../../system/error-code.js';
import type { CheckedShape } from '../convert/formats.js';
import type { ExportSpec } from '../export-spec.js';
import { manifestPath, type Target } from '../target.js';
import { type Manifest, readManifest } from './manifest.js';
import { isTableName, readHead } from './table-head.js';

/** Those of an export of the same search; `[]` where there is none, and where the columns are chosen. */
export async function columnsBefore(
  target: Target,
  spec: ExportSpec,
  { chosen, dialect }: Pick<CheckedShape, 'chosen' | 'dialect'>,
): Promise<readonly string[]> {
  if (chosen || !dialect) return [];
  const manifest = await readManifest(manifestPath(target.path)).catch(() => undefined);
  const columns = manifest ? await columnsOf(manifest, target, spec) : await columnsIn(target.path);
  return RECORD_COLUMN_NAMES.every((name, n) => columns[n] === name) ? columns : [];
}

const SEARCHED: readonly string[] = ['deployment', 'kind', 'query', 'columns'];

async function columnsOf({ job, files, columns }: Manifest, { folder }: Target, spec: ExportSpec) {
  const [first] = files;
  const isSame = SEARCHED.every((name) => JSON.stringify(job[name]) === JSON.stringify(spec[name]));
  return isSame && first && (await exists(join(folder, first.name))) ? columns : [];
}

/** Of a file without a manifest. */
async function columnsIn(path: string): Promise<readonly string[]> {
  if (!isTableName(path) || !(await exists(path))) return [];
  const columns = await readHead(path).catch(() => []);
  return columns.map(({ name }) => name);
}
