/** Each run that finds changes writes a change log. `--on-change` gets every change log, the oldest first. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { createMirror, type Mirror } from './mirror-of.js';
import { createRecords, editRecord, SmallMuseum } from './small-museum.js';

async function startMirror(...words: string[]) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const mirror = await createMirror(museum);
  expect(await mirror.sync(...words)).toMatchObject({ code: 0 });
  let edits = 0;
  /** Edits a record, and starts a run. */
  const syncAfterEdit = (...more: string[]) => {
    museum.records.objects = editRecord(museum.records.objects, '1', { name: `edit ${++edits}` });
    return mirror.sync(...more);
  };
  return { museum, mirror, syncAfterEdit };
}

const readDelivered = async ({ folder }: Mirror) =>
  (await readFile(join(folder, '../handed-on'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

const append = ({ folder }: Mirror) => ['--on-change', `basename "$1" >>'${folder}/../handed-on'`];

it('writes one change log per run, even if the runs follow each other within one second', async () => {
  const { mirror, syncAfterEdit } = await startMirror();
  await Promise.resolve();
  for (let run = 0; run < 3; run++) expect(await syncAfterEdit()).toMatchObject({ code: 0 });
  const logs = await mirror.changeLogs();
  expect(logs.map(({ changes }) => changes)).toMatchObject(
    [1, 2, 3].map((n) => [{ changes: [{ new: [`edit ${n}`] }] }]),
  );
});

it('stores each old snapshot with its manifest', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--keep', '2');
  for (let run = 0; run < 3; run++) await syncAfterEdit('--keep', '2');
  const names = await readdir(join(mirror.folder, 'old'));
  const snapshots = names.filter((name) => name.endsWith('.gz'));
  expect(snapshots).toHaveLength(2);
  expect(names.sort()).toEqual(snapshots.flatMap((name) => [name, `${name}.manifest.json`]).sort());
  for (const name of snapshots)
    expect(await opac(['verify', join(mirror.folder, 'old', name)])).toMatchObject({ code: 0 });
});

it('deletes only its own files in the folder of old snapshots', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--keep', '1');
  await syncAfterEdit('--keep', '1');
  const own = ['2025.notes.txt', 'thesis.odt', '.hidden'];
  for (const name of own) await writeFile(join(mirror.folder, 'old', name), 'mine');
  expect(await syncAfterEdit('--keep', '0')).toMatchObject({ code: 0 });
  expect((await readdir(join(mirror.folder, 'old'))).sort()).toEqual(own.sort());
});

it('does not write an old snapshot through a link with the same name', async () => {
  const { mirror, syncAfterEdit } = await startMirror();
  const { updated } = JSON.parse(await readFile(join(mirror.folder, 'mirror.json'), 'utf8'));
  const victim = join(mirror.folder, '../victim');
  await writeFile(victim, 'mine');
  await mkdir(join(mirror.folder, 'old'));
  const name = `${updated.replaceAll(/[:.]/g, '-')}.objects.ndjson.gz`;
  await symlink(victim, join(mirror.folder, 'old', name));
  expect(await syncAfterEdit('--keep', '1')).toMatchObject({ code: 0 });
  expect(await readFile(victim, 'utf8')).toBe('mine');
});

it('passes change logs to --on-change again after the command failed, the oldest first', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  const failed = {
    code: 1,
    stdout: expect.stringContaining('1 changed'),
    stderr: expect.stringMatching(
      /command failed \(75\); the mirror is up to date; to repeat the command for ".*", run opac sync with --on-change again/,
    ),
  };
  for (let run = 0; run < 2; run++)
    expect(await syncAfterEdit('--on-change', 'exit 75')).toMatchObject(failed);
  expect(await readDelivered(mirror)).toEqual([]);
  // The command later also receives the change logs of runs without --on-change.
  expect(await syncAfterEdit()).toMatchObject({ code: 0 });
  expect(await syncAfterEdit(...append(mirror))).toMatchObject({ code: 0 });
  const names = (await mirror.changeLogs()).map(({ name }) => name);
  expect(names).toHaveLength(4);
  expect(await readDelivered(mirror)).toEqual(names);
  expect(await mirror.sync(...append(mirror))).toMatchObject({ code: 0 });
  expect(await readDelivered(mirror)).toEqual(names);
});

