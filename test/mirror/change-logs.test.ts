/** Each run has a file of changes of its own, and `--on-change` gets each of them, oldest first. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { type Mirror, mirrorOf } from './mirror-of.js';
import { edited, SmallMuseum, someRecords } from './small-museum.js';

async function begun(...words: string[]) {
  const museum = await SmallMuseum.start();
  museum.records.objects = someRecords(3);
  const mirror = await mirrorOf(museum);
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  let edits = 0;
  /** A run after an edit. */
  const next = (...more: string[]) => {
    museum.records.objects = edited(museum.records.objects, '1', { name: `edit ${++edits}` });
    return mirror.sync(...more);
  };
  return { museum, mirror, next };
}

const handedOn = async ({ folder }: Mirror) =>
  (await readFile(join(folder, '../handed-on'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

const append = ({ folder }: Mirror) => ['--on-change', `basename "$1" >>'${folder}/../handed-on'`];

it('two runs within a second leave two files', async () => {
  const { mirror, next } = await begun();
  await Promise.resolve();
  for (let run = 0; run < 3; run++) expect(await next()).toMatchObject({ code: 0 });
  const logs = await mirror.changeLogs();
  expect(logs.map(({ changes }) => changes)).toMatchObject(
    [1, 2, 3].map((n) => [{ changes: [{ new: [`edit ${n}`] }] }]),
  );
});

it('old snapshots keep their manifests beside them', async () => {
  const { mirror, next } = await begun('--keep', '2');
  for (let run = 0; run < 3; run++) await next('--keep', '2');
  const names = await readdir(join(mirror.folder, 'old'));
  const snapshots = names.filter((name) => name.endsWith('.gz'));
  expect(snapshots).toHaveLength(2);
  expect(names.sort()).toEqual(snapshots.flatMap((name) => [name, `${name}.manifest.json`]).sort());
  for (const name of snapshots)
    expect(await opac(['verify', join(mirror.folder, 'old', name)])).toMatchObject({ code: 0 });
});

it('deletes only its own files in the folder of old snapshots', async () => {
  const { mirror, next } = await begun('--keep', '1');
  await next('--keep', '1');
  const own = ['2025.notes.txt', 'thesis.odt', '.hidden'];
  for (const name of own) await writeFile(join(mirror.folder, 'old', name), 'mine');
  expect(await next('--keep', '0')).toMatchObject({ code: 0 });
  expect((await readdir(join(mirror.folder, 'old'))).sort()).toEqual(own.sort());
});

it('keeps no old snapshot by way of a link that somebody put in its place', async () => {
  const { mirror, next } = await begun();
  const { updated } = JSON.parse(await readFile(join(mirror.folder, 'mirror.json'), 'utf8'));
  const victim = join(mirror.folder, '../victim');
  await writeFile(victim, 'mine');
  await mkdir(join(mirror.folder, 'old'));
  const name = `${updated.replaceAll(/[:.]/g, '-')}.objects.ndjson.gz`;
  await symlink(victim, join(mirror.folder, 'old', name));
  expect(await next('--keep', '1')).toMatchObject({ code: 0 });
  expect(await readFile(victim, 'utf8')).toBe('mine');
});

it('hands on again what the command failed to take, oldest first', async () => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  const failed = {
    code: 1,
    stdout: expect.stringContaining('1 changed'),
    stderr: expect.stringMatching(
      /command failed \(75\); the mirror is up to date; to repeat the command for ".*", run opac sync with --on-change again/,
    ),
  };
  for (let run = 0; run < 2; run++) expect(await next('--on-change', 'exit 75')).toMatchObject(failed);
  expect(await handedOn(mirror)).toEqual([]);
  // Changes that a run without the command finds are not lost for it.
  expect(await next()).toMatchObject({ code: 0 });
  expect(await next(...append(mirror))).toMatchObject({ code: 0 });
  const names = (await mirror.changeLogs()).map(({ name }) => name);
  expect(names).toHaveLength(4);
  expect(await handedOn(mirror)).toEqual(names);
  expect(await mirror.sync(...append(mirror))).toMatchObject({ code: 0 });
  expect(await handedOn(mirror)).toEqual(names);
});

it('hands on in a run that finds nothing new what is still pending', async () => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  await next('--on-change', 'exit 1');
  expect(await mirror.sync(...append(mirror))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 changed'),
  });
  expect(await handedOn(mirror)).toHaveLength(1);
});

