/** Locks, also those of other users: a process of another user meets them. */
import { execFile, spawnSync } from 'node:child_process';
import promises, {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';
import { withFolder } from '../export/export-setup.js';

const HOST = hostname();
/** As `acquireLock` writes it. */
const MACHINE = await (async () => {
  const path = join(tmpdir(), `opac-machine-${process.pid}.lock`);
  const lock = await acquireLock(path, 'machine');
  const { machine } = JSON.parse(await readFile(path, 'utf8')) as { readonly machine: string };
  await lock.release();
  return machine;
})();
/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid;

describe('a lock', () => {
  it('names its process, and is taken once until it is released', () =>
    withFolder(async (path, read) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      expect(JSON.parse(await read('lock'))).toMatchObject({ pid: process.pid, host: HOST });
      const error = {
        kind: 'locked',
        message: `another run is writing "out.csv" (process ${process.pid} on ${HOST})`,
        hint: 'wait until it ends',
      };
      await expect(acquireLock(path('lock'), 'out.csv')).rejects.toMatchObject(error);
      const advice = 'use --wait-lock 5m, or ';
      const advised = { ...error, hint: advice + error.hint };
      await expect(acquireLock(path('lock'), 'out.csv', { advice })).rejects.toMatchObject(advised);
      await lock.release();
      expect(await readdir(path(''))).toEqual([]);
      await (await acquireLock(path('lock'), 'out.csv')).release();
    }));

  it('keeps every file of a takeover private', () =>
    withFolder(async (path) => {
      await writeFile(path('lock'), JSON.stringify({ pid: deadPid(), host: HOST, machine: MACHINE }));
      const modes: string[] = [];
      const real = promises.link;
      promises.link = async (from, to) => {
        modes.push(((await stat(from)).mode & 0o777).toString(8));
        return real(from, to);
      };
      syncBuiltinESMExports();
      onTestFinished(() => {
        promises.link = real;
        syncBuiltinESMExports();
      });
      await (await acquireLock(path('lock'), 'the profiles', { mode: 0o600 })).release();
      // The lock that exists, the claim, and the new lock.
      expect(modes).toEqual(['600', '600', '600']);
    }));

  it.each([
    ['a dead process of this machine', () => ({ pid: deadPid(), host: HOST, machine: MACHINE }), 'at once'],
    [
      'a process that had the number of this one',
      () => ({ pid: process.pid, host: HOST, machine: MACHINE }),
      'after a while',
    ],
    ['the last number there is', () => ({ pid: 2 ** 31 - 1, host: HOST, machine: MACHINE }), 'at once'],
    [
      'a process of another machine',
      () => ({ pid: deadPid(), host: 'other', machine: 'other' }),
      'after a while',
    ],
    [
      'a process of another pid namespace',
      () => ({ pid: 1, host: HOST, machine: `${MACHINE}0` }),
      'after a while',
    ],
    [
      'a number that another process has now',
      () => ({ pid: process.ppid, host: HOST, machine: MACHINE }),
      'after a while',
    ],
    ['an older version of opac', () => ({ pid: deadPid(), host: HOST }), 'after a while'],
    ['nobody, as after a power cut', () => undefined, 'after a while'],
    ['a power cut while it was written', () => '{"pid":4991,"host":"v', 'after a while'],
  ])('that was left by %s is taken over', (_, owner, when) =>
    withFolder(async (path) => {
      const left = owner();
      await writeFile(path('lock'), typeof left === 'string' ? left : (JSON.stringify(left) ?? ''));
      const notes: string[] = [];
      let now = 0;
      const sleep = async (time: number) => {
        now += time;
      };
      const clock = { now: () => now, sleep };
      const onTakeover = (message: string) => notes.push(message);
      await (await acquireLock(path('lock'), 'out.csv', { clock, onTakeover })).release();
      expect([when, now]).toEqual(when === 'at once' ? ['at once', 0] : ['after a while', 15_000]);
      expect(notes).toEqual([expect.stringMatching(/^took over the lock of a run that was killed \(/)]);
      expect(await readdir(path(''))).toEqual([]);
    }),
  );

  it('that is touched meanwhile is not taken over', () =>
    withFolder(async (path) => {
      await writeFile(path('lock'), JSON.stringify({ pid: 5, host: 'other', machine: 'other' }));
      let polls = 0;
      const clock = {
        now: () => 0,
        sleep: async () => {
          if (++polls === 10) await utimes(path('lock'), new Date(), new Date(2_000_000_000_000));
        },
      };
      await expect(acquireLock(path('lock'), 'out.csv', { clock })).rejects.toMatchObject({
        kind: 'locked',
        message: 'another run is writing "out.csv" (process 5 on other)',
      });
      expect(polls).toBe(10);
    }));

  it('is touched every second, and created again when somebody deleted it', () =>
    withFolder(async (path, read) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      await utimes(path('lock'), new Date(), new Date(0));
      await vi.waitFor(async () => expect((await stat(path('lock'))).mtimeMs).toBeGreaterThan(0), 5000);
      await rm(path('lock'));
      lock.assertHeld();
      expect(JSON.parse(await read('lock'))).toMatchObject({ pid: process.pid });
      await lock.release();
      expect(await readdir(path(''))).toEqual([]);
    }));

  it('that is gone after this process was suspended is lost: another run may have had it', () =>
    withFolder(async (path) => {
      const lock = await acquireLock(path('lock'), 'out.csv', { staleAfter: 0 });
      await rm(path('lock'));
      expect(() => lock.assertHeld()).toThrow('another run took over');
      await lock.release();
      expect(await readdir(path(''))).toEqual([]);
    }));

  it('that another user replaced by a huge file is lost', () =>
    withFolder(async (path) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      await rm(path('lock'));
      await writeFile(path('lock'), '');
      await truncate(path('lock'), 1_900_000_000);
      expect(() => lock.assertHeld()).toThrow('another run took over');
      await lock.release();
      expect((await stat(path('lock'))).size).toBe(1_900_000_000);
    }));

  it('that another run took over is lost, and stays with the other run', () =>
    withFolder(async (path, read) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      await writeFile(path('lock'), '{"pid":5,"host":"other"}');
      const error = { kind: 'locked', message: 'another run took over the lock of "out.csv"' };
      await vi.waitFor(() => expect(lock.lost.reason).toMatchObject(error), 5000);
      expect(() => lock.assertHeld()).toThrow('took over');
      await lock.release();
      expect(await read('lock')).toBe('{"pid":5,"host":"other"}');
    }));

  it.each([
    'x',
    '[]',
    '{}',
    `{"host":"${HOST}"}`,
    '{"pid":5}',
    '{"pid":5,"host":1}',
    `{"pid":0,"host":"${HOST}"}`,
    `{"pid":-5,"host":"${HOST}"}`,
    `{"pid":1.5,"host":"${HOST}"}`,
    `{"pid":"5","host":"${HOST}"}`,
    `{"pid":${2 ** 31},"host":"${HOST}"}`,
  ])('of %j is not a lock, and stays', (content) =>
    withFolder(async (path, read) => {
      await writeFile(path('lock'), content);
      await expect(acquireLock(path('lock'), 'out.csv', { timeout: 60_000 })).rejects.toMatchObject({
        kind: 'usage',
        message: `cannot use the lock "${path('lock')}": opac did not write it`,
        hint: 'remove it if no other run writes "out.csv"',
      });
      expect(await read('lock')).toBe(content);
    }),
  );

  it('that cannot be written is said to be so by the target', () =>
    withFolder(async (path) => {
      await expect(acquireLock(path('none/lock'), 'out.csv', { timeout: 60_000 })).rejects.toMatchObject({
        kind: 'internal',
        message: 'cannot write "out.csv": the folder or file does not exist',
      });
    }));

  it('is waited for as long as was requested', () =>
    withFolder(async (path) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      let now = 1000;
      let slept: [number, AbortSignal | undefined][] = [];
      const waits: unknown[] = [];
      const { signal } = new AbortController();
      const clock = {
        now: () => now,
        sleep: async (time: number, by?: AbortSignal) => {
          slept.push([time, by]);
          now += time;
          if (now === 3100) await lock.release();
        },
      };
      const waiting = { signal, clock, onWait: (error: unknown) => waits.push(error) };
      const attempt = acquireLock(path('lock'), 'out.csv', { ...waiting, timeout: 250 });
      await expect(attempt).rejects.toMatchObject({ kind: 'locked' });
      expect(slept).toEqual([100, 100, 50].map((time) => [time, signal]));
      expect(waits).toMatchObject([{ kind: 'locked' }]);
      await expect(acquireLock(path('lock'), 'out.csv', { clock, timeout: 0 })).rejects.toThrow(
        'another run',
      );
      expect(slept).toHaveLength(3);
      [now, slept] = [3000, []];
      const own = await acquireLock(path('lock'), 'out.csv', { clock, timeout: 600 });
      expect(slept).toHaveLength(1);
      expect(JSON.parse(await readFile(path('lock'), 'utf8'))).toMatchObject({ pid: process.pid });
      await own.release();
    }));

  it('is waited for until the run is interrupted, also while the lock may be stale', () =>
    withFolder(async (path) => {
      await writeFile(path('lock'), JSON.stringify({ pid: 1, host: 'other', machine: 'other', id: 'a' }));
      const stop = new AbortController();
      const reason = new Error('stopped by the user');
      setTimeout(() => stop.abort(reason), 150);
      const attempt = acquireLock(path('lock'), 'out.csv', { signal: stop.signal, timeout: 60_000 });
      await expect(attempt).rejects.toBe(reason);
    }));
});

