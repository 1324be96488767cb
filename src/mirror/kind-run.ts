/** One kind of records in one run: reads everything, or only what changed, and compares it with the snapshot before. */
import { join } from 'node:path';
import { HttpError } from '../client/errors/http-error.js';
import { Snapshot } from '../diff/snapshot.js';
import { SnapshotIndex } from '../diff/snapshot-index.js';
import { exportRecords } from '../export/export-records.js';
import { manifestPath } from '../export/target.js';
import { type Manifest, readManifest } from '../export/verify/manifest.js';
import { notUtf8Text } from '../records/json/not-utf8.js';
import { OpacError, UsageError } from '../service/errors.js';
import { grouped } from '../service/grouped.js';
import type { RecordKind } from '../service/kinds.js';
import { exists } from '../system/error-code.js';
import type { ChangeLog } from './change-log.js';
import type { RequestCounts } from './counting-client.js';
import { addedAndRemoved, changedSince } from './find-changes.js';
import { writeMerged } from './merged-snapshot.js';
import { isFiltered, type KindReading, sourceOf } from './mirror-search.js';
import { NewestPages, NotSortedError } from './newest-pages.js';
import type { KindState } from './state.js';
import type { KindOutcome, SyncOptions } from './sync-options.js';

export interface KindRunOptions {
  readonly sync: SyncOptions;
  readonly reading: KindReading;
  readonly counts: RequestCounts;
  /** What is known from the run before. */
  readonly known: KindState | undefined;
  /** Whether everything is read, whatever is known. */
  readonly isFullRun: boolean;
  /** The folder for the new snapshot, and one for copies of compressed files. */
  readonly next: string;
  readonly temporary: string;
  readonly changeLog: ChangeLog;
  readonly started: string;
}

interface Read {
  readonly manifest: Manifest;
  /** Whether there is a new snapshot. */
  readonly isNew: boolean;
  readonly fullRequests: number;
}

export const AS_IT_WAS = 'the mirror is as it was; run it again';

export class KindRun {
  readonly #options: KindRunOptions;
  readonly #kind: RecordKind;
  readonly #current: string;
  readonly #target: string;
  /** Undefined where nothing is asked for by the newest first. */
  #newest: NewestPages | undefined;

  constructor(options: KindRunOptions) {
    const { sync, next, reading } = options;
    const name = `${reading.kind}.${sync.ending}`;
    this.#options = options;
    this.#kind = reading.kind;
    this.#current = join(sync.folder, name);
    this.#target = join(next, name);
  }

  /** Undefined for a kind that neither the deployment nor the mirror has. */
  async run(): Promise<{ readonly outcome: KindOutcome; readonly state: KindState } | undefined> {
    const before = await this.#manifestBefore();
    const { sync } = this.#options;
    try {
      await this.#openNewest(before);
      const quick = before && (await this.#readChanged(before));
      const read = quick ?? (await this.#readEverything());
      return await this.#compared(before, read, quick !== undefined);
    } catch (error) {
      const isNotOffered = error instanceof HttpError && error.status === 404;
      if (!isNotOffered || !sync.isAnyKind || before) throw error;
      sync.note(`${this.#kind}: not offered by this deployment`);
      return undefined;
    }
  }

  async #manifestBefore(): Promise<Manifest | undefined> {
    if (!(await exists(this.#current))) return undefined;
    const path = manifestPath(this.#current);
    if (await exists(path)) return readManifest(path);
    throw new UsageError(
      `"${path}" is missing`,
      `remove "${this.#current}" too, and run it again: everything is read anew`,
    );
  }

  async #openNewest(before: Manifest | undefined): Promise<void> {
    const { reading, sync } = this.#options;
    if (sync.newestFirst === undefined) return;
    const mayBeEmpty = (before?.records ?? 0) === 0;
    await this.#unlessUnsorted(async () => {
      this.#newest = await NewestPages.open(reading, sync.newestFirst ?? '', mayBeEmpty);
    });
  }

  async #unlessUnsorted<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { sync } = this.#options;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof NotSortedError)) throw error;
      this.#newest = undefined;
      sync.note(
        `${this.#kind}: the deployment does not sort by "${sync.newestFirst}", so everything is read`,
      );
      return undefined;
    }
  }

