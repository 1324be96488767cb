/** `opac sync` copies all changes of a deployment to the mirror, or leaves the mirror unchanged. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { acquireLock } from '../../src/system/lock.js';
import { opac } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';
import { startImageServer } from '../images/image-server.js';
import { ChangingMuseum, type ChangingRecord, changeRecords, FIRST, formatLine } from './changing-museum.js';
import { createRecords, SmallMuseum } from './small-museum.js';

async function startMuseumWith(records: readonly ChangingRecord[] = FIRST): Promise<ChangingMuseum> {
  const museum = await ChangingMuseum.start();
  onTestFinished(() => museum.close());
  await museum.publish(records);
  return museum;
}

function sync(museum: ChangingMuseum, ...more: string[]) {
  return opac([
    'sync',
    join(museum.folder, 'mirror'),
    '--kinds',
    'objects',
    '--base-url',
    museum.url,
    ...more,
  ]);
}

async function readMirror(museum: ChangingMuseum, name = 'objects.ndjson.gz'): Promise<string[]> {
  return gunzipSync(await readFile(join(museum.folder, 'mirror', name)))
    .toString()
    .trimEnd()
    .split('\n')
    .sort();
}

const linesOf = (records: readonly ChangingRecord[]) => records.map(formatLine).sort();

async function readChanges(museum: ChangingMuseum) {
  const folder = join(museum.folder, 'mirror/changes');
  const [latest = ''] = (await readdir(folder)).sort().reverse();
  return (await readFile(join(folder, latest), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('sync', () => {
  it.each([
    ['without --newest-first', []],
    ['with --newest-first', ['--newest-first', 'modified:4']],
  ])(
    'mirrors a deployment that changes between runs and during runs, %s',
    async (_, words) => {
      const museum = await startMuseumWith();
      let records: ChangingRecord[] = [...FIRST];
      await sync(museum, ...words);
      for (let run = 1; run <= 4; run++) {
        records = changeRecords(records, 2 * run);
        await museum.publish(records);
        if (run % 2 === 0) {
          records = changeRecords(records, 2 * run + 1);
          museum.publishDuring(1 + run, records);
        }
        const { code, stderr } = await sync(museum, ...words);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        // The next run finds changes to pages that this run has already read.
        if (run % 2 === 1) expect(await readMirror(museum)).toEqual(linesOf(records));
      }
      await sync(museum, ...words);
      expect(await readMirror(museum)).toEqual(linesOf(records));
      expect(await opac(['verify', join(museum.folder, 'mirror/objects.ndjson.gz')])).toMatchObject({
        code: 0,
      });
    },
    20_000,
  );

  it('writes the changes with the complete records, and keeps old snapshots', async () => {
    const museum = await startMuseumWith();
    await sync(museum, '--keep', '1');
    const before = await readMirror(museum);
    await museum.publish([
      ...FIRST.slice(2),
      { id: 2, name: 'renamed', modified: 500 },
      { id: 700, name: 'new', modified: 501 },
    ]);
    const { stdout } = await sync(museum, '--keep', '1');
    expect(stdout).toMatch(/^objects: 1 added, 1 removed, 1 changed, 90 in total\nchanges: /);
    expect(await readChanges(museum)).toMatchObject([
      {
        id: '2',
        change: 'changed',
        changes: [{ field: 'name', old: ['object 1'], new: ['renamed'] }, { field: 'modified' }],
        record: { opacObjectId: '2' },
      },
      { id: '700', change: 'added', record: { opacObjectId: '700' } },
      { id: '1', change: 'removed' },
    ]);
    const [old = ''] = await readdir(join(museum.folder, 'mirror/old')).then((names) =>
      names.filter((name) => name.endsWith('.gz')),
    );
    expect(await readMirror(museum, join('old', old))).toEqual(before);
  });

  it('sends two requests for records with --newest-first if nothing changed', async () => {
    const museum = await startMuseum({ records: 500, maxPageSize: 5 });
    const folder = (await startMuseumWith([])).folder;
    onTestFinished(() => museum.close());
    const words = [
      'sync',
      join(folder, 'mirror'),
      '--kinds',
      'objects',
      '--base-url',
      museum.url,
      '--newest-first',
      'name',
    ];
    await opac(words);
    const before = museum.requests.length;
    const { stdout } = await opac(words);
    expect(stdout).toBe('objects: 0 added, 0 removed, 0 changed, 500 in total\n');
    const requests = museum.requests.slice(before);
    expect(requests.filter(({ query }) => query.has('view'))).toHaveLength(2);
    expect(requests.length).toBeLessThan(130);
  });

  it('finds in a later run an edit that did not change the --newest-first field, and reports it', async () => {
    const museum = await startMuseumWith();
    const words = ['--newest-first', 'modified:2'];
    await sync(museum, ...words);
    const hidden = FIRST.map((record) => (record.id === 3 ? { ...record, name: 'changed quietly' } : record));
    await museum.publish(hidden);
    expect((await sync(museum, ...words)).stdout).toMatch(/0 changed/);
    expect((await sync(museum, ...words)).stdout).toMatch(
      /1 changed.*1 edit did not change the --newest-first field/,
    );
    expect(await readChanges(museum)).toMatchObject([{ id: '3', missed: true }]);
    expect(await readMirror(museum)).toEqual(linesOf(hidden));
  });

  it('leaves the mirror unchanged after an incomplete run', async () => {
    const museum = await startMuseumWith();
    await sync(museum);
    const before = await readMirror(museum);
    const failing = await startMuseum({
      faults: [{ kind: 'status', status: 500, after: 1 }],
      data: [join(museum.folder, 'records-0.ndjson')],
      maxPageSize: 20,
    });
    onTestFinished(() => failing.close());
    const state = join(museum.folder, 'mirror/mirror.json');
    await writeFile(state, (await readFile(state, 'utf8')).replace(museum.url, failing.url));
    const words = [
      'sync',
      join(museum.folder, 'mirror'),
      '--kinds',
      'objects',
      '--base-url',
      failing.url,
      '--retries',
      '0',
    ];
    const { code, stderr } = await opac(words);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('the mirror is unchanged; run the command again'),
    });
    expect(await readMirror(museum)).toEqual(before);
  });

  it('leaves the mirror unchanged if all records lose their fields, and warns if some do', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(30);
    museum.cap = 10;
    const folder = join(await createFolder(), 'mirror');
    const run = () =>
      opac(['sync', folder, '--kinds', 'objects', '--ending', 'ndjson', '--base-url', museum.url, '--quiet']);
    const read = () => readFile(join(folder, 'objects.ndjson'), 'utf8');
    const dropFields = (isLost: (offset: number) => boolean) => {
      museum.fault = ({ offset, limit, isStub }) => {
        if (isStub || !isLost(offset)) return undefined;
        const opacObjects = createRecords(30)
          .slice(offset, offset + Math.min(limit, 10))
          .map(({ id }) => ({ opacObjectId: id, objectSearchScore: 1, opacObjectFieldSets: [] }));
        return { body: JSON.stringify({ opacObjects, totalObjects: 30 }) };
      };
    };
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
    const before = await read();
    dropFields(() => true);
    expect(await run()).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('objects: 30 of 30 records have no fields, fewer images'),
    });
    expect(await read()).toBe(before);
    dropFields((offset) => offset === 10);
    expect(await run()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'warning: objects: 10 of 30 records have no fields, fewer images than stated, or parts that opac cannot read\n',
      ),
    });
  });

  it('leaves the mirror unchanged while the records have no ids', async () => {
    const server = await startImageServer([]);
    const records = (hasIds: boolean, count: number) => {
      const all = Array.from({ length: count }, (_, n) => ({
        ...(hasIds && { opacObjectId: `${n}` }),
        slug: `${n}`,
      }));
      server.respond.set('/api/v3/opacobjects', ({ url = '' }, response) => {
        const { searchParams } = new URL(url, server.url);
        const from = Number(searchParams.get('offset') ?? 0);
        const page = { opacObjects: all.slice(from, from + 20), totalObjects: all.length };
        response.end(JSON.stringify(page));
      });
    };
    const folder = join(await createFolder(), 'mirror');
    const run = () => opac(['sync', folder, '--kinds', 'objects', '--base-url', server.url]);
    const refusal = {
      code: 6,
      stderr:
        'opac: objects: 30 records without an id; a mirror needs ids; the mirror is unchanged; run the command again\n',
    };
    records(false, 30);
    expect(await run()).toMatchObject(refusal);
    expect(existsSync(join(folder, 'objects.ndjson.gz'))).toBe(false);
    records(true, 40);
    expect(await run()).toMatchObject({ code: 0 });
    const snapshot = await readFile(join(folder, 'objects.ndjson.gz'));
    records(false, 30);
    for (let times = 0; times < 2; times++) expect(await run()).toMatchObject(refusal);
    expect(await readFile(join(folder, 'objects.ndjson.gz'))).toEqual(snapshot);
    records(true, 41);
    expect((await run()).stdout).toContain('1 added, 0 removed, 0 changed, 41 in total');
  });

  it('passes changes to --on-change, and does not run folder names as commands', async () => {
    const museum = await startMuseumWith();
    const folder = join(museum.folder, "m$(touch x)'; touch y; '");
    const line = ['sync', folder, '--kinds', 'objects', '--base-url', museum.url];
    const out = join(museum.folder, 'out');
    const onChange = ['--on-change', `cat "$1" "$OPAC_CHANGES" >${out}`];
    await opac([...line, ...onChange]);
    expect(existsSync(out)).toBe(false);
    await museum.publish(FIRST.slice(1));
    expect(await opac([...line, ...onChange])).toMatchObject({ code: 0 });
    expect((await readFile(out, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
    expect(existsSync('x') || existsSync('y')).toBe(false);
    await museum.publish(FIRST);
    expect(await opac([...line, '--on-change', 'exit 3'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the --on-change command failed (3); the mirror is up to date'),
    });
  });

  it('warns if a deployment has far fewer records than before, and lists the removed records', async () => {
    const museum = await startMuseumWith();
    await sync(museum);
    await museum.publish(FIRST.slice(0, 1));
    expect(await sync(museum, '--quiet', '--strict')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`objects: only 1 record; the mirror has ${FIRST.length} records`),
    });
    const { code, stderr } = await sync(museum, '--quiet');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        `warning: objects: only 1 record; the mirror had ${FIRST.length}; the change log lists the removed records`,
      ),
    });
    expect(await readChanges(museum)).toHaveLength(FIRST.length - 1);
    await museum.publish(FIRST);
    expect((await sync(museum)).stderr).not.toContain('warning');
  });
});

it('continues a mirror of an earlier format', async () => {
  const museum = await startMuseumWith();
  await sync(museum, '--newest-first', 'modified');
  const path = join(museum.folder, 'mirror/mirror.json');
  const state = JSON.parse(await readFile(path, 'utf8'));
  const objects = { records: FIRST.length, requests: 6, ...state.kinds.objects };
  await writeFile(path, JSON.stringify({ ...state, format: 1, kinds: { objects } }));
  expect(await sync(museum, '--newest-first', 'modified')).toMatchObject({
    code: 0,
    stdout: `objects: 0 added, 0 removed, 0 changed, ${FIRST.length} in total\n`,
  });
});

describe('sync to an unsuitable folder', () => {
  it.each([
    ['of another deployment', { deployment: 'https://other.example.org' }, /mirror with another deployment/],
    ['of another search', { query: [] }, /mirror with another search/],
    [
      'of a newer version',
      { format: 3, tool: 'opac 9.0' },
      /a newer version of opac created .* \(opac 9.0\)/,
    ],
    [
      'of a newer version without a version number',
      { format: 3, tool: undefined },
      /a newer version of opac created/,
    ],
    ['with a state of a wrong type', { kinds: 1 }, /is damaged: invalid "kinds"/],
    ['without a deployment', { deployment: undefined }, /is damaged: invalid "deployment"/],
    ['with a wrong value', { kinds: { objects: { newest: 1 } } }, /invalid "kinds"/],
    ['that would store old snapshots outside the mirror', { updated: '../../x' }, /invalid "updated"/],
    ['that would store change logs outside the mirror', { changes: '../x.ndjson' }, /invalid "changes"/],
    ['that would use the mirror folder as the change log', { changes: 'changes/..' }, /invalid "changes"/],
    ['with an invalid file extension', { ending: '(' }, /invalid "ending"/],
  ])('refuses a mirror %s and does not change it', async (_, difference, message) => {
    const museum = await startMuseumWith();
    await sync(museum);
    const path = join(museum.folder, 'mirror/mirror.json');
    const state = JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...difference });
    await writeFile(path, state);
    const { code, stderr } = await sync(museum);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(await readFile(path, 'utf8')).toBe(state);
  });

  it('refuses a mirror without a manifest, or with a pipe as its state (needs mkfifo)', async () => {
    const museum = await startMuseumWith();
    const at = (name: string) => join(museum.folder, 'mirror', name);
    await sync(museum);
    await rename(at('objects.ndjson.gz.manifest.json'), at('away'));
    expect(await sync(museum)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^opac: ".*objects\.ndjson\.gz\.manifest\.json" is missing; delete ".*objects\.ndjson\.gz" too, and run the command again to read all records\n$/,
      ),
    });
    await rename(at('away'), at('objects.ndjson.gz.manifest.json'));
    await rm(at('mirror.json'));
    await promisify(execFile)('mkfifo', [at('mirror.json')]);
    expect(await sync(museum)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('mirror.json" is not a regular file'),
    });
  });

  it('does not change a folder .next of another program', async () => {
    const museum = await startMuseumWith();
    await sync(museum);
    const theirs = join(museum.folder, 'mirror', '.next');
    await mkdir(theirs);
    await writeFile(join(theirs, 'page.js'), 'theirs');
    expect((await sync(museum)).code).toBe(0);
    expect(await readdir(theirs)).toEqual(['page.js']);
  });

  it.each(['.opac-next', '.whole'])(
    'refuses a link in the place of the folder %s, and does not change its target',
    async (name) => {
      const museum = await startMuseumWith();
      await sync(museum);
      const victim = join(museum.folder, 'victim');
      await mkdir(join(victim, '.temporary'), { recursive: true });
      for (const each of ['changes.ndjson', 'mirror.json', '.temporary/mine'])
        await writeFile(join(victim, each), 'mine');
      await symlink(victim, join(museum.folder, 'mirror', name));
      const { code, stderr } = await sync(museum);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}" is not a folder; delete it`)]);
      const left = (await readdir(victim, { recursive: true })).sort();
      expect(left).toEqual(['.temporary', '.temporary/mine', 'changes.ndjson', 'mirror.json']);
    },
  );

  it('refuses a folder with other files, and a folder that another run has locked', async () => {
    const museum = await startMuseumWith();
    const folder = join(museum.folder, 'mirror');
    await mkdir(folder);
    await writeFile(join(folder, 'notes.txt'), '');
    expect(await sync(museum)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('contains files, but is not a mirror folder'),
    });
    const locked = join(museum.folder, 'held');
    await mkdir(locked);
    const lock = await acquireLock(join(locked, '.lock'), locked);
    expect(await opac(['sync', locked, '--base-url', museum.url])).toMatchObject({ code: 8 });
    await lock.release();
  });
});