const isRoot = process.getuid?.() === 0;
/** A user who owns nothing. */
const NOBODY = 65_534;

const PROGRAM = `
import { acquireLock } from './src/system/lock.js';
const [path] = process.argv.slice(2);
await acquireLock(path, 'out.csv', { advice: 'use --wait-lock 5m, or ' }).then(
  (lock) => lock.release(),
  ({ kind, message, hint }) => console.log(JSON.stringify({ kind, message, hint })),
);
`;

/** What a process of another user is told who wants the lock; undefined when it got it. */
async function askedByAnother({
  folderMode,
  lockMode,
}: {
  readonly folderMode: number;
  readonly lockMode: number;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'opac-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd() },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const lock = join(folder, 'out.csv.lock');
  await writeFile(lock, JSON.stringify({ pid: deadPid(), host: HOST, machine: MACHINE }));
  await chmod(lock, lockMode);
  await chmod(program, 0o644);
  await chmod(folder, folderMode);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [program, lock], user);
  const left = (await readdir(folder)).filter((name) => name.includes('.lock'));
  return { told: stdout === '' ? undefined : (JSON.parse(stdout.replaceAll(folder, '')) as unknown), left };
}

// Windows has other permissions.
describe.skipIf(process.platform === 'win32')(
  'a lock of another user (needs the permissions of POSIX)',
  () => {
    it('that cannot be read is taken for that of a run', async () => {
      expect(await askedByAnother({ folderMode: 0o777, lockMode: 0o000 })).toEqual({
        told: {
          kind: 'locked',
          message: `another run is writing "out.csv" (its lock belongs to another user)`,
          hint: 'use --wait-lock 5m, or ask the owner of the lock to remove "/out.csv.lock" if no other run exists',
        },
        left: ['out.csv.lock'],
      });
    });

    it('who died is taken over where the folder allows it', async () => {
      expect(await askedByAnother({ folderMode: 0o777, lockMode: 0o644 })).toEqual({
        told: undefined,
        left: [],
      });
    });

    it.runIf(isRoot)('who died is named where only its owner may remove it (needs root)', async () => {
      expect(await askedByAnother({ folderMode: 0o1777, lockMode: 0o644 })).toEqual({
        told: {
          kind: 'internal',
          message: 'cannot remove the old lock "/out.csv.lock": permission denied',
          hint: 'ask the owner of the lock to remove "/out.csv.lock"',
        },
        left: ['out.csv.lock'],
      });
    });
  },
);
