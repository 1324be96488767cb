/** A very large export, and thousands of commands in one process: memory, descriptors and files do not grow without limit. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';
import { opac as spawnOpac } from '../e2e/opac.js';

const RECORDS = Number(process.env.OPAC_LONG_RECORDS ?? 1_000_000);
const COMMANDS = Number(process.env.OPAC_LONG_COMMANDS ?? 5000);
const SPAWNED = Math.ceil(COMMANDS / 25);

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'opac-long-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Returns the number of open descriptors of this process; undefined if the system does not list them. */
async function countDescriptors(): Promise<number | undefined> {
  return (await readdir('/proc/self/fd').catch(() => undefined))?.length;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** Collects garbage 20 times. Returns the smallest number of used bytes. */
async function measureHeap(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 20; n++) {
    collectGarbage();
    await new Promise(setImmediate);
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

it('exports a million records with less than 1 GB of memory, and closes its files', async () => {
  const server = fork(fileURLToPath(new URL('../bench/server.js', import.meta.url)), [String(RECORDS), '0']);
  onTestFinished(() => void server.kill());
  const [port] = await once(server, 'message');
  const path = await folder();
  const peak = { rss: 0 };
  const watch = setInterval(() => {
    peak.rss = Math.max(peak.rss, process.memoryUsage().rss);
  }, 200);
  const before = await countDescriptors();
  const { code, stderr } = await opac([
    ...['objects', 'export', '-o', join(path, 'o.ndjson'), '--quiet'],
    ...['--base-url', `http://127.0.0.1:${port}`],
  ]);
  clearInterval(watch);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect((await readdir(path)).sort()).toEqual(['o.ndjson', 'o.ndjson.manifest.json']);
  const { size } = await stat(join(path, 'o.ndjson'));
  const after = await countDescriptors();
  writeSync(
    1,
    `${RECORDS} records: ${megabytes(size)} MB, peak ${megabytes(peak.rss)} MB with vitest, descriptors ${before} → ${after}\n`,
  );
  expect(peak.rss).toBeLessThan(1e9);
  // The pipe of the server and closing connections may still be open.
  expect((after ?? 0) - (before ?? 0)).toBeLessThan(10);
});

it('runs thousands of commands without more memory, descriptors or files', async () => {
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  const config = await folder();
  const lines = [
    'objects count',
    'objects get 20011 -f json',
    'objects list --limit 5',
    'views list objects',
    'objects get 999',
  ];
  const environment = { OPAC_CONFIG_DIR: config, TMPDIR: config };
  const runOne = async (n: number, run: typeof opac | typeof spawnOpac) => {
    const words = [...(lines[n % lines.length] ?? '').split(' '), '--base-url', museum.url];
    const { code } = await run(words, { environment });
    expect({ words, code }).toEqual({ words, code: n % lines.length === 4 ? 3 : 0 });
  };
  // After the first tenth, all modules, caches and compiled code are in memory.
  const tenth = Math.ceil(COMMANDS / 10);
  for (let n = 0; n < tenth; n++) await runOne(n, opac);
  const before = {
    heap: await measureHeap(),
    descriptors: await countDescriptors(),
    names: await readdir(config, { recursive: true }),
  };
  for (let n = 0; n < COMMANDS - SPAWNED - tenth; n++) await runOne(n, opac);
  for (let n = 0; n < SPAWNED; n++) await runOne(n, spawnOpac);
  const after = {
    heap: await measureHeap(),
    descriptors: await countDescriptors(),
    names: await readdir(config, { recursive: true }),
  };
  writeSync(
    1,
    `${COMMANDS} commands, ${SPAWNED} of them spawned: heap ${megabytes(before.heap)} → ${megabytes(after.heap)} MB, ` +
      `descriptors ${before.descriptors} → ${after.descriptors}, files ${before.names.length} → ${after.names.length}\n`,
  );
  expect(after.names).toEqual(before.names);
  expect((after.descriptors ?? 0) - (before.descriptors ?? 0)).toBeLessThan(10);
  // The museum in this process keeps a log of requests with a limited length.
  expect(after.heap - before.heap).toBeLessThan(25e6);
});
