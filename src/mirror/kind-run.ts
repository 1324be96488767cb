/** One kind of records in one run: reads everything, or only what changed, and compares it with the snapshot before. */
import { join } from 'node:path';
import { HttpError } from '../client/errors/http-error.js';
import { Snapshot } from '../diff/snapshot.js';
import { SnapshotIndex } from '../diff/snapshot-index.js';
import type { RecordSource } from '../export/collect/source/record-source.js';
import { exportRecords } from '../export/export-records.js';
import { manifestPath } from '../export/target.js';
import { type Manifest, readManifest } from '../export/verify/manifest.js';
import { type NotUtf8, notUtf8Text } from '../records/json/not-utf8.js';
import { OpacError, UsageError } from '../service/errors.js';
import { grouped } from '../service/grouped.js';
import { exists } from '../system/error-code.js';
import { type ChangeLog, NO_CHANGES } from './change-log.js';
import { type Changes, findIncrementalChanges } from './incremental-changes.js';
import { createSource, type KindReading } from './mirror-search.js';
import { NewestPages, NotSortedError } from './newest-pages.js';
import type { RequestCounts } from './request-counts.js';
import { createSnapshotSource } from './snapshot-source.js';
import type { KindState } from './state.js';
import type { KindOutcome, SyncOptions } from './sync-options.js';

export interface KindRunOptions {
  readonly sync: SyncOptions;
  readonly reading: KindReading;
  readonly counts: RequestCounts;
  /** What is known from the run before; undefined where everything is read. */
  readonly known: KindState | undefined;
  /** The folder for the new snapshot, and one for copies of compressed files. */
  readonly staging: string;
  readonly temporary: string;
  readonly changeLog: ChangeLog;
}

export interface KindResult {
  readonly outcome: KindOutcome;
  readonly state: KindState;
}

interface Read {
  readonly manifest: Manifest;
  /** Whether there is a new snapshot, and whether everything was read for it. */
  readonly isNew: boolean;
  readonly isFull: boolean;
  readonly fullRequests: number;
}

export const UNCHANGED_HINT = 'the mirror is as it was; run it again';

export class KindRun {
  readonly #options: KindRunOptions;
  readonly #current: string;
  readonly #target: string;
  /** Undefined where records are not read by the newest first. */
  #newest: NewestPages | undefined;

  constructor(options: KindRunOptions) {
    const { sync, staging, reading } = options;
    const name = `${reading.kind}.${sync.ending}`;
    this.#options = options;
    this.#current = join(sync.folder, name);
    this.#target = join(staging, name);
  }

