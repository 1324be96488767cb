/** Locks, also those of other users: a process of another user meets them. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';
import { withFolder } from '../export/export-setup.js';

const HOST = hostname();
/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid;

describe('a lock', () => {
  it('names its process, and is taken once until it is released', () =>
    withFolder(async (path, read) => {
      const lock = await acquireLock(path('lock'), 'out.csv');
      expect(JSON.parse(await read('lock'))).toEqual({ pid: process.pid, host: HOST });
      const error = {
        kind: 'locked',
        message: `another run is writing "out.csv" (process ${process.pid} on ${HOST})`,
        hint: `remove "${path('lock')}" if no such process exists`,
      };
      await expect(acquireLock(path('lock'), 'out.csv')).rejects.toMatchObject(error);
      const advice = 'use --wait-lock, or ';
      const advised = { ...error, hint: advice + error.hint };
      await expect(acquireLock(path('lock'), 'out.csv', { advice })).rejects.toMatchObject(advised);
      await lock.release();
      expect(await readdir(path(''))).toEqual([]);
      await (await acquireLock(path('lock'), 'out.csv')).release();
    }));

  it.each([
    ['a dead process of this machine', () => ({ pid: deadPid(), host: HOST }), true],
    ['a dead process of another machine', () => ({ pid: deadPid(), host: `${HOST}.x` }), false],
    ['a process that runs', () => ({ pid: process.ppid, host: HOST }), false],
    ['a process that had the number of this one', () => ({ pid: process.pid, host: HOST }), true],
    ['a process of that number elsewhere', () => ({ pid: process.pid, host: `${HOST}.x` }), false],
    ['the last number there is', () => ({ pid: 2 ** 31 - 1, host: HOST }), true],
  ])('of %s', (_, holder, isTaken) =>
    withFolder(async (path, read) => {
      const content = JSON.stringify(holder());
      await writeFile(path('lock'), content);
      const taken = acquireLock(path('lock'), 'out.csv');
      if (isTaken) await (await taken).release();
      else await expect(taken).rejects.toMatchObject({ kind: 'locked' });
      expect(await read('lock').catch(() => undefined)).toBe(isTaken ? undefined : content);
    }),
  );

  it.each([
    '',
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
  ])('of %j is damaged, which no time mends', (content) =>
    withFolder(async (path, read) => {
      await writeFile(path('lock'), content);
      await expect(acquireLock(path('lock'), 'out.csv', { timeout: 60_000 })).rejects.toMatchObject({
        kind: 'usage',
        message: `cannot use the lock "${path('lock')}": it is damaged`,
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

  it('is waited for four times a second, as long as was asked', () =>
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
          if (now === 3250) await lock.release();
        },
      };
      const waiting = { signal, clock, onWait: (error: unknown) => waits.push(error) };
      const attempt = acquireLock(path('lock'), 'out.csv', { ...waiting, timeout: 600 });
      await expect(attempt).rejects.toMatchObject({ kind: 'locked' });
      expect(slept).toEqual([250, 250, 100].map((time) => [time, signal]));
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
});

const isRoot = process.getuid?.() === 0;
/** A user who owns nothing. */
const NOBODY = 65_534;

const PROGRAM = `
import { acquireLock } from './src/system/lock.js';
const [path] = process.argv.slice(2);
await acquireLock(path, 'out.csv', { advice: 'use --wait-lock, or ' }).then(
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
  await writeFile(lock, JSON.stringify({ pid: deadPid(), host: HOST }));
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
          message: `another run is writing "out.csv" (the lock belongs to another user)`,
          hint: 'use --wait-lock, or ask its owner to remove "/out.csv.lock" if no such process exists',
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
          hint: 'ask its owner to remove "/out.csv.lock"',
        },
        left: ['out.csv.lock'],
      });
    });
  },
);
