/** Brings a mirror to the state of its deployment: the one function that commands and programs call. */

import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, RequestOptions } from '../client/client.js';
import { HttpError } from '../client/errors/http-error.js';
import { compareSnapshots } from '../diff/compare.js';
import type { Difference } from '../diff/difference.js';
import { differenceJson } from '../diff/reports/rows.js';
import { Snapshot } from '../diff/snapshot.js';
import { SnapshotIndex } from '../diff/snapshot-index.js';
import { exportRecords } from '../export/export-records.js';
import { FileError, fileError } from '../export/files/file-error.js';
import { takeLock } from '../export/files/lock.js';
import { PartFile } from '../export/files/part-file.js';
import { type Manifest, readManifest } from '../export/run/manifest.js';
import { manifestPath } from '../export/run/target.js';
import { searchSource } from '../export/source/source.js';
import type { EndpointId } from '../service/endpoints/catalogue.js';
import { OpacError, UsageError } from '../service/errors.js';
import { grouped } from '../service/grouped.js';
import type { RecordKind } from '../service/kinds.js';
import type { QueryParameters } from '../service/search/search.js';
import { VERSION } from '../service/version.js';
import { exists } from '../system/file-errors.js';
import { makeFolder } from '../system/make-folder.js';
import { CHANGES, commit, isOurFolder, nextFolder, settle, timeName } from './commit.js';
import { writeMerged } from './merged-snapshot.js';
import { quickWalk } from './quick-walk.js';
import { CHANGES_FOLDER, checkSame, MIRROR_FORMAT, type MirrorState, readState } from './state.js';

export interface SyncOptions {
  readonly folder: string;
  readonly client: Client;
  readonly deployment: string;
  readonly kinds: readonly RecordKind[];
  /** Whether a kind that the deployment does not offer is passed over. */
  readonly isAnyKind: boolean;
  readonly query: QueryParameters;
  readonly ending: string;
  /** Old snapshots that stay. */
  readonly keep: number;
  readonly newestFirst: string | undefined;
  /** Every so many runs everything is read. */
  readonly fullEvery: number;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
  readonly onProgress: (written: number, total: number | undefined) => void;
}

export interface KindOutcome {
  readonly kind: RecordKind;
  readonly records: number;
  readonly isFirst: boolean;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Edits that `newestFirst` did not show; undefined where it was not put to the test. */
  readonly missed: number | undefined;
  /** Requests in all, those for whole records among them, and what a full export takes. */
  readonly requests: number;
  readonly details: number;
  readonly fullRequests: number;
}

export interface SyncOutcome {
  readonly kinds: readonly KindOutcome[];
  /** The file of what changed; undefined when nothing did. */
  readonly changes: string | undefined;
}

/** A run that was interrupted longer ago is begun anew: yesterday's records must not make up half of today's. */
const FRESH = 24 * 60 * 60 * 1000;

/**
 * Makes or brings up to date the mirror in a folder. Throws an OpacError and leaves the mirror as it was: `usage` for a folder of
 * another deployment or version, `locked` for one that another run holds, `incomplete` when not everything was received or
 * the disk is full; then the next run goes on where this one stopped.
 */
export async function syncMirror(options: SyncOptions): Promise<SyncOutcome> {
  const { folder, keep, signal } = options;
  await makeFolder(folder).catch((error) => Promise.reject(fileError(error, 'write in', folder)));
  const lock = await takeLock(join(folder, '.lock'), folder, { signal });
  try {
    await settle(folder, keep);
    return await new MirrorRun(options, await readState(folder)).run();
  } catch (error) {
    throw runError(error, signal);
  } finally {
    await lock.release();
  }
}

function runError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason ?? error;
  const isOfRun =
    error instanceof FileError
      ? error.fault?.isOfDisk
      : error instanceof OpacError && error.kind === 'deployment';
  if (!isOfRun || !(error instanceof OpacError)) return error;
  const hint = `${error instanceof FileError ? `${error.fault?.remedy}; ` : ''}the mirror is as it was; run it again to go on`;
  return new OpacError('incomplete', error.message, { hint, code: error.code, cause: error });
}

class MirrorRun {
  readonly #options: SyncOptions;
  readonly #before: MirrorState | undefined;
  readonly #next: string;
  readonly #started = new Date().toISOString();
  #changes: PartFile | undefined;
  #requests = 0;
  #details = 0;

