/** One run: reads each kind into a folder beside the mirror, and makes that its new state when all are there. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NotUtf8Counter } from '../records/json/not-utf8.js';
import { OpacError } from '../service/errors.js';
import type { RecordKind } from '../service/kinds.js';
import { VERSION } from '../service/version.js';
import { FileError, fileError } from '../system/file-error.js';
import { ChangeLog } from './change-log.js';
import { CHANGES, clearStagingFolder, commit, formatTimeForFileName, getStagingFolder } from './commit.js';
import { type KindResult, KindRun, UNCHANGED_HINT } from './kind-run.js';
import { RequestCounts } from './request-counts.js';
import { CHANGES_FOLDER, MIRROR_FORMAT, type MirrorState } from './state.js';
import type { KindOutcome, SyncOptions } from './sync-options.js';

export interface RunOutcome {
  readonly outcomes: readonly KindOutcome[];
  readonly state: MirrorState;
}

/** Throws an OpacError of kind `incomplete` for a disk that failed, and for a deployment that had responded before it failed. */
export async function runMirror(options: SyncOptions, before: MirrorState | undefined): Promise<RunOutcome> {
  const { folder, keep } = options;
  const staging = getStagingFolder(folder);
  const temporary = join(staging, '.temporary');
  const changeLog = new ChangeLog(join(staging, CHANGES));
  // Files are named after it: later than before, also when the clock was set back.
  const last = before ? Date.parse(before.updated) || 0 : 0;
  const updated = new Date(Math.max(Date.now(), last + 1)).toISOString();
  const counts = new Map(options.kinds.map((kind) => [kind, new RequestCounts()]));
  try {
    // What a run left that did not end is of another time.
    await clearStagingFolder(folder);
    await mkdir(temporary, { recursive: true }).catch((error) =>
      Promise.reject(fileError(error, 'write in', staging)),
    );
    const known = isFullRun(options, before) ? {} : (before?.kinds ?? {});
    const results: KindResult[] = [];
    try {
      for (const [kind, counted] of counts) {
        const client = counted.countIn(options.client);
        const { concurrency, signal } = options;
        const search = await options.searchOf(kind);
        const reading = { client, kind, search, notUtf8: new NotUtf8Counter(kind), concurrency, signal };
        const setup = { sync: options, reading, counts: counted, staging, temporary, changeLog };
        const result = await new KindRun({ ...setup, known: known[kind] }).run();
        if (result) results.push(result);
      }
      await changeLog.sync();
    } finally {
      await changeLog.close();
    }
    await rm(temporary, { recursive: true, force: true });
    const outcomes = results.map(({ outcome }) => outcome);
    const kinds = Object.fromEntries(results.map(({ outcome, state }) => [outcome.kind, state]));
    const name = join(CHANGES_FOLDER, `${formatTimeForFileName(updated)}.ndjson`);
    const changes = changeLog.isEmpty ? undefined : name;
    const state = createState(options, before, { updated, changes, kinds });
    await commit(folder, state, keep);
    return { outcomes, state };
  } catch (error) {
    await clearStagingFolder(folder).catch(() => undefined);
    throw createRunError(error, counts);
  }
}

function isFullRun({ newestFirst, fullEvery }: SyncOptions, before: MirrorState | undefined): boolean {
  return newestFirst === undefined || !before || before.sinceFull + 1 >= fullEvery;
}

function createState(
  options: SyncOptions,
  before: MirrorState | undefined,
  { updated, changes, kinds }: Pick<MirrorState, 'updated' | 'changes' | 'kinds'>,
): MirrorState {
  const { deployment, query, ending, deliver } = options;
  // A command that was used once gets all changes from then on, also those that runs without it find.
  const isHandedOn = deliver !== undefined || before?.pending !== undefined;
  const pending = [...(before?.pending ?? []), ...(changes ? [changes] : [])];
  return {
    format: MIRROR_FORMAT,
    tool: `opac ${VERSION}`,
    deployment,
    query,
    ending,
    runs: (before?.runs ?? 0) + 1,
    sinceFull: isFullRun(options, before) ? 0 : (before?.sinceFull ?? 0) + 1,
    updated,
    changes,
    ...(isHandedOn && { pending }),
    kinds: { ...before?.kinds, ...kinds },
  };
}

function createRunError(error: unknown, counts: ReadonlyMap<RecordKind, RequestCounts>): unknown {
  const isOfRun =
    error instanceof FileError
      ? error.fault?.isOfDisk
      : error instanceof OpacError &&
        error.kind === 'deployment' &&
        [...counts.values()].some(({ isReached }) => isReached);
  if (!isOfRun || !(error instanceof OpacError)) return error;
  const hint = error instanceof FileError ? `${error.fault?.remedy}; ${UNCHANGED_HINT}` : UNCHANGED_HINT;
  return new OpacError('incomplete', error.message, { hint, code: error.code, cause: error });
}
