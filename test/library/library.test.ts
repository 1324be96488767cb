/** The functions of the library throw an error instead of returning less data than requested. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkDeployment,
  createClient,
  diffSnapshots,
  exportRecords,
  fetchTotal,
  loadConnection,
  paginateEndpoint,
  syncMirror,
  verifyFiles,
} from '../../src/index.js';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';

let folder: string;
const close: (() => Promise<void>)[] = [];
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-library-'));
});
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each();
  await rm(folder, { recursive: true, force: true });
});

async function connect(options: MuseumOptions = {}) {
  const museum = await startMuseum(options);
  const connection = await loadConnection({
    environment: { OPAC_BASE_URL: museum.url, OPAC_CONFIG_DIR: folder },
  });
  const client = createClient({ ...connection, retries: 0 });
  close.push(museum.close, client.close);
  return { museum, connection, client };
}

describe('loadConnection', () => {
  const load = (environment: Readonly<Record<string, string>>) =>
    loadConnection({ environment: { OPAC_CONFIG_DIR: folder, ...environment } });
  const OPAC_BASE_URL = 'https://collection.example.org';

  it('reads credentials from the environment, and the base URL from a profile', async () => {
    const { credentials, timeout } = await load({ OPAC_BASE_URL, OPAC_BASIC_KEY: 'a-key' });
    expect([credentials.scheme, await credentials.authorization(), timeout]).toEqual([
      'basic',
      'Basic a-key',
      120,
    ]);
    const { museum } = await connect();
    const login = `login --anonymous -p own --base-url ${museum.url}`.split(' ');
    expect((await opac(login, { environment: { OPAC_CONFIG_DIR: folder } })).code).toBe(0);
    expect(await load({ OPAC_PROFILE: 'own' })).toMatchObject({ baseUrl: museum.url });
    await expect(load({ OPAC_PROFILE: 'other' })).rejects.toThrow('no profile "other"');
  });

  it('refuses unknown variables and missing credentials', async () => {
    await expect(load({ OPAC_BASE_URL, OPAC_BASICKEY: 'x' })).rejects.toThrow(
      'unknown variable OPAC_BASICKEY',
    );
    await expect(load({})).rejects.toMatchObject({ kind: 'auth', code: 'no-deployment' });
    const { credentials } = await load({ OPAC_BASE_URL, OPAC_BASIC_KEY: '' });
    await expect(credentials.authorization()).rejects.toThrow('no value in OPAC_BASIC_KEY');
  });
});

describe('exportRecords', () => {
  it('writes the same bytes as the command, also beyond the largest offset of the service', async () => {
    const { museum, client } = await connect({ faults: [{ kind: 'window', size: 100 }] });
    const { complete, manifest } = await exportRecords({ client, kind: 'objects', target: at('own.ndjson') });
    expect([complete, manifest.records]).toEqual([true, 163]);
    const environment = { OPAC_BASE_URL: museum.url, OPAC_CONFIG_DIR: folder };
    expect((await opac(['objects', 'export', '-o', at('cli.ndjson')], { environment })).code).toBe(0);
    expect(await readFile(at('own.ndjson'), 'utf8')).toBe(await readFile(at('cli.ndjson'), 'utf8'));
  });

  it('refuses a file without the extension of a format', async () => {
    const { client } = await connect();
    await expect(exportRecords({ client, kind: 'objects', target: at('own.doc') })).rejects.toThrow(
      '".doc" is not',
    );
    await expect(exportRecords({ client, kind: 'objects', target: at('own') })).rejects.toThrow(
      'no file extension',
    );
  });
});

describe('numeric options', () => {
  it.each([
    [{ limit: -1 }, 'limit; must be an integer of at least 1'],
    [{ limit: 0 }, 'limit'],
    [{ limit: Number.NaN }, 'NaN for limit'],
    [{ offset: -1 }, 'offset'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ split: 0.5 }, 'split'],
  ])('are checked before a file is replaced: %j', async (numbers, message) => {
    const { museum, client } = await connect();
    await writeFile(at('x.csv'), 'earlier\n');
    const run = exportRecords({ client, kind: 'objects', target: at('x.csv'), force: true, ...numbers });
    await expect(run).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(message) });
    expect([await readFile(at('x.csv'), 'utf8'), museum.requests.length]).toEqual(['earlier\n', 0]);
  });

  it('are checked by the other functions', async () => {
    const { connection, client } = await connect();
    const usage = { kind: 'usage' };
    await expect(checkDeployment({ ...connection, retries: -1 })).rejects.toMatchObject(usage);
    const mirror = { client, folder: at('mirror') };
    await expect(syncMirror({ ...mirror, keep: -1 })).rejects.toMatchObject(usage);
    await expect(syncMirror({ ...mirror, fullEvery: 0 })).rejects.toMatchObject(usage);
    expect(() => createClient({ ...connection, concurrency: 0 })).toThrow('concurrency');
    for (const options of [{ limit: -1 }, { offset: 1.5 }, { pageSize: -1 }, { window: -1 }])
      expect(() => paginateEndpoint(client, 'objects.search', {}, options)).toThrow('must be an integer');
  });
});

describe('invalid options', () => {
  const any = (value: unknown) => value as never;

  it.each([
    [{ baseUrl: undefined }, 'baseUrl'],
    [{ rate: -1 }, 'rate; must be a number above 0'],
    [{ rate: 0 }, 'rate'],
    [{ timeout: -5 }, 'timeout'],
    [{ timeout: Number.NaN }, 'timeout'],
  ])('are refused by createClient: %j', (options, message) => {
    const create = () => createClient(any({ baseUrl: 'https://museum.example', ...options }));
    expect(create).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    );
  });

  it('are refused by the other functions, without a request', async () => {
    const { client, museum } = await connect();
    const [kind, target, mirror] = ['objects', at('z.csv'), at('mirror')];
    const runs: readonly [string, () => Promise<unknown>][] = [
      ['kind', () => exportRecords(any({ client, kind: 'nope', target }))],
      ['kind', () => exportRecords(any({ client, target }))],
      ['target', () => exportRecords(any({ client, kind }))],
      ['target', () => exportRecords(any({ client, kind, format: 'csv', target: '' }))],
      ['kinds', () => syncMirror(any({ client, folder: mirror, kinds: ['nope'] }))],
      ['kinds', () => syncMirror(any({ client, folder: mirror, kinds: 'objects' }))],
      ['kinds', () => syncMirror({ client, folder: mirror, kinds: [] })],
      ['folder', () => syncMirror(any({ client }))],
      ['"nope"', () => fetchTotal(client, any('nope'))],
      ['does not respond with a list', () => fetchTotal(client, any('objects.get'))],
      ['files', () => verifyFiles(any('a.csv'))],
    ];
    for (const [message, run] of runs)
      await expect(run()).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(message) });
    expect(museum.requests).toEqual([]);
  });
});

describe('paginateEndpoint', () => {
  const read = async (options: MuseumOptions, paging = {}) => {
    const { client } = await connect(options);
    let count = 0;
    for await (const { records } of paginateEndpoint(client, 'objects.search', {}, paging))
      count += records.length;
    return count;
  };

  it.each<[NonNullable<MuseumOptions['faults']>[number]]>([
    [{ kind: 'shuffles' }],
    [{ kind: 'ends-early', at: 100 }],
    [{ kind: 'window', size: 100, beyond: 'empty' }],
    [{ kind: 'offset-ignored' }],
  ])('throws an error if records are missing: %j', async (fault) => {
    await expect(read({ faults: [fault] })).rejects.toMatchObject({ kind: 'incomplete' });
  });

  it('throws no error after all records, or all requested records', async () => {
    expect(await read({})).toBe(163);
    expect(await read({}, { offset: 160 })).toBe(3);
    expect(await read({ faults: [{ kind: 'ends-early', at: 100 }] }, { limit: 40 })).toBe(40);
  });
});

describe('an aborted signal', () => {
  it('makes each function throw the reason of the signal', async () => {
    const { connection, client } = await connect();
    const reason = new Error('enough');
    const during = () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort(reason) };
    };
    await exportRecords({ client, kind: 'venues', target: at('venues.ndjson') });
    const files = [at('venues.ndjson'), at('venues.ndjson')] as const;
    const [check, run, sync] = [during(), during(), during()];
    const signal = AbortSignal.abort(reason);
    const objects = { client, kind: 'objects' } as const;
    const runs = [
      checkDeployment(connection, { signal }),
      checkDeployment(connection, { signal: check.signal, onResult: check.abort }),
      exportRecords({ ...objects, target: at('1.csv'), signal }),
      exportRecords({ ...objects, target: at('2.csv'), signal: run.signal, onStart: run.abort }),
      syncMirror({ client, folder: at('mirror'), signal: sync.signal, onProgress: sync.abort }),
      verifyFiles(files, signal),
      diffSnapshots(...files, { signal }),
    ];
    for (const each of await Promise.allSettled(runs)) expect(each).toEqual({ status: 'rejected', reason });
  });
});

describe('checkDeployment', () => {
  it('throws an error if the deployment is not reachable', async () => {
    const { museum, connection } = await connect();
    await museum.close();
    await expect(checkDeployment({ ...connection, retries: 0 })).rejects.toMatchObject({
      kind: 'deployment',
    });
  });

  it('compares the deployment with a baseline', async () => {
    const { museum, connection } = await connect();
    const environment = { OPAC_BASE_URL: museum.url, OPAC_CONFIG_DIR: folder };
    const baseline = at('baseline.json');
    await opac(['check', '--only', 'access', '--baseline', baseline, '--update-baseline'], { environment });
    const text = await readFile(baseline, 'utf8');
    await writeFile(baseline, text.replaceAll('"maker_name"', '"gone"'));
    const { summary } = await checkDeployment(connection, { only: ['baseline'], baseline });
    expect(summary.fail).toBeGreaterThan(0);
  });
});

describe('diffSnapshots and verifyFiles', () => {
  it('report incomplete, changed and missing files', async () => {
    const { client } = await connect();
    const [older, newer] = [at('older.ndjson'), at('newer.ndjson')];
    await exportRecords({ client, kind: 'objects', target: older });
    await exportRecords({ client, kind: 'objects', target: newer, limit: 160 });
    const { counts, warnings } = await diffSnapshots(older, newer);
    expect(counts.get('objects')).toMatchObject({ older: 163, newer: 160, removed: 3, changed: 0 });
    expect(warnings).toEqual([expect.stringContaining('contains only selected records (limit: 160)')]);
    const manifest = await readFile(`${newer}.manifest.json`, 'utf8');
    await writeFile(`${newer}.manifest.json`, manifest.replace('"complete": true', '"complete": false'));
    expect((await diffSnapshots(older, newer)).warnings[0]).toContain('is incomplete');
    await writeFile(older, `${await readFile(older, 'utf8')}\n`);
    const verified = await verifyFiles([older, newer, at('none.csv')]);
    expect(verified.map(({ problems }) => problems.length > 0)).toEqual([true, true, true]);
  });
});

it('syncMirror throws and keeps the mirror if the deployment fails', async () => {
  const { museum, client } = await connect();
  await syncMirror({ client, folder: at('mirror'), kinds: ['venues'], ending: 'ndjson' });
  const before = await readFile(at('mirror/venues.ndjson'), 'utf8');
  // A mirror keeps its file extension.
  expect((await syncMirror({ client, folder: at('mirror'), kinds: ['venues'] })).changes).toBeUndefined();
  await museum.close();
  const run = syncMirror({ client, folder: at('mirror'), kinds: ['venues'] });
  await expect(run).rejects.toMatchObject({ kind: 'deployment' });
  expect(await readFile(at('mirror/venues.ndjson'), 'utf8')).toBe(before);
});
