/** Locks, also those of other users. If root runs the tests, they start processes of another user. */
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
/** The id of this machine in lock files. */
const MACHINE = await (async () => {
  const path = join(tmpdir(), `opac-machine-${process.pid}.lock`);
  const lock = await acquireLock(path, 'machine');
  const { machine } = JSON.parse(await readFile(path, 'utf8')) as { readonly machine: string };
  await lock.release();
  return machine;
})();
/** Returns the id of a process that has ended. */
const getDeadPid = () => spawnSync(process.execPath, ['--version']).pid;

describe('a lock', () => {
  it('contains its process, and cannot be acquired again before it is released', () =>
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

  it('creates all files of a takeover with the private mode', () =>
    withFolder(async (path) => {
      await writeFile(path('lock'), JSON.stringify({ pid: getDeadPid(), host: HOST, machine: MACHINE }));
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
    [
      'a dead process of this machine',
      () => ({ pid: getDeadPid(), host: HOST, machine: MACHINE }),
      'at once',
    ],
    [
      'a process with the id of this process',
      () => ({ pid: process.pid, host: HOST, machine: MACHINE }),
      'after a while',
    ],
    [
      'a process with the highest possible id',
      () => ({ pid: 2 ** 31 - 1, host: HOST, machine: MACHINE }),
      'at once',
    ],
    [
      'a process of another machine',
      () => ({ pid: getDeadPid(), host: 'other', machine: 'other' }),
      'after a while',
    ],
    [
      'a process of another pid namespace',
      () => ({ pid: 1, host: HOST, machine: `${MACHINE}0` }),
      'after a while',
    ],
    [
      'a process whose id another process has now',
      () => ({ pid: process.ppid, host: HOST, machine: MACHINE }),
      'after a while',
    ],
    ['an older version of opac', () => ({ pid: getDeadPid(), host: HOST }), 'after a while'],
    ['a power cut that left an empty file', () => undefined, 'after a while'],
    ['a power cut during the write', () => '{"pid":4991,"host":"v', 'after a while'],
  ])('is taken over after %s', (_, owner, when) =>
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

  it('is not taken over if another process touches it in the meantime', () =>
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

  it('is touched within 5 seconds, and created again after it was deleted', () =>
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

  it('is lost if it was deleted after it became stale', () =>
    withFolder(async (path) => {
      const lock = await acquireLock(path('lock'), 'out.csv', { staleAfter: 0 });
      await rm(path('lock'));
      expect(() => lock.assertHeld()).toThrow('another run took over');
      await lock.release();
      expect(await readdir(path(''))).toEqual([]);
    }));

  it('is lost if another user replaced it with a huge file', () =>
    withFolder(async (path) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      await rm(path('lock'));
      await writeFile(path('lock'), '');
      await truncate(path('lock'), 1_900_000_000);
      expect(() => lock.assertHeld()).toThrow('another run took over');
      await lock.release();
      expect((await stat(path('lock'))).size).toBe(1_900_000_000);
    }));

  it('is lost if another run took it over, and remains for the other run', () =>
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
  ])('is refused and not changed if its content is %j', (content) =>
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

  it('causes an error about the target if it cannot be written', () =>
    withFolder(async (path) => {
      await expect(acquireLock(path('none/lock'), 'out.csv', { timeout: 60_000 })).rejects.toMatchObject({
        kind: 'internal',
        message: 'cannot write "out.csv": the folder or file does not exist',
      });
    }));

  it('is acquired after a wait, or refused after the timeout', () =>
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

  it('is awaited until the signal is aborted, also if the lock may be stale', () =>
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
/** The id of a user who owns no files. */
const NOBODY = 65_534;

const PROGRAM = `
import { acquireLock } from './src/system/lock.js';
const [path] = process.argv.slice(2);
await acquireLock(path, 'out.csv', { advice: 'use --wait-lock 5m, or ' }).then(
  (lock) => lock.release(),
  ({ kind, message, hint }) => console.log(JSON.stringify({ kind, message, hint })),
);
`;

/** Acquires a lock, as another user if possible. Returns the error, if any, and the remaining files of the lock. */
async function acquireAsOtherUser({
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
  await writeFile(lock, JSON.stringify({ pid: getDeadPid(), host: HOST, machine: MACHINE }));
  await chmod(lock, lockMode);
  await chmod(program, 0o644);
  await chmod(folder, folderMode);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [program, lock], user);
  const files = (await readdir(folder)).filter((name) => name.includes('.lock'));
  return { error: stdout === '' ? undefined : (JSON.parse(stdout.replaceAll(folder, '')) as unknown), files };
}

// Windows has other permissions.
describe.skipIf(process.platform === 'win32')(
  'a lock of another user (needs the permissions of POSIX)',
  () => {
    it('counts as the lock of a running process if it cannot be read', async () => {
      expect(await acquireAsOtherUser({ folderMode: 0o777, lockMode: 0o000 })).toEqual({
        error: {
          kind: 'locked',
          message: `another run is writing "out.csv" (its lock belongs to another user)`,
          hint: 'use --wait-lock 5m, or ask the owner of the lock to remove "/out.csv.lock" if no other run exists',
        },
        files: ['out.csv.lock'],
      });
    });

    it('is taken over if its process has ended and the folder allows it', async () => {
      expect(await acquireAsOtherUser({ folderMode: 0o777, lockMode: 0o644 })).toEqual({
        error: undefined,
        files: [],
      });
    });

    it.runIf(isRoot)(
      'causes an error with its path if only its owner can remove it (needs root)',
      async () => {
        expect(await acquireAsOtherUser({ folderMode: 0o1777, lockMode: 0o644 })).toEqual({
          error: {
            kind: 'internal',
            message: 'cannot remove the old lock "/out.csv.lock": permission denied',
            hint: 'ask the owner of the lock to remove "/out.csv.lock"',
          },
          files: ['out.csv.lock'],
        });
      },
    );
  },
);
