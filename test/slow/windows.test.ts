/**
 * Exports of a million records with windows of 1,000 and 10,000: little memory, few requests, no missing record or duplicate;
 * also killed and resumed, and in parts. Starts the built program. With OPAC_TEST_RECORDS=objects.ndjson, a real collection
 * replaces the generated records of a small collection.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { BEYOND_WINDOW } from '../../src/mock/faults/paging-faults.js';
import { startMuseum } from '../../src/mock/index.js';
// @ts-expect-error: a script of the bench, without types.
import { recordOf } from '../bench/records.js';
import { createFolder, opac, start, waitForEnd } from '../e2e/opac.js';
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

interface Deployment extends Pick<Service, 'url'> {
  readonly records: number;
  readonly requests: { readonly pages: number; readonly counts: number };
}

/** Starts a museum with a few thousand records and a window of 1,000. */
async function serveCollection(beyond: (typeof BEYOND_WINDOW)[number] = '400'): Promise<Deployment> {
  const path = join(await createFolder(), 'collection.ndjson');
  const { OPAC_TEST_RECORDS } = process.env;
  const generate = () => Array.from({ length: 5109 }, (_, n) => `${JSON.stringify(recordOf(n))}\n`).join('');
  const text = OPAC_TEST_RECORDS ? await readFile(OPAC_TEST_RECORDS, 'utf8') : generate();
  await writeFile(path, text);
  const museum = await startMuseum({ data: [path], faults: [{ kind: 'window', size: 1000, beyond }] });
  onTestFinished(() => museum.close());
  const { requests } = museum;
  const pages = () => requests.filter(({ query }) => Number(query.get('limit')) > 1).length;
  return {
    url: museum.url,
    records: text.trimEnd().split('\n').length,
    requests: {
      get pages() {
        return pages();
      },
      get counts() {
        return requests.length - pages();
      },
    },
  };
}

async function serveGenerated(records: number): Promise<Deployment> {
  const service = await serve({ records, window: 1000 });
  return { ...service, records };
}

const command = ({ url }: Pick<Service, 'url'>, file: string) =>
  ['objects', 'export', '--base-url', url, '-o', file, '-f', 'ndjson', '-q'] as const;

async function countIds(path: string): Promise<Uint8Array> {
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

it.each([10_000, 1000])('exports each record exactly once through a window of %i', async (window) => {
  const service = await serve({ records: RECORDS, window });
  const folder = await createFolder();
  const startTime = performance.now();
  const { code, stderr } = await opac(command(service, 'all.ndjson'), { folder, environment: ENVIRONMENT });
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
  const share = service.requests.pages / Math.ceil(RECORDS / 100);
  const seconds = Math.round((performance.now() - startTime) / 1000);
  process.stdout.write(`${JSON.stringify({ window, ...service.requests, share, peak, seconds })}\n`);
  expect([code, stderr.replace(/peak \d+\n/, '')]).toEqual([0, '']);
  const times = await countIds(join(folder, 'all.ndjson'));
  expect(times.subarray(1, RECORDS + 1).every((count) => count === 1)).toBe(true);
  expect(share).toBeLessThan(1.15);
  expect(peak).toBeLessThan(250);
});

it('exports all records that exist throughout the run, and reports that records moved', async () => {
  const service = await serve({ records: 100_000, window: 1000, movesAfter: 900 });
  const folder = await createFolder();
  const words = command(service, 'all.ndjson').filter((word) => word !== '-q');
  const { code, stderr } = await opac(words, { folder });
  const times = await countIds(join(folder, 'all.ndjson'));
  expect([...service.stayed()].filter((id) => times[id] !== 1)).toEqual([]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/records moved between slices during the run/);
});

const COLLECTIONS = [
  ['some thousand records', () => serveCollection()],
  ['250,000 generated records', () => serveGenerated(250_000)],
] as const;

/** Returns the sorted lines of a file, to compare files whose order differs. */
async function readSortedLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).trimEnd().split('\n').sort();
}

function note(facts: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}

it.each(BEYOND_WINDOW)(
  'exports each record exactly once if the response after 1,000 records is %s',
  async (beyond) => {
    const service = await serveCollection(beyond);
    const folder = await createFolder();
    expect(await opac(command(service, 'all.ndjson'), { folder })).toMatchObject({ code: 0, stderr: '' });
    const { pages, counts } = service.requests;
    const share = pages / Math.ceil(service.records / 100);
    note({ beyond, records: service.records, pages, counts, share });
    const lines = await readSortedLines(join(folder, 'all.ndjson'));
    expect(new Set(lines).size).toBe(service.records);
    expect(lines).toHaveLength(service.records);
    expect(share).toBeLessThan(1.15);
  },
);

