/** Finds reasons why two snapshots cannot be compared, and facts that can mislead a reader of their differences. */
import type { ExportJob } from '../export/export-job.js';
import { AS_WINDOWS_1252 } from '../records/files/encoding.js';
import { ONLY_FIRST_SHEET } from '../records/files/read-workbook.js';
import { UsageError } from '../service/errors.js';
import type { QueryParameters } from '../service/search/record-search.js';
import { isInBothTables } from './changes.js';
import type { Snapshot } from './snapshot.js';

/** The name of the deployment if `opac objects diff --from` reads records from files without a manifest. */
export const UNKNOWN_DEPLOYMENT = 'files without a manifest';

export function assertSameDeployment(older: Snapshot, newer: Snapshot, anyDeployment = false): void {
  const [one, other] = [older.manifest?.job, newer.manifest?.job];
  if (anyDeployment || !one || !other || one.deployment === other.deployment) return;
  if ([one, other].some(({ deployment }) => deployment === UNKNOWN_DEPLOYMENT)) return;
  throw new UsageError(
    `the exports come from different deployments: "${older.path}" from ${one.deployment}, the other from ${other.deployment}`,
    'to compare them anyway, add --any-deployment',
  );
}

export function listMisleadingFacts(older: Snapshot, newer: Snapshot): readonly string[] {
  const facts: string[] = [];
  for (const { path, manifest, table, file, isEdited } of [older, newer]) {
    if (manifest && !manifest.complete)
      facts.push(`"${path}" is incomplete; missing records are shown as added or removed`);
    if (manifest && manifest.files.length > 1)
      facts.push(
        `"${path}" is one of ${manifest.files.length} files of a split export; the records of the other files are shown as added or removed`,
      );
    if (file.sheet?.isOneOfSeveral) facts.push(`"${path}" ${ONLY_FIRST_SHEET}`);
    if (manifest && isEdited) facts.push(`"${path}" was changed after the export`);
    if (table?.encoding === 'windows-1252') facts.push(`"${path}" ${AS_WINDOWS_1252}`);
  }
  const [one, other] = [older.manifest?.job, newer.manifest?.job];
  const isEdited = older.isEdited || newer.isEdited;
  if (one && other && !isEdited && JSON.stringify(one.query) !== JSON.stringify(other.query))
    facts.push(
      `the exports come from different searches: ${formatQuery(one.query)} and ${formatQuery(other.query)}`,
    );
  if (one && other && !isEdited && describeSelection(one) !== describeSelection(other))
    for (const { path, manifest } of [older, newer]) {
      const selection = manifest ? describeSelection(manifest.job) : '';
      if (selection !== '')
        facts.push(
          `"${path}" contains only selected records (${selection.replace(/; idsSha256: .*/, '')}); all other records are shown as added or removed`,
        );
    }
  return facts;
}

const SELECTION: readonly string[] = ['limit', 'part', 'exact', 'compared', 'ids', 'idsSha256'];

/** Returns the selection of an export, such as `limit: 100`; `''` if the export contains all records of its search. */
function describeSelection(job: ExportJob): string {
  const chosen = SELECTION.filter((name) => (job[name] ?? null) !== null);
  return chosen.map((name) => `${name}: ${[job[name]].flat().join(', ')}`).join('; ');
}

/** If a table limits the comparison, returns a message that names the compared or the skipped columns; otherwise undefined. */
export function describeSkippedColumns(
  older: Snapshot,
  newer: Snapshot,
  isCompared: (field: string) => boolean,
  formatName = (name: string) => name,
): string | undefined {
  const [one, other] = [older.table, newer.table];
  if (one && other) {
    const skipped = [...one.columns, ...other.columns].filter((name) => !isInBothTables(name, [one, other]));
    return skipped.length > 0
      ? `columns in only one of the files were not compared: ${[...new Set(skipped)].map(formatName).join(', ')}`
      : undefined;
  }
  const table = one ?? other;
  const compared = table?.columns.filter((name) => name === 'id' || isCompared(name));
  return compared && `only the columns of the table were compared: ${compared.map(formatName).join(', ')}`;
}

function formatQuery(query: QueryParameters): string {
  return `"${query.map((pair) => pair.join('=')).join('&')}"`;
}