it('says which changes are gone that were still to be handed on, and goes on with the next', async () => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  await next('--on-change', 'exit 1');
  const [gone] = await mirror.changeLogs();
  await rm(join(mirror.folder, 'changes', gone?.name ?? ''));
  const { code, stderr } = await next(...append(mirror));
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`${gone?.name}" is missing or not a file`),
  });
  expect(await handedOn(mirror)).toHaveLength(1);
});

it('hands on no changes from before the command was first used', async () => {
  const { mirror, next } = await begun();
  await next();
  expect(await next(...append(mirror))).toMatchObject({ code: 0 });
  expect(await handedOn(mirror)).toHaveLength(1);
});

it('the command gets the environment without the secrets of opac', async () => {
  const { museum, mirror } = await begun();
  museum.records.objects = edited(museum.records.objects, '1', { name: 'edited' });
  const file = join(mirror.folder, '../environment');
  const environment = { OPAC_BASIC_KEY: 'c2VjcmV0LWtleQ', OPAC_TOKEN_X: 'misspelt-variable' };
  expect(await opac([...mirror.words, '--on-change', `env >'${file}'`], { environment })).toMatchObject({
    code: 0,
  });
  const names = (await readFile(file, 'utf8')).split('\n').map((line) => line.split('=', 1)[0]);
  expect(names).toContain('OPAC_CHANGES');
  expect(names).toContain('OPAC_CONFIG_DIR');
  expect(names.filter((name) => /KEY|SECRET|TOKEN/.test(name ?? ''))).toEqual([]);
});

it('keeps the change log of a mirror whose snapshots end as the log does', async () => {
  const { mirror, next } = await begun('--ending', 'ndjson');
  expect(await next('--ending', 'ndjson')).toMatchObject({ code: 0, stderr: '' });
  expect(await mirror.changeLogs()).toHaveLength(1);
  expect(await readFile(join(mirror.folder, 'objects.ndjson'), 'utf8')).toContain('edit 1');
});

it('says that the changes are unknown if a snapshot is missing, also with --quiet', async () => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  await rm(join(mirror.folder, 'objects.ndjson.gz'));
  expect(await next('--quiet', ...append(mirror))).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(
      /^warning: ".*objects\.ndjson\.gz" is missing, so opac cannot find the changes\n$/,
    ),
  });
  expect(await handedOn(mirror)).toEqual([]);
  expect(await next('--quiet', ...append(mirror))).toMatchObject({ code: 0, stderr: '' });
  expect(await handedOn(mirror)).toHaveLength(1);
});

it.each(['', ' '])('refuses the command "%s" and delivers nothing to it', async (command) => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  await next('--on-change', 'exit 1');
  expect(await mirror.sync('--on-change', command)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--on-change is empty'),
  });
  await mirror.sync(...append(mirror));
  expect(await handedOn(mirror)).toHaveLength(1);
});

it.each([
  ['', 3],
  [`trap '' TERM INT HUP;`, 8],
])('ends all programs that the command started at the deadline: %s', async (trap, seconds) => {
  const { mirror, next } = await begun();
  const late = join(mirror.folder, '../late');
  const command = `${trap} (sleep ${seconds}; echo >'${late}') & wait`;
  expect(await next('--on-change', command, '--deadline', '2s')).toMatchObject({ code: 1 });
  await setTimeout(seconds * 1000 - 1500);
  expect(await readdir(join(late, '..'))).not.toContain('late');
});

it('says that the command, not the deployment, exceeded the deadline, and writes the report', async () => {
  const { mirror, next } = await begun('--on-change', 'exit 0');
  const report = join(mirror.folder, '../report.csv');
  expect(await next('--on-change', 'exec sleep 30', '--deadline', '2s', '--report', report)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the --on-change command did not end before --deadline'),
  });
  expect(await readFile(report, 'utf8')).toContain('edit 1');
  await mirror.sync(...append(mirror));
  expect(await handedOn(mirror)).toHaveLength(1);
});
