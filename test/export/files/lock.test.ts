/** Locks of other users: a process of another user meets them. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';

const isRoot = process.getuid?.() === 0;
/** A user who owns nothing. */
const NOBODY = 65_534;

const PROGRAM = `
import { takeLock } from './src/export/files/lock.js';
const [path] = process.argv.slice(2);
await takeLock(path, 'out.csv', { advice: 'use --wait-lock, or ' }).then(
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
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  await writeFile(lock, JSON.stringify({ pid: dead, host: hostname() }));
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
          message: `another run is writing "out.csv" (its lock is another user's)`,
          hint: 'use --wait-lock, or have its owner remove "/out.csv.lock" if no such process exists',
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
          hint: 'have its owner remove "/out.csv.lock"',
        },
        left: ['out.csv.lock'],
      });
    });
  },
);