  /** Undefined for a kind that neither the deployment nor the mirror has. */
  async run(): Promise<KindResult | undefined> {
    const { sync, reading } = this.#options;
    const before = await this.#readManifestBefore();
    try {
      const read = (await this.#readIncrementally(before)) ?? (await this.#readEverything());
      return await this.#compare(before, read);
    } catch (error) {
      const isNotOffered = error instanceof HttpError && error.status === 404;
      if (!isNotOffered || !sync.isAnyKind || before) throw error;
      sync.note(`${reading.kind}: not offered by this deployment`);
      return undefined;
    }
  }

  async #readManifestBefore(): Promise<Manifest | undefined> {
    if (!(await exists(this.#current))) return undefined;
    const path = manifestPath(this.#current);
    if (await exists(path)) return readManifest(path);
    throw new UsageError(
      `"${path}" is missing`,
      `remove "${this.#current}" too, and run it again: everything is read anew`,
    );
  }

  /** Undefined when everything is to be read. */
  async #readIncrementally(before: Manifest | undefined): Promise<Read | undefined> {
    const { reading, known, sync } = this.#options;
    const { newestFirst: field } = sync;
    if (field === undefined) return undefined;
    try {
      const mayBeEmpty = (before?.records ?? 0) === 0;
      this.#newest = await NewestPages.open(reading, field, mayBeEmpty);
      if (!before || known?.newest?.field !== field) return undefined;
      return await this.#readChanges(before, this.#newest, known);
    } catch (error) {
      if (!(error instanceof NotSortedError)) throw error;
      this.#newest = undefined;
      sync.note(`${reading.kind}: the deployment does not sort by "${field}", so everything is read`);
      return undefined;
    }
  }

  async #readChanges(before: Manifest, first: NewestPages, known: KindState): Promise<Read | undefined> {
    const { reading, temporary } = this.#options;
    const { kind, notUtf8, signal } = reading;
    const snapshot = await Snapshot.open(this.#current, { kind, temporary, signal });
    try {
      const index = await SnapshotIndex.of(snapshot, signal);
      const changes = known.newest && (await findIncrementalChanges(index, reading, first, known.newest));
      if (!changes) return undefined;
      const isNew = changes.fetched.size + changes.removed.size > 0;
      const source = createSnapshotSource(index, kind, changes);
      const merged = mergeNotUtf8(before, changes, notUtf8.counted);
      const manifest = isNew ? await this.#export(source, merged) : before;
      return { manifest, isNew, isFull: false, fullRequests: known.requests };
    } finally {
      await snapshot.close();
    }
  }

  async #readEverything(): Promise<Read> {
    const { reading, counts } = this.#options;
    const requestsBefore = counts.details;
    const manifest = await this.#export(createSource(reading));
    const fullRequests = Math.max(counts.details - requestsBefore, manifest.pages.length);
    return { manifest, isNew: true, isFull: true, fullRequests };
  }

  /** Throws an OpacError when the records are not those of the deployment. */
  async #export(source: RecordSource, notUtf8?: NotUtf8): Promise<Manifest> {
    const { reading, sync } = this.#options;
    const { kind } = reading;
    const { deployment, query, signal, onProgress } = sync;
    const { complete, reasons, manifest } = await exportRecords({
      source,
      notUtf8,
      shape: { kind, format: 'ndjson' },
      target: this.#target,
      deployment,
      query,
      signal,
      command: undefined,
      alwaysChecksIds: true,
      onProgress: ({ written, total }) => onProgress(written, total),
    });
    if (manifest.withoutId > 0) {
      const many = `${grouped(manifest.withoutId)} of the ${kind}`;
      throw new OpacError('deployment', `${many} came without an id, by which a mirror tells them apart`);
    }
    if (!complete)
      throw new OpacError('incomplete', `not all ${kind} were received: ${reasons.join('; ')}`, {
        hint: UNCHANGED_HINT,
      });
    return manifest;
  }

  async #compare(before: Manifest | undefined, read: Read): Promise<KindResult> {
    const { sync, reading, counts, changeLog, temporary } = this.#options;
    const { kind, signal } = reading;
    const { manifest, isNew, isFull, fullRequests } = read;
    const { records, notUtf8 } = manifest;
    const [older, newer] = [this.#current, this.#target];
    // Only where everything was read, an edit shows that the field does not.
    const raised = before && isFull ? sync.newestFirst : undefined;
    const counted =
      before && isNew ? await changeLog.add({ kind, older, newer, temporary, raised, signal }) : NO_CHANGES;
    if (notUtf8?.records > 0) sync.note(`warning: ${kind}: ${notUtf8Text(notUtf8)}`);
    const { requests, details } = counts;
    const isFirst = before === undefined;
    const missed = raised === undefined ? undefined : counted.missed;
    return {
      outcome: { kind, records, isFirst, ...counted, missed, requests, details, fullRequests },
      state: {
        records,
        requests: fullRequests,
        newest: this.#newest && { field: sync.newestFirst ?? '', value: this.#newest.newest },
      },
    };
  }
}

/** Records that were not UTF-8 and have not changed, and those of the pages that were read. */
function mergeNotUtf8(
  { notUtf8: before = { records: 0, ids: [] } }: Partial<Manifest>,
  { fetched, removed }: Changes,
  found: NotUtf8,
): NotUtf8 {
  const left = before.ids.filter((id) => !fetched.has(id) && !removed.has(id));
  const ids = [...new Set([...left, ...found.ids])];
  return { records: before.records - before.ids.length + ids.length, ids };
}
