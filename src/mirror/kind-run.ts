/** Updates one kind of records: reads all records or only the changes, and compares them with the previous snapshot. */
import { HttpError } from '../client/errors/http-error.js';
import { Snapshot } from '../diff/snapshot.js';
import { SnapshotIndex } from '../diff/snapshot-index.js';
import type { RecordSource } from '../export/collect/source/record-source.js';
import { manifestPath } from '../export/export-paths.js';
import { exportRecords } from '../export/export-records.js';
import { assertReplaceable } from '../export/verify/assert-replaceable.js';
import { formatNotFound, formatWithoutFields, isLessThanHalf } from '../export/verify/completeness.js';
import { type Manifest, readManifest } from '../export/verify/manifest.js';
import { formatInvalidUtf8, type InvalidUtf8 } from '../records/json/invalid-utf8.js';
import { OpacError, UsageError } from '../service/errors.js';
import { formatCount } from '../service/format-numbers.js';
import { formatExcluded } from '../service/search/filter-check.js';
import { pathExists } from '../system/error-code.js';
import { type ChangeLog, NO_CHANGES } from './change-log.js';
import { type Changes, createSnapshotSource, findIncrementalChanges } from './incremental-changes.js';
import type { KindState } from './mirror-state.js';
import { NewestPages, NotSortedError } from './newest-pages.js';
import type { KindOutcome, KindReading, ResolvedSyncOptions } from './sync-options.js';

export interface KindRun {
  readonly sync: ResolvedSyncOptions;
  readonly reading: KindReading;
  /** The state after the previous run; undefined if the kind is new or this run must read all records. */
  readonly known: KindState | undefined;
  /** The paths of the previous and the new snapshot. */
  readonly current: string;
  readonly target: string;
  readonly temporary: string;
  readonly changeLog: ChangeLog;
}

export interface KindResult {
  readonly outcome: KindOutcome;
  readonly state: KindState;
}

interface Read {
  /** The manifest of the new snapshot; the manifest of the previous snapshot if nothing changed. */
  readonly manifest: Manifest;
  readonly isFull: boolean;
  /** `NewestPages.newest` for the next run; undefined without `--newest-first`, or if the deployment does not sort. */
  readonly newest: string | undefined;
}

export const UNCHANGED_HINT = 'the mirror is unchanged; run the command again';

/** Returns undefined if opac skips a kind that neither the deployment nor the mirror has. Throws an OpacError on failure. */
export async function runKind(run: KindRun): Promise<KindResult | undefined> {
  const { sync, reading } = run;
  const before = await readManifestBefore(run);
  try {
    const result = await read(run, before);
    assertNotEmptied(run, before, result.manifest);
    assertHasFields(run, before, result.manifest);
    return await compare(run, before, result);
  } catch (error) {
    const isNotOffered = error instanceof HttpError && error.status === 404;
    if (!isNotOffered || !sync.skipsMissingKinds || before) throw error;
    sync.note(`${reading.kind}: this deployment does not offer this kind`);
    return undefined;
  }
}

async function readManifestBefore({ current, sync }: KindRun): Promise<Manifest | undefined> {
  if (!(await pathExists(current))) return undefined;
  const path = manifestPath(current);
  if (!(await pathExists(path)))
    throw new UsageError(
      `"${path}" is missing`,
      `delete "${current}" too, and run the command again to read all records`,
    );
  await assertReplaceable(
    current,
    [current],
    sync.signal,
    'move it to another folder; the next run reads all records',
  );
  return readManifest(path);
}

async function read(run: KindRun, before: Manifest | undefined): Promise<Read> {
  const { reading, known, sync } = run;
  const field = sync.newestFirst;
  let newest: string | undefined;
  try {
    if (field !== undefined) {
      const pages = await NewestPages.open(reading, field, (before?.records ?? 0) === 0);
      newest = pages.newest;
      const since = known?.newest?.field === field ? known.newest.value : undefined;
      const isIncremental = before && since !== undefined;
      const manifest = isIncremental && (await readChanges(run, before, pages, since));
      if (manifest) return { manifest, isFull: false, newest };
    }
  } catch (error) {
    if (!(error instanceof NotSortedError)) throw error;
    newest = undefined;
    sync.note(`${reading.kind}: the deployment does not sort by "${field}", so opac reads all records`);
  }
  return { manifest: await exportSnapshot(run, reading.source), isFull: true, newest };
}