it('passes pending change logs to --on-change also in a run without changes', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  await syncAfterEdit('--on-change', 'exit 1');
  expect(await mirror.sync(...append(mirror))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 changed'),
  });
  expect(await readDelivered(mirror)).toHaveLength(1);
});

it('reports a pending change log that does not exist, and continues with the next one', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  await syncAfterEdit('--on-change', 'exit 1');
  const [deleted] = await mirror.changeLogs();
  await rm(join(mirror.folder, 'changes', deleted?.name ?? ''));
  const { code, stderr } = await syncAfterEdit(...append(mirror));
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`${deleted?.name}" is missing or not a file`),
  });
  expect(await readDelivered(mirror)).toHaveLength(1);
});

it('does not pass change logs of runs before the first --on-change', async () => {
  const { mirror, syncAfterEdit } = await startMirror();
  await syncAfterEdit();
  expect(await syncAfterEdit(...append(mirror))).toMatchObject({ code: 0 });
  expect(await readDelivered(mirror)).toHaveLength(1);
});

it('starts the command with all environment variables except the secrets of opac', async () => {
  const { museum, mirror } = await startMirror();
  museum.records.objects = editRecord(museum.records.objects, '1', { name: 'edited' });
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

it('keeps the change log if the snapshots have the same file extension (ndjson)', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--ending', 'ndjson');
  expect(await syncAfterEdit('--ending', 'ndjson')).toMatchObject({ code: 0, stderr: '' });
  expect(await mirror.changeLogs()).toHaveLength(1);
  expect(await readFile(join(mirror.folder, 'objects.ndjson'), 'utf8')).toContain('edit 1');
});

it('warns even with --quiet that the changes are unknown if a snapshot is missing', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  await rm(join(mirror.folder, 'objects.ndjson.gz'));
  expect(await syncAfterEdit('--quiet', ...append(mirror))).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(
      /^warning: ".*objects\.ndjson\.gz" is missing, so opac cannot find the changes\n$/,
    ),
  });
  expect(await readDelivered(mirror)).toEqual([]);
  expect(await syncAfterEdit('--quiet', ...append(mirror))).toMatchObject({ code: 0, stderr: '' });
  expect(await readDelivered(mirror)).toHaveLength(1);
});

it.each(['', ' '])('refuses the empty command "%s", and keeps the change log pending', async (command) => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  await syncAfterEdit('--on-change', 'exit 1');
  expect(await mirror.sync('--on-change', command)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--on-change is empty'),
  });
  await mirror.sync(...append(mirror));
  expect(await readDelivered(mirror)).toHaveLength(1);
});

it.each([
  ['', 3],
  [`trap '' TERM INT HUP;`, 8],
])('ends all programs of the command at the deadline, even if it begins with "%s"', async (trap, seconds) => {
  const { mirror, syncAfterEdit } = await startMirror();
  const late = join(mirror.folder, '../late');
  const command = `${trap} (sleep ${seconds}; echo >'${late}') & wait`;
  expect(await syncAfterEdit('--on-change', command, '--deadline', '2s')).toMatchObject({ code: 1 });
  await setTimeout(seconds * 1000 - 1500);
  expect(await readdir(join(late, '..'))).not.toContain('late');
});

it('reports that the --on-change command exceeded the deadline, and still writes the report', async () => {
  const { mirror, syncAfterEdit } = await startMirror('--on-change', 'exit 0');
  const report = join(mirror.folder, '../report.csv');
  expect(
    await syncAfterEdit('--on-change', 'exec sleep 30', '--deadline', '2s', '--report', report),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the --on-change command did not end before --deadline'),
  });
  expect(await readFile(report, 'utf8')).toContain('edit 1');
  await mirror.sync(...append(mirror));
  expect(await readDelivered(mirror)).toHaveLength(1);
});
