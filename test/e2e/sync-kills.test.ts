/** A mirror stays complete if a run is killed or the disk is full. More kills: test/slow/sync.test.ts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ChangingMuseum, FIRST } from '../mirror/changing-museum.js';
import { killRuns } from '../mirror/kills.js';
import { createMirror } from '../mirror/mirror-of.js';
import { createRecords, formatLines, SmallMuseum } from '../mirror/small-museum.js';
import { opac, start } from './opac.js';

async function startMuseum(): Promise<ChangingMuseum> {
  const museum = await ChangingMuseum.start();
  onTestFinished(() => museum.close());
  return museum;
}

it('leaves the mirror complete after each of three kills', async () => {
  expect(await killRuns(await startMuseum(), 3, 77)).toBeGreaterThan(0);
});

it('leaves the mirror unchanged if the disk is full, and reports this', async () => {
  const museum = await startMuseum();
  await museum.publish(FIRST.slice(0, 3));
  const mirror = join(museum.folder, 'mirror');
  const words = ['sync', mirror, '--kinds', 'objects', '--base-url', museum.url];
  await opac(words);
  const before = await readFile(join(mirror, 'objects.ndjson.gz'));
  await museum.publish(FIRST);
  const { code, stderr } = await opac(words, { largestFile: 4096 });
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('the mirror is unchanged') });
  expect(await readFile(join(mirror, 'objects.ndjson.gz'))).toEqual(before);
  expect(await opac(words)).toMatchObject({ code: 0, stdout: expect.stringContaining('87 added') });
});

it('reports only removed records as removed, even after a killed run', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(1500);
  const mirror = await createMirror(museum);
  expect(await opac(mirror.words)).toMatchObject({ code: 0 });
  museum.requests = 0;
  const killed = start([...mirror.words, '--concurrency', '1']);
  const ended = new Promise((resolve) => killed.once('close', resolve));
  museum.before = () => {
    if (museum.requests === 9) killed.kill('SIGKILL');
  };
  await ended;
  museum.before = () => undefined;
  museum.records.objects = [...museum.records.objects.slice(10), ...createRecords(10, '2026-01-01', 9000)];
  expect(await opac(mirror.words)).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
  const [log] = await mirror.changeLogs();
  const removed = log?.changes.filter(({ change }) => change === 'removed').map(({ id }) => id);
  expect(removed).toEqual(Array.from({ length: 10 }, (_, n) => String(1 + n)));
});

it('passes a change log to --on-change again if the run was killed', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const mirror = await createMirror(museum);
  expect(await opac([...mirror.words, '--on-change', 'exit 0'])).toMatchObject({ code: 0 });
  museum.records.objects = createRecords(4);
  const killed = start([...mirror.words, '--on-change', 'kill -9 $PPID']);
  expect(await new Promise((resolve) => killed.once('close', (_, signal) => resolve(signal)))).toBe(
    'SIGKILL',
  );
  const out = join(mirror.folder, '../out');
  expect(await opac([...mirror.words, '--on-change', `cat "$1" >'${out}'`])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 added'),
  });
  expect(await readFile(out, 'utf8')).toContain('"id":"4"');
});

it('prints the output of the --on-change command on standard error', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(3);
  const { words } = await createMirror(museum);
  await opac(words);
  museum.records.objects = createRecords(2);
  const { code, stdout, stderr } = await opac([...words, '-f', 'json', '--on-change', 'echo HOOK']);
  expect({ code, stderr, printed: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    stderr: 'HOOK\n',
    printed: { kinds: [{ removed: 1 }] },
  });
});