  constructor(options: SyncOptions, before: MirrorState | undefined) {
    if (before) checkSame(options.folder, before, options);
    this.#options = options;
    this.#before = before;
    this.#next = nextFolder(options.folder);
  }

  get #temporary(): string {
    return join(this.#next, '.temporary');
  }

  get #isFullRun(): boolean {
    const { newestFirst, fullEvery } = this.#options;
    return newestFirst === undefined || !this.#before || this.#before.sinceFull + 1 >= fullEvery;
  }

  async run(): Promise<SyncOutcome> {
    const { folder, kinds, deployment, query, ending, keep } = this.#options;
    await this.#prepare();
    const outcomes: KindOutcome[] = [];
    try {
      for (const kind of kinds) {
        const outcome = await this.#kind(kind);
        if (outcome) outcomes.push(outcome);
      }
      await this.#changes?.sync();
    } finally {
      await this.#changes?.close();
    }
    await rm(this.#temporary, { recursive: true, force: true });
    const changes = this.#changes && join(CHANGES_FOLDER, `${timeName(this.#started)}.ndjson`);
    if (!changes) await rm(join(this.#next, CHANGES), { force: true });
    const known = outcomes.map(({ kind, records, fullRequests: requests }) => [kind, { records, requests }]);
    const state: MirrorState = {
      format: MIRROR_FORMAT,
      tool: `opac ${VERSION}`,
      deployment,
      query,
      ending,
      runs: (this.#before?.runs ?? 0) + 1,
      sinceFull: this.#isFullRun ? 0 : (this.#before?.sinceFull ?? 0) + 1,
      updated: this.#started,
      changes,
      kinds: { ...this.#before?.kinds, ...Object.fromEntries(known) },
    };
    await commit(folder, state, keep);
    return { kinds: outcomes, changes: changes && join(folder, changes) };
  }

  async #prepare(): Promise<void> {
    try {
      const isThere = await isOurFolder(this.#next);
      if (isThere && Date.now() - (await stat(this.#next)).mtimeMs > FRESH)
        await rm(this.#next, { recursive: true, force: true });
      await rm(this.#temporary, { recursive: true, force: true });
      await mkdir(this.#temporary, { recursive: true });
    } catch (error) {
      throw fileError(error, 'write in', this.#next);
    }
  }

  async #kind(kind: RecordKind): Promise<KindOutcome | undefined> {
    const { folder, ending, isAnyKind, note, newestFirst } = this.#options;
    const [current, target] = [folder, this.#next].map((place) => join(place, `${kind}.${ending}`)) as [
      string,
      string,
    ];
    const isFirst = !(await exists(current));
    this.#requests = 0;
    this.#details = 0;
    const beside = manifestPath(current);
    if (!isFirst && !(await exists(beside)))
      throw new UsageError(
        `"${beside}" is missing`,
        `remove "${current}" too, and run it again: everything is read anew`,
      );
    let manifest = isFirst ? undefined : await readManifest(beside);
    let isMade = false;
    let isRead = this.#isFullRun || !manifest;
    if (!isRead && manifest) {
      const records = await this.#quick(kind, current, target, manifest);
      isRead = records === undefined;
      isMade = records !== undefined && records >= 0;
    }
    try {
      if (isRead) manifest = await this.#full(kind, target);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404 || !isAnyKind) throw error;
      note(`${kind}: not offered by this deployment`);
      return undefined;
    }
    if (isRead && manifest && manifest.withoutId > 0) {
      await rm(this.#next, { recursive: true, force: true });
      const many = `${grouped(manifest.withoutId)} of the ${kind}`;
      throw new OpacError('deployment', `${many} came without an id, by which a mirror tells them apart`);
    }
    isMade ||= isRead;
    const isTested = isRead && !isFirst && newestFirst !== undefined;
    const counts =
      isMade && !isFirst
        ? await this.#compare(kind, current, target, isTested)
        : { added: 0, removed: 0, changed: 0, missed: 0 };
    const known = this.#before?.kinds[kind]?.requests;
    const made = isMade ? await readManifest(manifestPath(target)) : manifest;
    return {
      ...counts,
      kind,
      isFirst,
      records: made?.records ?? 0,
      missed: isTested ? counts.missed : undefined,
      requests: this.#requests,
      details: this.#details,
      fullRequests: isRead ? Math.max(this.#details, made?.pages.length ?? 0) : (known ?? 0),
    };
  }

  /** Everything, as an export that goes on where an earlier run stopped. */
  async #full(kind: RecordKind, target: string): Promise<Manifest> {
    const { deployment, query, concurrency, signal, onProgress, note } = this.#options;
    if (await exists(target)) {
      const made = await readManifest(manifestPath(target)).catch(() => undefined);
      if (made?.complete) return made;
    }
    const { complete, reasons, manifest } = await exportRecords({
      source: searchSource({ client: this.#client, kind, query, concurrency }),
      shape: { kind, format: 'ndjson' },
      target,
      deployment,
      query,
      resume: true,
      signal,
      command: undefined,
      onProgress: ({ written, total }) => onProgress(written, total),
    });
    if (!complete)
      throw new OpacError('incomplete', `not all ${kind} were received: ${reasons.join('; ')}`, {
        hint: 'the mirror is as it was; run it again to go on',
      });
    if (manifest.totals.drift.length <= 1 && manifest.duplicates === 0) return manifest;
    for (let tries = 0; tries < 3; tries++) {
      const settled = await this.#quick(kind, target, target, manifest);
      if (settled !== undefined) return readManifest(manifestPath(target));
    }
    note(`${kind}: the deployment went on changing during the run; the next one finds the rest`);
    return manifest;
  }

  /** What the newest records and the ids show; gives the number of records, -1 when nothing changed, undefined to read everything. */
  async #quick(
    kind: RecordKind,
    from: string,
    target: string,
    manifest: Manifest,
  ): Promise<number | undefined> {
    const { query, newestFirst, concurrency, signal } = this.#options;
    const snapshot = await Snapshot.open(from, { kind, temporary: this.#temporary, signal });
    try {
      const index = await SnapshotIndex.of(snapshot, signal);
      const walk = await quickWalk(index, {
        client: this.#client,
        kind,
        query,
        newestFirst,
        concurrency,
        signal,
      });
      if (!walk) return undefined;
      if (walk.fetched.size + walk.removed.size === 0) return -1;
      return await writeMerged(target, index, walk, { kind, manifest, started: this.#started });
    } finally {
      await snapshot.close();
    }
  }

  async #compare(kind: RecordKind, current: string, target: string, isTested: boolean) {
    const { signal, newestFirst } = this.#options;
    const temporary = this.#temporary;
    const older = await Snapshot.open(current, { kind, temporary, signal });
    try {
      const newer = await Snapshot.open(target, { kind, temporary, signal });
      try {
        const everything = {
          include: new Set<never>(),
          isCompared: () => true,
          isWanted: () => true,
          context: [],
          signal,
        };
        const { differences, tally } = await compareSnapshots(older, newer, everything);
        let missed = 0;
        for await (const difference of differences) {
          const isMissed =
            isTested &&
            difference.change === 'changed' &&
            (difference.newer?.values(newestFirst ?? 'id')?.length ?? 0) > 0 &&
            !difference.changes.some(({ field }) => field === newestFirst);
          if (isMissed) missed++;
          await this.#write(difference, isMissed);
        }
        const { added = 0, removed = 0, changed = 0 } = tally.kinds.get(kind) ?? {};
        return { added, removed, changed, missed };
      } finally {
        await newer.close();
      }
    } finally {
      await older.close();
    }
  }

  /** A line of the file of changes: the difference, and the whole record as it is now. */
  async #write(difference: Difference, isMissed: boolean): Promise<void> {
    this.#changes ??= await PartFile.create(join(this.#next, CHANGES));
    const { bytes } = difference.newer ?? {};
    const more = `${isMissed ? ',"missed":true' : ''}${bytes ? `,"record":${bytes.toString().trim()}` : ''}`;
    await this.#changes.append(Buffer.from(`${differenceJson(difference).slice(0, -1)}${more}}\n`));
  }

  /** The client, with its requests counted. */
  get #client(): Client {
    const { client } = this.#options;
    const counted = (ask?: RequestOptions) => {
      this.#requests++;
      if (ask?.query?.some(([name]) => name === 'view') || ask?.path) this.#details++;
    };
    return {
      ...client,
      get: (endpointId, ask) => {
        counted(ask);
        return client.get(endpointId, ask);
      },
      fetch: ((endpointId: EndpointId, ask?: RequestOptions) => {
        counted(ask);
        return client.fetch(endpointId, ask);
      }) as Client['fetch'],
    };
  }
}
