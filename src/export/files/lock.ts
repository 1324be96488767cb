/** One run a target: a file beside it that says which process writes. */
import { link, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Clock, SYSTEM_CLOCK } from '../../client/clock.js';
import { OpacError } from '../../service/errors.js';
import { errorCode, fileError } from './file-error.js';
import { writeSynced } from './whole-file.js';

export interface Lock {
  release(): Promise<void>;
}

/** How long to wait for a lock that another run holds. */
export interface LockWait {
  /** Milliseconds; 0 unless told. */
  readonly within?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, before the wait. */
  readonly onWait?: ((error: OpacError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** What the error recommends first: `use --wait-lock, or `. */
  readonly advice?: string | undefined;
}

const BETWEEN_TRIES = 250;

/** Paths of the locks that this process holds. */
const held = new Set<string>();

/**
 * Takes the lock at that path. A lock left by a process of this machine that is gone is taken over.
 * Throws an OpacError: of kind `locked` when another run holds it, of kind `internal` when the folder cannot be written.
 */
export async function takeLock(path: string, target: string, waiting: LockWait = {}): Promise<Lock> {
  const { within = 0, signal, onWait, advice = '', clock = SYSTEM_CLOCK } = waiting;
  const end = clock.now() + within;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await tryLock(path, target, advice);
    } catch (error) {
      const left = end - clock.now();
      if (!(error instanceof OpacError) || error.kind !== 'locked' || left <= 0) throw error;
      if (isFirst) onWait?.(error);
      await clock.sleep(Math.min(BETWEEN_TRIES, left), signal);
    }
  }
}

async function tryLock(path: string, target: string, advice: string): Promise<Lock> {
  const mine = `${path}.${process.pid}`;
  const content = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    // Synced, for an empty lock, as a power cut would leave it, could not be told from that of a run on another machine.
    await writeSynced(mine, content).catch((error) => Promise.reject(fileError(error, 'write', target)));
    // A link appears with its content or not at all; a second try, in case a dead run's lock had to be removed.
    while (!(await linked(mine, path))) await removeStale(path, target, advice);
  } finally {
    await removeQuietly(mine);
  }
  held.add(path);
  return {
    async release() {
      held.delete(path);
      await removeQuietly(path);
    },
  };
}

/** What a disk keeps against our will does no harm: the process that it names will be gone. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw fileError(error, 'write', to);
  }
}

async function removeStale(path: string, target: string, advice: string): Promise<void> {
  const before = await contentOf(path);
  if (before === undefined) return;
  const { pid, host } = holder(before);
  // In a container that was started again, the process that died had the number that this one has.
  const isDead = pid === process.pid ? !held.has(path) : pid === undefined || !isAlive(pid);
  if (host !== hostname() || !isDead) {
    throw new OpacError(
      'locked',
      `another run is writing "${target}" (process ${pid ?? 'unknown'} on ${host ?? 'an unknown machine'})`,
      { hint: `${advice}remove "${path}" if no such process exists` },
    );
  }
  // Moved away before it is removed: had another run replaced it meanwhile, that one's lock is put back.
  const aside = `${path}.${process.pid}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw fileError(error, 'write', path);
    return;
  }
  if ((await contentOf(aside)) !== before) await linked(aside, path);
  await removeQuietly(aside);
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, 'read', path);
  }
}

function holder(content: string): { readonly pid?: number; readonly host?: string } {
  try {
    const { pid, host } = JSON.parse(content) as Record<string, unknown>;
    return {
      ...(typeof pid === 'number' && { pid }),
      ...(typeof host === 'string' && { host }),
    };
  } catch {
    return {};
  }
}

/** Whether a process of that number runs here; signal 0 only asks. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
