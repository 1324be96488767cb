/** A lock lets only one run at a time write a target, such as a file or folder. The run touches its lock file every second. */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  lutimesSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { OpacError, UsageError } from '../service/errors.js';
import { tryParseJson } from '../service/parse-json.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { errorCode, isMissing } from './error-code.js';
import { fileError } from './file-error.js';
import { createLockFile, isAlive, removeLockFile } from './lock-file.js';
import { readRegularFile } from './regular-file.js';
import { checkContent, SIZE } from './schema.js';
import * as v from './valibot.js';

export interface Lock {
  /** Aborted with an OpacError of kind `locked` when another run takes over the lock. */
  readonly lost: AbortSignal;
  /** Throws an OpacError of kind `locked` if another run has taken over the lock. */
  assertHeld(): void;
  release(): Promise<void>;
}

export interface LockOptions {
  /** Milliseconds to wait for another run. Default 0. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, if another run has the lock and opac waits. */
  readonly onWait?: ((error: OpacError) => void) | undefined;
  /** Called after opac has removed the lock of a killed run. */
  readonly onTakeover?: ((message: string) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** The beginning of the hint in the error `locked`, such as `use --wait-lock 5m, or `. */
  readonly advice?: string | undefined;
  readonly mode?: number | undefined;
  /** Milliseconds without a touch after which a lock is stale. Default 15,000. */
  readonly staleAfter?: number | undefined;
}

const HEARTBEAT_MS = 1000;
const DEFAULT_STALE_AFTER_MS = 15_000;
const POLL_INTERVAL_MS = 100;
/** A `.takeover` file exists while a run removes a stale lock, for milliseconds. If the file is older, the run was killed. */
const MAX_CLAIM_AGE_MS = 60_000;

/** A lock file has about 100 bytes, plus the name of the host. */
const MAX_LOCK_BYTES = 4096;

/** No system uses process ids of 2^31 or above. */
const PID = v.pipe(SIZE, v.minValue(1), v.maxValue(2 ** 31 - 1));
const OWNER = v.object({
  pid: PID,
  host: v.string(),
  machine: v.optional(v.string()),
  id: v.optional(v.string()),
});

/** Identifies this boot of the machine and this pid namespace. Outside them, another process may have the same process id. */
const MACHINE = readMachine();

const heldIds = new Set<string>();

/** Also removes the lock of a killed run. Throws an OpacError; its kind is `locked` if another run has the lock. */
export async function acquireLock(path: string, target: string, options: LockOptions = {}): Promise<Lock> {
  const { timeout = 0, signal, onWait, mode, clock = SYSTEM_CLOCK } = options;
  const { staleAfter = DEFAULT_STALE_AFTER_MS } = options;
  const end = clock.now() + timeout;
  const id = randomBytes(6).toString('hex');
  const content = JSON.stringify({ pid: process.pid, host: hostname(), machine: MACHINE, id });
  for (let isFirst = true; ; isFirst = false) {
    try {
      while (!(await createLockFile(path, content, mode))) await removeStaleLock(path, target, options);
      heldIds.add(id);
      return new HeldLock({ path, target, content, id, staleAfter });
    } catch (error) {
      signal?.throwIfAborted();
      const failure = fileError(error, 'write', target);
      const left = end - clock.now();
      if (failure.kind !== 'locked' || left <= 0) throw failure;
      if (isFirst) onWait?.(failure);
      await clock.sleep(Math.min(POLL_INTERVAL_MS, left), signal);
    }
  }
}

interface LockFile {
  readonly path: string;
  readonly target: string;
  readonly content: string;
  readonly id: string;
  readonly staleAfter: number;
}

class HeldLock implements Lock {
  readonly #file: LockFile;
  readonly #lost = new AbortController();
  readonly #heartbeat = setInterval(() => this.#touch(), HEARTBEAT_MS).unref();
  #touchedAt = Date.now();

  constructor(file: LockFile) {
    this.#file = file;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  assertHeld(): void {
    this.#touch();
    this.lost.throwIfAborted();
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    const { id, path, content } = this.#file;
    heldIds.delete(id);
    if (this.#readFile() === content) await removeLockFile(path);
  }

  /** Synchronous, so that a process that was suspended writes nothing before it detects the loss of the lock. */
  #touch(): void {
    const { path, target, content, staleAfter } = this.#file;
    const found = this.#readFile();
    // While this process was suspended, another run may have taken over the lock and ended.
    const wasSuspended = Date.now() - this.#touchedAt >= staleAfter;
    if (found === undefined ? wasSuspended : found !== content) {
      this.#lost.abort(createLostError(target));
      return;
    }
    try {
      // If the file is missing at this point, a user deleted it.
      if (found === undefined) writeFileSync(path, content, { flag: 'wx' });
      lutimesSync(path, new Date(), new Date());
      this.#touchedAt = Date.now();
    } catch {
      // An error of the file system does not mean that another run has the lock.
    }
  }

