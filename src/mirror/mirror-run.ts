/** One run: reads each kind into a folder beside the mirror, and makes that its new state when all are there. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordKind } from '../service/kinds.js';
import { VERSION } from '../service/version.js';
import { fileError } from '../system/file-error.js';
import { ChangeLog } from './change-log.js';
import { CHANGES, commit, formatTimeForFileName, getStagingFolder } from './commit.js';
import { RequestCounts } from './counting-client.js';
import { folderExists } from './folder-exists.js';
import { type KindResult, KindRun } from './kind-run.js';
import {
  assertSameSearch,
  CHANGES_FOLDER,
  type KindState,
  MIRROR_FORMAT,
  type MirrorState,
} from './state.js';
import type { KindOutcome, SyncOptions } from './sync-options.js';

export class MirrorRun {
  readonly #options: SyncOptions;
  readonly #before: MirrorState | undefined;
  readonly #staging: string;
  readonly #started: string;
  readonly #counts: RequestCounts[] = [];

  constructor(options: SyncOptions, before: MirrorState | undefined) {
    if (before) assertSameSearch(options.folder, before, options);
    this.#options = options;
    this.#before = before;
    this.#staging = getStagingFolder(options.folder);
    // Files are named after it: later than before, also when the clock was set back.
    const last = before ? Date.parse(before.updated) || 0 : 0;
    this.#started = new Date(Math.max(Date.now(), last + 1)).toISOString();
  }

  /** Whether the deployment has sent any usable response. */
  get isReached(): boolean {
    return this.#counts.some(({ isReached }) => isReached);
  }

  get #isFullRun(): boolean {
    const { newestFirst, fullEvery } = this.#options;
    return newestFirst === undefined || !this.#before || this.#before.sinceFull + 1 >= fullEvery;
  }

  async run(): Promise<{ readonly outcomes: readonly KindOutcome[]; readonly state: MirrorState }> {
    const { folder, keep } = this.#options;
    const temporary = join(this.#staging, '.temporary');
    await this.#clear();
    try {
      await mkdir(temporary, { recursive: true }).catch((error) =>
        Promise.reject(fileError(error, 'write in', this.#staging)),
      );
      const changeLog = new ChangeLog(join(this.#staging, CHANGES));
      const runs = await this.#kinds(changeLog, temporary).finally(() => changeLog.close());
      await rm(temporary, { recursive: true, force: true });
      const outcomes = runs.map(({ outcome }) => outcome);
      const state = this.#state(runs, changeLog);
      await commit(folder, state, keep);
      return { outcomes, state };
    } catch (error) {
      await this.#clear().catch(() => undefined);
      throw error;
    }
  }

  /** Whatever a run left that did not end: its records are of another time. */
  async #clear(): Promise<void> {
    if (!(await folderExists(this.#staging))) return;
    await rm(this.#staging, { recursive: true, force: true }).catch((error) =>
      Promise.reject(fileError(error, 'write in', this.#staging)),
    );
  }

  async #kinds(changeLog: ChangeLog, temporary: string) {
    const { kinds, searchOf, concurrency, signal } = this.#options;
    const runs: KindResult[] = [];
    for (const kind of kinds) {
      const counts = new RequestCounts();
      this.#counts.push(counts);
      const client = counts.counting(this.#options.client);
      const run = await new KindRun({
        sync: this.#options,
        reading: { client, kind, search: await searchOf(kind), concurrency, signal },
        counts,
        known: this.#isFullRun ? undefined : this.#before?.kinds[kind],
        staging: this.#staging,
        temporary,
        changeLog,
      }).run();
      if (run) runs.push(run);
    }
    await changeLog.sync();
    return runs;
  }

  #state(runs: readonly KindResult[], { isEmpty }: ChangeLog): MirrorState {
    const { deployment, query, ending, deliver } = this.#options;
    const before = this.#before;
    const changes = isEmpty
      ? undefined
      : join(CHANGES_FOLDER, `${formatTimeForFileName(this.#started)}.ndjson`);
    // A command that was used once gets all changes from then on, also those that runs without it find.
    const isHandedOn = deliver !== undefined || before?.pending !== undefined;
    const pending = [...(before?.pending ?? []), ...(changes ? [changes] : [])];
    const kinds = runs.map(({ outcome, state }): [RecordKind, KindState] => [outcome.kind, state]);
    return {
      format: MIRROR_FORMAT,
      tool: `opac ${VERSION}`,
      deployment,
      query,
      ending,
      runs: (before?.runs ?? 0) + 1,
      sinceFull: this.#isFullRun ? 0 : (before?.sinceFull ?? 0) + 1,
      updated: this.#started,
      changes,
      ...(isHandedOn && { pending }),
      kinds: { ...before?.kinds, ...Object.fromEntries(kinds) },
    };
  }
}
