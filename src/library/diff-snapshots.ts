/** Compares two exports, as `opac diff` does. */
import { type ChangeOptions, createFieldTest } from '../diff/changes.js';
import { assertSameDeployment, describeSkippedColumns, listMisleadingFacts } from '../diff/comparability.js';
import { type CompareOptions, compareSnapshots } from '../diff/compare-snapshots.js';
import { findManifest, Snapshot, type SnapshotOptions } from '../diff/snapshot.js';
import type { Difference, KindTally } from '../diff/tally.js';
import type { Kind } from '../service/kinds.js';
import { hasUnknownRelationshipPart } from '../service/records/columns.js';

/** What to compare, and which columns to return with each difference. */
export interface DiffOptions
  extends Pick<SnapshotOptions, 'kind'>,
    Pick<CompareOptions, 'context'>,
    Pick<ChangeOptions, 'include'> {
  /** Compares only these fields. */
  readonly fields?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
  /** Whether to compare exports from different deployments. Default: they are an error. */
  readonly anyDeployment?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A record that was added, removed or changed, and its changes. */
export type RecordDifference = Omit<Difference, 'newer' | 'asked'>;

/** The differences between two exports. */
export interface SnapshotDiff {
  /** Records in the order of the newer export, then removed records in the order of the older export. */
  readonly differences: readonly RecordDifference[];
  readonly counts: ReadonlyMap<Kind, KindTally>;
  /** Facts that can mislead, such as an incomplete export or columns that were not compared. */
  readonly warnings: readonly string[];
}

/**
 * Compares NDJSON, JSON, CSV, TSV and XLSX files. Text files can be compressed. Throws a UsageError for files that are not
 * exports, have no common kind of records, or come from different deployments (unless `anyDeployment` is set).
 */
export async function diffSnapshots(
  olderFile: string,
  newerFile: string,
  { kind, anyDeployment, context, ...options }: DiffOptions = {},
): Promise<SnapshotDiff> {
  const { include, fields = [], ignore = [], signal = new AbortController().signal } = options;
  const isCompared = createFieldTest(fields, ignore);
  const compare = async (older: Snapshot, newer: Snapshot): Promise<SnapshotDiff> => {
    assertSameDeployment(older, newer, anyDeployment);
    const { differences, tally, rowsWithoutId } = await compareSnapshots(older, newer, {
      include,
      context,
      signal,
      columns: fields.filter((name) => !hasUnknownRelationshipPart(name)),
      isCompared,
    });
    const found: RecordDifference[] = [];
    for await (const { newer: _newer, asked: _asked, ...difference } of differences) found.push(difference);
    const skipped = describeSkippedColumns(older, newer, isCompared);
    const facts = [...listMisleadingFacts(older, newer), ...rowsWithoutId];
    const warnings = [...facts, ...(skipped === undefined ? [] : [skipped])];
    return { differences: found, counts: tally.kinds, warnings };
  };
  const fallbackManifest = await findManifest(newerFile);
  return Snapshot.use(olderFile, { kind, signal, fallbackManifest }, (older) =>
    Snapshot.use(newerFile, { kind, signal, fallbackManifest: older.manifest }, (newer) =>
      compare(older, newer),
    ),
  );
}