  #readFile(): string | undefined {
    try {
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const file = openSync(this.#file.path, flags);
      try {
        // Another user may have replaced the lock with a very large file.
        const bytes = Buffer.alloc(MAX_LOCK_BYTES);
        return bytes.toString('utf8', 0, readSync(file, bytes));
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }
}

function createLostError(target: string): OpacError {
  return new OpacError('locked', `another run took over the lock of "${target}"`, {
    hint: 'this process was suspended for too long; run the command again',
  });
}

interface LockState {
  readonly content: string;
  readonly touched: number;
}

async function readState(path: string): Promise<LockState | undefined> {
  try {
    return { content: await readRegularFile(path), touched: (await lstat(path)).mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes the lock if its run was killed or no run touches it. Throws an OpacError of kind `locked` if a run has the lock. */
async function removeStaleLock(path: string, target: string, options: LockOptions): Promise<void> {
  const { advice = '', onTakeover, mode, clock = SYSTEM_CLOCK } = options;
  let isStale = false;
  try {
    const before = await readState(path);
    if (!before) return;
    const owner = parseOwner(before.content, path, target);
    const name = owner ? `process ${owner.pid} on ${owner.host}` : 'unknown process';
    const error = new OpacError('locked', `another run is writing "${target}" (${name})`, {
      hint: `${advice}wait until it ends`,
    });
    if (heldIds.has(owner?.id ?? '')) throw error;
    if (!owner || !isDead(owner)) await waitUntilStale(path, before, error, options);
    isStale = true;
    if (await takeOver(path, before, mode))
      onTakeover?.(`took over the lock of a run that was killed (${name})`);
    else await clock.sleep(POLL_INTERVAL_MS, options.signal);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    const hint = `ask the owner of the lock to remove "${path}"`;
    if (isStale) throw fileError(error, 'remove the old lock', path, hint);
    throw new OpacError('locked', `another run is writing "${target}" (its lock belongs to another user)`, {
      hint: `${advice}${hint} if no other run exists`,
      cause: error,
    });
  }
}

/** Returns undefined if a power cut left the file empty or incomplete. Throws a UsageError for a file that opac did not write. */
function parseOwner(content: string, path: string, target: string): v.InferOutput<typeof OWNER> | undefined {
  if (/^(?:\0*|\{"pid":[^}]*)$/.test(content)) return undefined;
  return checkContent(OWNER, tryParseJson(content), () => {
    const hint = `remove it if no other run writes "${target}"`;
    return new UsageError(`cannot use the lock "${path}": opac did not write it`, hint);
  });
}

function isDead({ pid, machine }: v.InferOutput<typeof OWNER>): boolean {
  return machine !== undefined && machine === MACHINE && !isAlive(pid);
}

/** Returns when the lock is stale or its file was removed. Throws `error` if another run touches or replaces the lock. */
async function waitUntilStale(
  path: string,
  before: LockState,
  error: OpacError,
  { staleAfter = DEFAULT_STALE_AFTER_MS, signal, clock = SYSTEM_CLOCK }: LockOptions,
): Promise<void> {
  // Counts polls instead of comparing times, because two machines may have different clocks, and this process may be suspended.
  for (let waited = 0; waited < staleAfter; waited += POLL_INTERVAL_MS) {
    await clock.sleep(POLL_INTERVAL_MS, signal);
    const now = await readState(path);
    if (!now) return;
    if (now.content !== before.content || now.touched !== before.touched) throw error;
  }
}

/** Removes a stale lock. Returns false if another run removes, touches or replaces the lock. Throws file system errors. */
async function takeOver(path: string, before: LockState, mode: number | undefined): Promise<boolean> {
  const claim = `${path}.takeover`;
  if (!(await createLockFile(claim, `${process.pid}`, mode))) {
    const { mtimeMs } = await lstat(claim).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > MAX_CLAIM_AGE_MS) await removeLockFile(claim);
    return false;
  }
  try {
    const now = await readState(path);
    if (now?.content !== before.content || now.touched !== before.touched) return false;
    await unlink(path);
    return true;
  } finally {
    await removeLockFile(claim);
  }
}

/** Reads values that only Linux has. Returns undefined on other systems; opac then waits until a lock is stale. */
function readMachine(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256')
      .update(`${boot} ${readlinkSync('/proc/self/ns/pid')}`)
      .digest('hex')
      .slice(0, 16);
  } catch {
    return undefined;
  }
}