it.each(COLLECTIONS)('exports the same bytes after twenty kills and resumes: %s', async (_, serveThem) => {
  const service = await serveThem();
  const folder = await createFolder();
  expect(await opac(command(service, 'whole.ndjson'), { folder })).toMatchObject({ code: 0 });
  const all = service.requests.pages;
  const words = [...command(service, 'killed.ndjson'), '--resume'];
  const kills: number[] = [];
  while (kills.length < 20) {
    const child = start(words, { folder });
    const before = service.requests.pages;
    // opac writes a checkpoint at the first page and then every second, so each run of a small collection adds only a few pages.
    const pages = 3 + Math.floor((all / 12) * ((kills.length * 7) % 10) * 0.1);
    while (child.exitCode === null && service.requests.pages < before + pages) await pause(1);
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await waitForEnd(child);
    kills.push(service.requests.pages - before);
  }
  note({ killed: kills.length, afterPages: kills, ofPages: all });
  expect(kills).toHaveLength(20);
  expect(await opac(words, { folder })).toMatchObject({ code: 0 });
  expect(await sha256(join(folder, 'killed.ndjson'))).toBe(await sha256(join(folder, 'whole.ndjson')));
});

/** Returns the list in another order, which is always the same for the same seed. */
function shuffle<T>(list: readonly T[], seed: number): T[] {
  const weight = (n: number) => (Math.imul(n + seed * 31 + 1, 0x9e3779b1) >>> 0) % 10_007;
  return list
    .map((each, n) => ({ each, by: weight(n) }))
    .sort((one, other) => one.by - other.by)
    .map(({ each }) => each);
}

const createJoinWords = (parts: readonly string[], target: string) => [
  ...['objects', 'export', '-o', target],
  ...parts.flatMap((part) => ['--from', part]),
];

it.each(COLLECTIONS)(
  'joins seven parts to the bytes of a single export, and refuses wrong parts: %s',
  async (_, serveThem) => {
    const service = await serveThem();
    const folder = await createFolder();
    const run = async (words: readonly string[], code = 0) => {
      const result = await opac(words, { folder });
      expect(result.code, `${words.join(' ')}: ${result.stderr}`).toBe(code);
      return result.stderr;
    };
    const part = (n: number, ...more: string[]) =>
      run([...command(service, `part-${n}.ndjson`), '--part', `${n}/7`, ...more]);
    await run(command(service, 'whole.ndjson'));
    for (const n of shuffle([1, 2, 3, 4, 5, 6, 7], 1)) await part(n);
    const parts = [1, 2, 3, 4, 5, 6, 7].map((n) => `part-${n}.ndjson`);
    const whole = await sha256(join(folder, 'whole.ndjson'));
    for (const seed of [2, 3, 4, 5]) {
      await run(createJoinWords(shuffle(parts, seed), 'all.ndjson'));
      expect(await sha256(join(folder, 'all.ndjson'))).toBe(whole);
    }
    expect(await readSortedLines(join(folder, 'all.ndjson'))).toEqual(
      await readSortedLines(join(folder, 'whole.ndjson')),
    );

    const [one = '', two = '', ...others] = parts;
    const six = [one, ...others];
    const other = (name: string, ...more: string[]) => run([...command(service, name), '--part', ...more]);
    await other('eighth.ndjson', '2/8');
    await other('searched.ndjson', '2/7', '--where', 'maker_name=*');
    await other('windowed.ndjson', '2/7', '--window', '900');
    await other('short.ndjson', '2/7');
    const text = await readFile(join(folder, two), 'utf8');
    await writeFile(join(folder, 'short.ndjson'), text.slice(0, -10));
    const manifest = JSON.parse(await readFile(join(folder, `${two}.manifest.json`), 'utf8'));
    const forge = async (name: string, change: object) => {
      await writeFile(join(folder, name), text);
      const [file] = manifest.files;
      const forged = { ...manifest, files: [{ ...file, name }], ...change };
      await writeFile(join(folder, `${name}.manifest.json`), JSON.stringify(forged));
    };
    await forge('version.ndjson', { tool: 'opac 9.9.9' });
    await forge('total.ndjson', { plan: { ...manifest.plan, total: 7 } });
    await forge('incomplete.ndjson', { complete: false, reasons: ['3 records were not received'] });
    const ROWS: readonly [readonly string[], number, RegExp][] = [
      [six, 2, /part 2\/7 missing/],
      [[...six, 'whole.ndjson'], 2, /"whole.ndjson" is not a part/],
      [[...six, 'eighth.ndjson'], 2, /the number of parts is 7 and 8/],
      [[...six, 'searched.ndjson'], 2, /the query is .* and .*/],
      [[...six, 'windowed.ndjson'], 2, /the window is null and 900/],
      [[...six, 'short.ndjson'], 6, /"short.ndjson" has \S+ bytes; the manifest says/],
      [[...six, 'version.ndjson'], 2, /the version is .* and "opac 9.9.9"/],
      [[...six, 'total.ndjson'], 2, /the total is \d+ and 7/],
      [[...six, 'incomplete.ndjson'], 6, /"incomplete.ndjson" is incomplete: 3 records were not received/],
      [[...six, 'nothing.ndjson'], 2, /file not found: "nothing.ndjson"/],
    ];
    for (const [set, code, message] of ROWS)
      expect(await run(createJoinWords(set, 'wrong.ndjson'), code)).toMatch(message);
  },
);
