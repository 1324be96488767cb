/** Simulates power cuts at the steps of commands whose files must survive them, and checks these files. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Profile } from '../src/auth/store/profile.js';
import { ProfileStore } from '../src/auth/store/profile-store.js';
import { verifyFile } from '../src/export/verify/verify-files.js';
import { finishCommit } from '../src/mirror/commit.js';
import { readMirrorState } from '../src/mirror/mirror-state.js';
import { startMuseum } from '../src/mock/index.js';
import { opac } from './cli/run-in-process.js';
import { type ExportSetupOptions, withMuseum } from './export/export-setup.js';
import { startImageServer } from './images/image-server.js';
import { ChangingMuseum, changeRecords, FIRST, formatLine } from './mirror/changing-museum.js';
import { type Disk, listDisks, writeDisk } from './power-cut/disks.js';
import { type Recording, recordChanges } from './power-cut/recording.js';

type Files = ReadonlyMap<string, Buffer>;

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-power-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the files of a folder and its subfolders, with their contents. */
async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const files = paths
    .sort()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const);
  return new Map(await Promise.all(files));
}

/** Calls `judge` for each disk that a power cut may leave. `put` writes the disk to the folder. */
async function afterEachCut(
  recording: Recording,
  folder: string,
  judge: (disk: Disk, put: () => Promise<void>, n: number) => Promise<void>,
) {
  const disks = listDisks(recording);
  // The last disk has the same files as the folder, so the recording is complete.
  const last = disks.find(({ isOver }) => isOver);
  expect(new Map([...(last?.files ?? [])].filter(([, bytes]) => bytes))).toEqual(await readFiles(folder));
  expect(disks.length).toBeGreaterThan(recording.steps.length / 3);
  // Records an empty folder: sync calls have no effect during a recording. They would take most of the time.
  const emptyFolder = await createFolder();
  await recordChanges(emptyFolder, async () => {
    const put = async (disk: Disk) => {
      await rm(folder, { recursive: true });
      await writeDisk(disk, folder);
    };
    for (const [n, disk] of disks.entries()) await judge(disk, () => put(disk), n);
    await put(last as Disk);
  });
}

const EXPORTS: readonly (readonly [name: string, outputs: readonly string[], options: ExportSetupOptions])[] =
  [
    ['out.ndjson', ['out.ndjson'], { format: 'ndjson' }],
    ['out.csv', ['out.csv'], { format: 'csv' }],
    ['split.csv', ['split-001.csv', 'split-002.csv'], { format: 'csv', split: 10 }],
  ];

