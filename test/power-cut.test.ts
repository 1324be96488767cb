/** A power cut at every step of what must outlive one. */
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
import { imageServer } from './images/image-server.js';
import { ChangingMuseum, changed, FIRST, lineOf } from './mirror/changing-museum.js';
import { type Disk, disksOf, writeDisk } from './power-cut/disks.js';
import { type Recording, record } from './power-cut/recording.js';

type Files = ReadonlyMap<string, Buffer>;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-power-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of a folder and of those in it. */
async function filesIn(folder: string): Promise<Files> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const files = paths
    .sort()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const);
  return new Map(await Promise.all(files));
}

/** Judges each disk that a power cut may leave; `put` puts it into the folder. */
async function afterEachCut(
  recording: Recording,
  folder: string,
  judge: (disk: Disk, put: () => Promise<void>, n: number) => Promise<void>,
) {
  const disks = disksOf(recording);
  // The recording missed nothing.
  const last = disks.find(({ isOver }) => isOver);
  expect(new Map([...(last?.files ?? [])].filter(([, bytes]) => bytes))).toEqual(await filesIn(folder));
  expect(disks.length).toBeGreaterThan(recording.steps.length / 3);
  // What is judged syncs in vain, which takes most of its time.
  const nowhere = await temporaryFolder();
  await record(nowhere, async () => {
    const put = async (disk: Disk) => {
      await rm(folder, { recursive: true });
      await writeDisk(disk, folder);
    };
    for (const [n, disk] of disks.entries()) await judge(disk, () => put(disk), n);
    await put(last as Disk);
  });
}

const EXPORTS: readonly (readonly [name: string, made: readonly string[], options: ExportSetupOptions])[] = [
  ['out.ndjson', ['out.ndjson'], { format: 'ndjson' }],
  ['out.csv', ['out.csv'], { format: 'csv' }],
  ['split.csv', ['split-001.csv', 'split-002.csv'], { format: 'csv', split: 10 }],
];

