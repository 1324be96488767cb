/** A million records through windows of 1,000 and 10,000: each once, in little memory and few requests. The built program, spawned. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ended, newFolder, opac, start } from '../e2e/opac.js';
import { type Service, type ServiceOptions, startService } from './sliced-service.js';

const RECORDS = 1_033_000;
const PEAK = encodeURIComponent(
  `process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\\n"))`,
);
const ENVIRONMENT = { NODE_OPTIONS: `--import=data:text/javascript,${PEAK}` };

async function serve(options: ServiceOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return service;
}

const command = ({ url }: Service, file: string) =>
  ['objects', 'export', '--base-url', url, '-o', file, '-f', 'ndjson', '-q'] as const;

async function idsIn(path: string): Promise<Uint8Array> {
  const times = new Uint8Array(RECORDS + 1000);
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const id = Number(/"opacObjectId":"(\d+)"/.exec(line)?.[1]);
    times[id] = (times[id] ?? 0) + 1;
  }
  return times;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

it.each([10_000, 1000])('behind a window of %i every record comes exactly once', async (window) => {
  const service = await serve({ records: RECORDS, window });
  const folder = await newFolder();
  const begun = performance.now();
  const { code, stderr } = await opac(command(service, 'all.ndjson'), { folder, environment: ENVIRONMENT });
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
  const share = service.requests.pages / Math.ceil(RECORDS / 100);
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`${JSON.stringify({ window, ...service.requests, share, peak, seconds })}\n`);
  expect([code, stderr.replace(/peak \d+\n/, '')]).toEqual([0, '']);
  const times = await idsIn(join(folder, 'all.ndjson'));
  expect(times.subarray(1, RECORDS + 1).every((count) => count === 1)).toBe(true);
  expect(share).toBeLessThan(1.15);
  expect(peak).toBeLessThan(250);
});

it('while it moves, everything comes that is there throughout, and the movement is named', async () => {
  const service = await serve({ records: 100_000, window: 1000, movesAfter: 900 });
  const folder = await newFolder();
  const words = command(service, 'all.ndjson').filter((word) => word !== '-q');
  const { code, stderr } = await opac(words, { folder });
  const times = await idsIn(join(folder, 'all.ndjson'));
  expect([...service.stayed()].filter((id) => times[id] !== 1)).toEqual([]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/records moved between slices during the run; \d+ slices were read again/);
});

it('killed twenty times and resumed, it is the same bytes', async () => {
  const service = await serve({ records: 100_000, window: 1000 });
  const folder = await newFolder();
  expect(await opac(command(service, 'whole.ndjson'), { folder })).toMatchObject({ code: 0 });
  let kills = 0;
  while (kills < 20) {
    const child = start([...command(service, 'killed.ndjson'), '--resume'], { folder });
    const before = service.requests.pages;
    // Each run gets far enough for a checkpoint, which is written at its first page and every second.
    while (child.exitCode === null && service.requests.pages < before + 8 + kills) await pause(5);
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await ended(child);
    kills++;
  }
  expect(kills).toBe(20);
  expect(await opac([...command(service, 'killed.ndjson'), '--resume'], { folder })).toMatchObject({
    code: 0,
  });
  expect(await sha256(join(folder, 'killed.ndjson'))).toBe(await sha256(join(folder, 'whole.ndjson')));
});

it('seven parts in any order, merged, are the single export', async () => {
  const service = await serve({ records: 100_000, window: 1000 });
  const folder = await newFolder();
  expect(await opac(command(service, 'whole.ndjson'), { folder })).toMatchObject({ code: 0 });
  for (const n of [4, 1, 7, 3, 6, 2, 5])
    expect(
      await opac([...command(service, `part-${n}.ndjson`), '--part', `${n}/7`], { folder }),
    ).toMatchObject({ code: 0 });
  const parts = [5, 2, 7, 1, 3, 6, 4].map((n) => `part-${n}.ndjson`);
  expect(await opac(['merge', ...parts, '-o', 'all.ndjson'], { folder })).toMatchObject({ code: 0 });
  expect(await sha256(join(folder, 'all.ndjson'))).toBe(await sha256(join(folder, 'whole.ndjson')));
});