  /** What the newest records and the ids show; undefined when everything is to be read. */
  async #readChanged(before: Manifest): Promise<Read | undefined> {
    const { reading, known, isFullRun, sync } = this.#options;
    const { newest } = known ?? {};
    const first = this.#newest;
    if (isFullRun || !first || newest?.field !== sync.newestFirst || !newest) return undefined;
    const range = { first, field: newest.field, since: newest.value };
    return this.#withIndex(this.#current, async (index) => {
      const changed = await this.#unlessUnsorted(() => changedSince(index, reading, range));
      const changes = changed && (await addedAndRemoved(index, reading, changed));
      if (!changes) return undefined;
      const isNew = changes.fetched.size + changes.removed.size > 0;
      const manifest = isNew ? await this.#merge(index, changes, before) : before;
      return { manifest, isNew, fullRequests: known?.requests ?? 0 };
    });
  }

  /** Everything, as an export. Throws an OpacError when that is not the state of the deployment. */
  async #readEverything(): Promise<Read> {
    const { reading, sync, counts } = this.#options;
    const { deployment, query, signal, onProgress } = sync;
    const requestsBefore = counts.details;
    const { complete, reasons, manifest } = await exportRecords({
      source: sourceOf(reading),
      shape: { kind: this.#kind, format: 'ndjson' },
      target: this.#target,
      deployment,
      query,
      signal,
      command: undefined,
      onProgress: ({ written, total }) => onProgress(written, total),
    });
    const fullRequests = Math.max(counts.details - requestsBefore, manifest.pages.length);
    if (!complete)
      throw new OpacError('incomplete', `not all ${this.#kind} were received: ${reasons.join('; ')}`, {
        hint: AS_IT_WAS,
      });
    if (manifest.withoutId > 0) {
      const many = `${grouped(manifest.withoutId)} of the ${this.#kind}`;
      throw new OpacError('deployment', `${many} came without an id, by which a mirror tells them apart`);
    }
    return { manifest: await this.#settled(manifest), isNew: true, fullRequests };
  }

  /**
   * Lists the ids: a record that moves from one page to another while they are read would be missing, and called removed.
   */
  async #settled(manifest: Manifest): Promise<Manifest> {
    const { reading } = this.#options;
    const { pages, duplicates, totals } = manifest;
    const isOnePage = pages.length <= 1 && duplicates === 0 && totals.drift.length <= 1;
    if (isOnePage && !isFiltered(reading.search)) return manifest;
    return this.#withIndex(this.#target, async (index) => {
      const changes = await addedAndRemoved(index, reading);
      if (!changes)
        throw new OpacError(
          'incomplete',
          `the ids of the ${this.#kind} went on changing while they were listed`,
          {
            hint: AS_IT_WAS,
          },
        );
      const isSame = changes.fetched.size + changes.removed.size === 0;
      return isSame ? manifest : this.#merge(index, changes, manifest);
    });
  }

  async #compared(before: Manifest | undefined, { manifest, isNew, fullRequests }: Read, isQuick: boolean) {
    const { sync, counts, changeLog, temporary } = this.#options;
    const kind = this.#kind;
    const isTested = before !== undefined && !isQuick && sync.newestFirst !== undefined;
    const raised = isTested ? sync.newestFirst : undefined;
    const { added, removed, changed, missed } =
      before && isNew
        ? await changeLog.add({
            kind,
            older: this.#current,
            newer: this.#target,
            temporary,
            raised,
            signal: sync.signal,
          })
        : { added: 0, removed: 0, changed: 0, missed: 0 };
    const { records, notUtf8 } = manifest;
    if (notUtf8?.records > 0) sync.note(`warning: ${kind}: ${notUtf8Text(notUtf8)}`);
    const { requests, details } = counts;
    const newest = this.#newest && { field: sync.newestFirst ?? '', value: this.#newest.newest };
    return {
      outcome: {
        kind,
        records,
        isFirst: before === undefined,
        added,
        removed,
        changed,
        missed: isTested ? missed : undefined,
        requests,
        details,
        fullRequests,
      },
      state: { records, requests: fullRequests, newest },
    };
  }

  async #withIndex<T>(path: string, use: (index: SnapshotIndex) => Promise<T>): Promise<T> {
    const { temporary, sync } = this.#options;
    const snapshot = await Snapshot.open(path, { kind: this.#kind, temporary, signal: sync.signal });
    try {
      return await use(await SnapshotIndex.of(snapshot, sync.signal));
    } finally {
      await snapshot.close();
    }
  }

  #merge(index: SnapshotIndex, changes: Parameters<typeof writeMerged>[2], manifest: Manifest) {
    const { started } = this.#options;
    return writeMerged(this.#target, index, changes, { kind: this.#kind, manifest, started });
  }
}