describe('after a power cut at any step', { timeout: 120_000 }, () => {
  it.each(EXPORTS)('an export to %s is the earlier one, or goes on to the whole', (name, made, options) =>
    withMuseum({ records: 20 }, async ({ run, path, folder }) => {
      await run(name, { ...options, query: [['view', 'label']] });
      const earlier = await filesIn(folder);
      const recording = await record(folder, () => run(name, { ...options, pageSize: 10 }));
      const whole = await filesIn(folder);
      await afterEachCut(recording, folder, async ({ name: cut, files, isOver }, put) => {
        await put();
        for (const each of made) {
          const bytes = files.get(each);
          expect(
            [earlier.get(each), whole.get(each)].some((it) => bytes && it?.equals(bytes)),
            `${each} after ${cut}`,
          ).toBe(true);
        }
        if (isOver) expect((await verifyFile(path(made[0] ?? name))).problems, cut).toEqual([]);
        expect(await run(name, { ...options, pageSize: 10, resume: true }), cut).toMatchObject({
          complete: true,
        });
        const after = await filesIn(folder);
        for (const each of made)
          expect(after.get(each)?.equals(whole.get(each) as Buffer), `${each} after ${cut}`).toBe(true);
        expect([...after.keys()], cut).toEqual([...whole.keys()]);
      });
    }),
  );

  it.each(['list.csv', 'list.ndjson.gz'])('a list in %s is the earlier one or the whole', async (name) => {
    const museum = await startMuseum({ records: 20 });
    onTestFinished(() => museum.close());
    const folder = await temporaryFolder();
    const list = (view: string) =>
      opac(['objects', 'list', '--base-url', museum.url, '--view', view, '-o', join(folder, name)]);
    expect(await list('label')).toMatchObject({ code: 0 });
    const earlier = await filesIn(folder);
    const recording = await record(folder, () => list('detail'));
    const whole = await filesIn(folder);
    await afterEachCut(recording, folder, async ({ name: cut, files, isOver }) => {
      const bytes = files.get(name);
      const may = isOver ? [whole] : [earlier, whole];
      expect(
        may.some((it) => bytes && it.get(name)?.equals(bytes)),
        cut,
      ).toBe(true);
    });
  });

  it('a mirror is the earlier state or the later one, with what changed, the old snapshot and its manifest', async () => {
    const museum = await ChangingMuseum.start();
    onTestFinished(() => museum.close());
    const root = await temporaryFolder();
    const folder = join(root, 'mirror');
    const sync = () => opac(['sync', folder, '--kinds', 'objects', '--base-url', museum.url, '--keep', '1']);
    const linesIn = async (path: string) =>
      gunzipSync(await readFile(join(folder, path)))
        .toString()
        .trimEnd()
        .split('\n')
        .sort();
    const keptIn = async () =>
      [...(await filesIn(folder))].flatMap(([path, bytes]) =>
        /^(?:changes|old)\//.test(path) ? [`${path} ${bytes.toString('latin1')}`] : [],
      );
    const states: { readonly lines: string[]; readonly kept: Awaited<ReturnType<typeof keptIn>> }[] = [];
    for (const records of [FIRST.slice(0, 20), changed(FIRST.slice(0, 20), 1)]) {
      await museum.publish(records);
      const recording = await record(root, async () => expect(await sync()).toMatchObject({ code: 0 }));
      states.push({ lines: await linesIn('objects.ndjson.gz'), kept: await keptIn() });
      const last = states.length;
      expect(states[last - 1]).toMatchObject({
        lines: records.map(lineOf).sort(),
        kept: { length: 3 * last - 3 },
      });
      await afterEachCut(recording, root, async ({ name: cut, files, isOver }, put, n) => {
        await put();
        if (files.has('mirror')) await finishCommit(folder, 1);
        const { runs = 0 } = (files.has('mirror') && (await readMirrorState(folder))) || {};
        expect(isOver ? [last] : [last - 1, last], cut).toContain(runs);
        if (runs > 0) {
          expect({ lines: await linesIn('objects.ndjson.gz'), kept: await keptIn() }, cut).toEqual(
            states[runs - 1],
          );
          expect((await verifyFile(join(folder, 'objects.ndjson.gz'))).problems, cut).toEqual([]);
        }
        // How its exports go on is seen above.
        if (runs === last || n % 4 > 0) return;
        expect(await sync(), cut).toMatchObject({ code: 0 });
        expect(await linesIn('objects.ndjson.gz'), cut).toEqual(states[last - 1]?.lines);
        const changes = (await keptIn()).filter((each) => each.startsWith('changes'));
        expect(changes, cut).toHaveLength(last - 1);
      });
    }
  });

  it('images are the earlier ones or the later ones, and so is their index, which names none that is lost', async () => {
    const objects = (changed: string) =>
      ['here', 'there'].map((place) => ({
        id: place,
        fields: { place, accession_no: 'A' },
        images: [{ url: `/${place === 'here' ? changed : place}.png` }],
      }));
    const server = await imageServer(objects('before'));
    const root = await temporaryFolder();
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
    const earlier = await filesIn(root);
    server.objects = objects('after');
    const recording = await record(root, download);
    const whole = await filesIn(root);
    expect(whole.size).toBe(4);
    await afterEachCut(recording, root, async ({ name: cut, files, isOver }, put, n) => {
      const index = 'images/index.ndjson';
      const isIndexed = files.get(index)?.equals(whole.get(index) as Buffer);
      for (const [name, bytes] of whole) {
        const isLast = isOver || (isIndexed && name.endsWith('.png'));
        const may = isLast ? [bytes] : [earlier.get(name), bytes];
        const found = files.get(name);
        expect(
          may.some((it) => (it && found ? it.equals(found) : it === found)),
          `${name} after ${cut}`,
        ).toBe(true);
      }
      if (n % 8 > 0) return;
      await put();
      await download();
      expect(await filesIn(root), cut).toEqual(whole);
    });
  });

  it('profiles are the earlier ones or those that were stored last', async () => {
    const folder = await temporaryFolder();
    const profile: Profile = { name: 'museum', baseUrl: 'https://museum.example', scheme: 'anonymous' };
    const storeIn = () => new ProfileStore({ folder: folder, note: (text) => expect.unreachable(text) });
    await storeIn().save(profile);
    const recording = await recordProfiles(folder);
    const states = [{}, { scheme: 'bearer' }, { scheme: 'bearer', accessToken: 'a-token' }].map((change) => ({
      ...profile,
      ...change,
    }));
    await afterEachCut(recording, folder, async ({ name: cut, isOver }, put) => {
      await put();
      expect(isOver ? states.slice(-1) : states, cut).toContainEqual(await storeIn().get('museum'));
      await storeIn().update('museum', (before) => ({ ...before, clientId: 'goes on' }));
      expect(await storeIn().get('museum'), cut).toMatchObject({ clientId: 'goes on' });
    });
  });
});

const PROFILES = `
import { ProfileStore } from './src/auth/store/profile-store.js';
import { record } from './test/power-cut/recording.js';
const [directory] = process.argv.slice(2);
const { steps, folders } = await record(directory, async () => {
  const store = new ProfileStore({ folder: directory, note: () => {} });
  await store.save({ name: 'museum', baseUrl: 'https://museum.example', scheme: 'bearer' });
  await store.update('museum', (profile) => ({ ...profile, accessToken: 'a-token' }));
});
process.stdout.write(JSON.stringify({ steps, folders: [...folders] }));
`;

/** In a process of its own: the library that writes profiles keeps to the functions that it finds when it is loaded. */
async function recordProfiles(folder: string): Promise<Recording> {
  const program = join(await temporaryFolder(), 'profiles.mjs');
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