describe('a power cut at any step', { timeout: 120_000 }, () => {
  it.each(EXPORTS)(
    'leaves the earlier or the new export, and --resume completes it: %s',
    (name, outputs, options) =>
      withMuseum({ records: 20 }, async ({ run, path, folder }) => {
        await run(name, { ...options, query: [['view', 'label']] });
        const earlier = await readFiles(folder);
        const recording = await recordChanges(folder, () => run(name, { ...options, pageSize: 10 }));
        const newer = await readFiles(folder);
        await afterEachCut(recording, folder, async ({ name: cut, files, isOver }, put) => {
          await put();
          for (const each of outputs) {
            const bytes = files.get(each);
            expect(
              [earlier.get(each), newer.get(each)].some((it) => bytes && it?.equals(bytes)),
              `${each} after ${cut}`,
            ).toBe(true);
          }
          if (isOver) expect((await verifyFile(path(outputs[0] ?? name))).problems, cut).toEqual([]);
          expect(await run(name, { ...options, pageSize: 10, resume: true }), cut).toMatchObject({
            complete: true,
          });
          const after = await readFiles(folder);
          for (const each of outputs)
            expect(after.get(each)?.equals(newer.get(each) as Buffer), `${each} after ${cut}`).toBe(true);
          expect([...after.keys()], cut).toEqual([...newer.keys()]);
        });
      }),
  );

  it.each(['list.csv', 'list.ndjson.gz'])('leaves the earlier or the new list: %s', async (name) => {
    const museum = await startMuseum({ records: 20 });
    onTestFinished(() => museum.close());
    const folder = await createFolder();
    const list = (view: string) =>
      opac(['objects', 'list', '--base-url', museum.url, '--view', view, '-o', join(folder, name)]);
    expect(await list('label')).toMatchObject({ code: 0 });
    const earlier = await readFiles(folder);
    const recording = await recordChanges(folder, () => list('detail'));
    const newer = await readFiles(folder);
    await afterEachCut(recording, folder, async ({ name: cut, files, isOver }) => {
      const bytes = files.get(name);
      const allowed = isOver ? [newer] : [earlier, newer];
      expect(
        allowed.some((it) => bytes && it.get(name)?.equals(bytes)),
        cut,
      ).toBe(true);
    });
  });

  it('leaves the earlier or the new mirror, with its change log, old snapshot and manifest', async () => {
    const museum = await ChangingMuseum.start();
    onTestFinished(() => museum.close());
    const root = await createFolder();
    const folder = join(root, 'mirror');
    const sync = () => opac(['sync', folder, '--kinds', 'objects', '--base-url', museum.url, '--keep', '1']);
    const readLines = async (path: string) =>
      gunzipSync(await readFile(join(folder, path)))
        .toString()
        .trimEnd()
        .split('\n')
        .sort();
    const readHistory = async () =>
      [...(await readFiles(folder))].flatMap(([path, bytes]) =>
        /^(?:changes|old)\//.test(path) ? [`${path} ${bytes.toString('latin1')}`] : [],
      );
    const states: { readonly lines: string[]; readonly history: Awaited<ReturnType<typeof readHistory>> }[] =
      [];
    for (const records of [FIRST.slice(0, 20), changeRecords(FIRST.slice(0, 20), 1)]) {
      await museum.publish(records);
      const recording = await recordChanges(root, async () =>
        expect(await sync()).toMatchObject({ code: 0 }),
      );
      states.push({ lines: await readLines('objects.ndjson.gz'), history: await readHistory() });
      const last = states.length;
      expect(states[last - 1]).toMatchObject({
        lines: records.map(formatLine).sort(),
        history: { length: 3 * last - 3 },
      });
      await afterEachCut(recording, root, async ({ name: cut, files, isOver }, put, n) => {
        await put();
        if (files.has('mirror')) await finishCommit(folder, 1);
        const { runs = 0 } = (files.has('mirror') && (await readMirrorState(folder))) || {};
        expect(isOver ? [last] : [last - 1, last], cut).toContain(runs);
        if (runs > 0) {
          expect({ lines: await readLines('objects.ndjson.gz'), history: await readHistory() }, cut).toEqual(
            states[runs - 1],
          );
          expect((await verifyFile(join(folder, 'objects.ndjson.gz'))).problems, cut).toEqual([]);
        }
        // The tests of exports check how a run continues, so some of the disks are enough here.
        if (runs === last || n % 4 > 0) return;
        expect(await sync(), cut).toMatchObject({ code: 0 });
        expect(await readLines('objects.ndjson.gz'), cut).toEqual(states[last - 1]?.lines);
        const changes = (await readHistory()).filter((each) => each.startsWith('changes'));
        expect(changes, cut).toHaveLength(last - 1);
      });
    }
  });

  it('leaves the earlier or new images and index, and all images of a new index', async () => {
    const objects = (changed: string) =>
      ['here', 'there'].map((place) => ({
        id: place,
        fields: { place, accession_no: 'A' },
        images: [{ url: `/${place === 'here' ? changed : place}.png` }],
      }));
    const server = await startImageServer(objects('before'));
    const root = await createFolder();
    const folder = join(root, 'images');
    const download = async () =>
      expect(
        await opac([
          ...['images', 'download', folder, '--base-url', server.url, '--concurrency', '1'],
          ...['--name', '{place}/{accession_no}.{ext}'],
        ]),
      ).toMatchObject({ code: 0 });
    await download();
    await rm(join(folder, 'there'), { recursive: true });
    const earlier = await readFiles(root);
    server.objects = objects('after');
    const recording = await recordChanges(root, download);
    const newer = await readFiles(root);
    expect(newer.size).toBe(4);
    await afterEachCut(recording, root, async ({ name: cut, files, isOver }, put, n) => {
      const index = 'images/index.ndjson';
      const isIndexed = files.get(index)?.equals(newer.get(index) as Buffer);
      for (const [name, bytes] of newer) {
        const isLast = isOver || (isIndexed && name.endsWith('.png'));
        const allowed = isLast ? [bytes] : [earlier.get(name), bytes];
        const found = files.get(name);
        expect(
          allowed.some((it) => (it && found ? it.equals(found) : it === found)),
          `${name} after ${cut}`,
        ).toBe(true);
      }
      if (n % 8 > 0) return;
      await put();
      await download();
      expect(await readFiles(root), cut).toEqual(newer);
    });
  });

  it('leaves the earlier profile or a profile that was stored later', async () => {
    const folder = await createFolder();
    const profile: Profile = { name: 'museum', baseUrl: 'https://museum.example', scheme: 'anonymous' };
    const createStore = () => new ProfileStore({ folder: folder, note: (text) => expect.unreachable(text) });
    await createStore().save(profile);
    const recording = await recordProfiles(folder);
    const states = [{}, { scheme: 'bearer' }, { scheme: 'bearer', accessToken: 'a-token' }].map((change) => ({
      ...profile,
      ...change,
    }));
    await afterEachCut(recording, folder, async ({ name: cut, isOver }, put) => {
      await put();
      expect(isOver ? states.slice(-1) : states, cut).toContainEqual(await createStore().get('museum'));
      await createStore().update('museum', (before) => ({ ...before, clientId: 'goes on' }));
      expect(await createStore().get('museum'), cut).toMatchObject({ clientId: 'goes on' });
    });
  });
});

const PROFILES = `
import { ProfileStore } from './src/auth/store/profile-store.js';
import { recordChanges } from './test/power-cut/recording.js';
const [directory] = process.argv.slice(2);
const { steps, folders } = await recordChanges(directory, async () => {
  const store = new ProfileStore({ folder: directory, note: () => {} });
  await store.save({ name: 'museum', baseUrl: 'https://museum.example', scheme: 'bearer' });
  await store.update('museum', (profile) => ({ ...profile, accessToken: 'a-token' }));
});
process.stdout.write(JSON.stringify({ steps, folders: [...folders] }));
`;

/** Records in a new process: the library that writes profiles uses the file functions of the time when it was loaded. */
async function recordProfiles(folder: string): Promise<Recording> {
  const program = join(await createFolder(), 'profiles.mjs');
  await build({
    stdin: { contents: PROFILES, resolveDir: process.cwd() },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    define: { OPAC_VERSION: '"0.0.0"' },
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder], { encoding: 'utf8' });
  const { steps, folders } = JSON.parse(stdout, (name, value) =>
    name === 'bytes' ? Buffer.from(value.data) : value === null ? undefined : value,
  );
  return { steps, folders: new Set(folders) };
}
