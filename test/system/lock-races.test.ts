/** Processes that acquire and release one lock, and of which some are killed. Never do two of them have the lock. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../src/system/lock.js';

/** Acquires the lock several times, and prints a line each time. The file `inside` shows whether another process has it. */
const PROGRAM = `
import { acquireLock } from './src/system/lock.js';
import { openSync, closeSync, writeFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const [folder, times, killed] = process.argv.slice(2);
for (let n = 0; n < Number(times); n++) {
  const lock = await acquireLock(folder + '/lock', 'target', { timeout: 60_000, staleAfter: 2500 });
  const inside = folder + '/inside';
  try {
    closeSync(openSync(inside, 'wx'));
  } catch {
    console.log('two holders');
  }
  await wait(Math.random() * 4);
  rmSync(inside, { force: true });
  // A process that is the first of its namespace cannot kill itself.
  if (killed && n === 3) process.exit(process.kill(process.pid, 'SIGKILL') ? 1 : 0);
  console.log('held');
  await lock.release();
}
`;

const canUnshare = spawnSync('unshare', ['-upf', '--mount-proc', 'true']).status === 0;
const IN_NAMESPACE = ['unshare', '-upf', '--mount-proc', 'sh', '-c', 'hostname other$$; exec "$@"', 'sh'];

async function race(prefixes: readonly (readonly string[])[], times: number): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-races-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd() },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const lines: string[] = [];
  const run = async (prefix: readonly string[], n: number) => {
    const killed = n % 4 === 1 ? ['killed'] : [];
    const words = [...prefix, process.execPath, program, folder, String(times), ...killed];
    const child = spawn(words[0] as string, words.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const piece of child.stdout) lines.push(...String(piece).trim().split('\n'));
  };
  await Promise.all(prefixes.map(run));
  expect((await readdir(folder)).filter((name) => name.startsWith('lock.'))).toEqual([]);
  // The last process may have been killed while it had the lock.
  await (await acquireLock(join(folder, 'lock'), 'target', { staleAfter: 2500 })).release();
  await expect(readFile(join(folder, 'lock'))).rejects.toThrow('ENOENT');
  return lines;
}

it('acquireLock gives the lock to one of 8 processes at a time, also if two are killed', async () => {
  const lines = await race(Array(8).fill([]), 32);
  expect(lines.filter((line) => line !== 'held')).toEqual([]);
  expect(lines).toHaveLength(6 * 32 + 2 * 3);
}, 60_000);

it.runIf(canUnshare)(
  'acquireLock gives the lock to one process at a time also in pid namespaces (needs unshare)',
  async () => {
    const lines = await race([...Array(3).fill([]), ...Array(3).fill(IN_NAMESPACE)], 20);
    expect(lines.filter((line) => line !== 'held')).toEqual([]);
    expect(lines).toHaveLength(4 * 20 + 2 * 3);
  },
  60_000,
);
