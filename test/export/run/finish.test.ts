/** The ends of runs: one that died between its last renames, and what an incomplete one left. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { recoverFinished } from '../../../src/export/run/finish.js';
import { targetOf } from '../../../src/export/run/target.js';
import { withFolder, withMuseum } from '../export-setup.js';

const STARTED = '2026-01-01T00:00:00.000Z';
const FILE = {
  name: 'o.csv',
  bytes: 3,
  sha256: createHash('sha256').update('id\n').digest('hex'),
  records: 0,
};
const MANIFEST = {
  format: 1,
  job: { deployment: 'd', kind: 'objects', query: [], format: 'csv' },
  complete: true,
  reasons: [],
  warnings: [],
  files: [FILE],
  started: STARTED,
  finished: '',
  totals: { first: null, last: null },
  records: 0,
  withoutId: 0,
  columns: ['id'],
};

const PENDING = 'o.csv.manifest.json.pending';
const PLACE = 'o.csv.manifest.json';

it.each<[string, string, object, string | undefined, boolean]>([
  ['whose manifest waits', PENDING, {}, 'id\n', true],
  ['that lacks only the end of its part', PLACE, {}, 'id\n', true],
  ['of another time', PENDING, { started: 'once' }, 'id\n', false],
  ['without its file', PENDING, {}, undefined, false],
  ['whose file is longer', PENDING, {}, 'id\n\n', false],
  ['whose file holds something else', PENDING, {}, 'ix\n', false],
  [
    'whose file is as long as it says, and another',
    PENDING,
    { files: [{ ...FILE, bytes: 4 }] },
    'id\n',
    false,
  ],
  [
    'of two files, one of which is missing',
    PENDING,
    { files: [FILE, { ...FILE, name: 'b' }] },
    'id\n',
    false,
  ],
  ['of a folder', PENDING, { files: [{ ...FILE, name: 'folder' }] }, 'id\n', false],
  ['whose manifest is damaged', PENDING, { files: 7 }, 'id\n', false],
])('a run %s: %s', (_, place, change, content, isDone) =>
  withFolder(async (path) => {
    const target = targetOf(path('o.csv'));
    await mkdir(path('folder'));
    await writeFile(path(place), JSON.stringify({ ...MANIFEST, ...change }));
    await writeFile(target.part, 'id\n');
    if (content !== undefined) await writeFile(target.path, content);
    const found = await recoverFinished(target, { started: STARTED } as never);
    expect(found).toEqual(isDone ? MANIFEST : undefined);
    const left = (await readdir(path('.'))).filter((name) => name !== 'folder').sort();
    const before = [...(content === undefined ? [] : ['o.csv']), place, 'o.csv.part'].sort();
    expect(left).toEqual(isDone ? ['o.csv', PLACE] : before);
  }),
);

it('what an incomplete export left goes with the complete one of the same job, and of no other', () =>
  withMuseum(
    { records: 45, faults: [{ kind: 'status', status: 500, after: 2, count: 5 }] },
    async (setup) => {
      const { run, folder } = setup;
      const job = { format: 'ids', concurrency: 1 } as const;
      expect((await run('o.ids', job)).complete).toBe(false);
      const left = ['o.incomplete.ids', 'o.incomplete.ids.manifest.json'];
      expect(await readdir(folder)).toEqual(expect.arrayContaining(left));
      const whole = ['o.ids', 'o.ids.manifest.json'];
      expect((await run('o.ids', { ...job, extra: { other: true } })).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual([...whole, ...left]);
      expect((await run('o.ids', job)).complete).toBe(true);
      expect((await readdir(folder)).sort()).toEqual(whole);
    },
  ));