/** Returns the manifest of the updated snapshot, or `before` if nothing changed; undefined if opac has to read all records. */
function readChanges(
  run: KindRun,
  before: Manifest,
  pages: NewestPages,
  since: string,
): Promise<Manifest | undefined> {
  const { reading, temporary, current } = run;
  const { kind, notUtf8, signal } = reading;
  return Snapshot.use(current, { kind, temporary, signal }, async (snapshot) => {
    const index = new SnapshotIndex(snapshot, await snapshot.list(signal), kind);
    const changes = await findIncrementalChanges(index, reading, pages, since);
    if (!changes || changes.fetched.size + changes.removed.size === 0) return changes && before;
    const merged = mergeNotUtf8(before, changes, notUtf8.counts);
    return exportSnapshot(run, createSnapshotSource(index, kind, changes), merged);
  });
}

async function exportSnapshot(run: KindRun, source: RecordSource, notUtf8?: InvalidUtf8): Promise<Manifest> {
  const { kind } = run.reading;
  const { deployment, query, signal, onProgress, strict } = run.sync;
  const { complete, reasons, isOnlyStrict, manifest } = await exportRecords({
    source,
    notUtf8,
    formatOptions: { kind, format: 'ndjson' },
    target: run.target,
    deployment,
    query,
    signal,
    command: undefined,
    alwaysChecksIds: true,
    strict,
    onProgress: ({ written, total }) => onProgress(written, total),
  });
  if (manifest.withoutId > 0) {
    const count = formatCount(manifest.withoutId, 'record');
    throw new OpacError('deployment', `${kind}: ${count} without an id; a mirror needs ids`);
  }
  if (!complete)
    throw new OpacError('incomplete', `not all ${kind} were received: ${reasons.join('; ')}`, {
      hint: isOnlyStrict
        ? 'the mirror is unchanged; to accept these records, run the command without --strict'
        : UNCHANGED_HINT,
    });
  if (manifest.notFound.length > 0) run.sync.warn(`${kind}: ${formatNotFound(manifest.notFound)}`);
  return manifest;
}

/** Throws an OpacError if no records remain (with `strict`: fewer than half), because the deployment probably failed. */
function assertNotEmptied(
  { reading, current, sync }: KindRun,
  before: Manifest | undefined,
  now: Manifest,
): void {
  const isReduced = before && isLessThanHalf(now.records, before.records);
  if (!isReduced || (now.records > 0 && !sync.strict)) return;
  const had = formatCount(before.records, 'record');
  if (now.records > 0)
    throw new OpacError(
      'incomplete',
      `${reading.kind}: only ${formatCount(now.records, 'record')}; the mirror has ${had}`,
      {
        hint: 'the mirror is unchanged; if the records were really removed, run the command without --strict',
      },
    );
  throw new OpacError('incomplete', `the deployment returned no ${reading.kind}, but the mirror has ${had}`, {
    hint: `the mirror is unchanged; if the records were really removed, delete "${current}" and run the command again`,
  });
}

/** Throws an OpacError if no record has fields any more, because the deployment probably ignores the parameter `view`. */
function assertHasFields({ reading, sync }: KindRun, before: Manifest | undefined, now: Manifest): void {
  if (now.withoutFields === 0 || now === before) return;
  const message = `${reading.kind}: ${formatWithoutFields(now.withoutFields, now.records)}`;
  if (before && before.withoutFields < before.records && now.withoutFields === now.records)
    throw new OpacError('incomplete', message, { hint: UNCHANGED_HINT });
  sync.warn(message);
}

async function compare(run: KindRun, before: Manifest | undefined, read: Read): Promise<KindResult> {
  const { sync, reading, changeLog, temporary, current: older, target: newer } = run;
  const { kind, signal } = reading;
  const { manifest, isFull, newest } = read;
  const { records, notUtf8 } = manifest;
  // Only a run that reads all records can find edits that did not change the field of `--newest-first`.
  const editField = before && isFull ? sync.newestFirst : undefined;
  const isNew = manifest !== before;
  const counts =
    before && isNew ? await changeLog.add({ kind, older, newer, temporary, editField, signal }) : NO_CHANGES;
  if (notUtf8?.records > 0) sync.warn(`${kind}: ${formatInvalidUtf8(notUtf8)}`);
  if (manifest.excluded > 0) sync.warn(`${kind}: ${formatExcluded(manifest.excluded, records)}`);
  const field = sync.newestFirst ?? '';
  return {
    outcome: { kind, records, isFirst: before === undefined, ...counts },
    state: { newest: newest === undefined ? undefined : { field, value: newest } },
  };
}

/** Combines two lists of records with invalid UTF-8: unchanged records of the previous run, and records that this run read. */
function mergeNotUtf8(
  { notUtf8: before = { records: 0, ids: [] } }: Partial<Manifest>,
  { fetched, removed }: Changes,
  found: InvalidUtf8,
): InvalidUtf8 {
  const unchanged = before.ids.filter((id) => !fetched.has(id) && !removed.has(id));
  const ids = [...new Set([...unchanged, ...found.ids])];
  return { records: before.records - before.ids.length + ids.length, ids };
}
