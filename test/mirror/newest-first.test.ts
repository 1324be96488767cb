/** `--newest-first` finds every edit that increased the value of the field, or reads all records. */
import { expect, it } from 'vitest';
import { createMirror } from './mirror-of.js';
import { createRecords, editRecord, formatLines, SmallMuseum } from './small-museum.js';

const NEWEST = ['--newest-first', 'modified'];
const TODAY = '2026-11-22';

/** A mirror of 150 records of one day and 1,350 older records, as after an import. */
async function createMirrorAfterImport() {
  const museum = await SmallMuseum.start();
  museum.records.objects = [...createRecords(150, TODAY), ...createRecords(1350, '2020-01-01', 151)];
  const mirror = await createMirror(museum);
  expect(await mirror.sync(...NEWEST)).toMatchObject({ code: 0 });
  return { museum, mirror };
}

it('finds an edit with the same day as 150 other records', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  museum.records.objects = editRecord(museum.records.objects, '1500', { name: 'edited', modified: TODAY });
  let details = 0;
  museum.before = ({ isStub }) => {
    if (!isStub) details++;
  };
  const { code, stdout, stderr } = await mirror.sync(...NEWEST);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/1 changed, 1,500 in total\n/);
  expect(details).toBe(3);
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it('finds an edit that happened during the last run, after the page with the record was read', async () => {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(900);
  const mirror = await createMirror(museum);
  let isDone = false;
  museum.before = ({ offset, isStub, sort }) => {
    if (isDone || sort || isStub || offset < 200) return;
    isDone = true;
    // opac has already read record 5, but not the records from 301 on.
    museum.records.objects = editRecord(museum.records.objects, '5', {
      name: 'edited',
      modified: '2026-11-20',
    }).map((record) => (Number(record.id) > 300 ? { ...record, modified: '2026-11-21' } : record));
  };
  expect(await mirror.sync(...NEWEST, '--concurrency', '1')).toMatchObject({ code: 0 });
  expect(await mirror.sync(...NEWEST)).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it.each([
  ['in the order of their ids', (records: ReturnType<typeof createRecords>) => records],
  [
    'by chance in the order of the field',
    (records: ReturnType<typeof createRecords>) =>
      records.map((record, n) => ({ ...record, modified: `2026-${String(999 - n).padStart(3, '0')}` })),
  ],
])(
  'reads all records, and reports this once, if sort is ignored and records come %s',
  async (_, arranged) => {
    const museum = await SmallMuseum.start();
    museum.sorts = false;
    museum.records.objects = arranged(createRecords(500));
    const mirror = await createMirror(museum);
    expect(await mirror.sync(...NEWEST)).toMatchObject({ code: 0 });
    museum.records.objects = editRecord(museum.records.objects, '400', {
      name: 'edited',
      modified: '2027-01-01',
    });
    const { code, stderr } = await mirror.sync(...NEWEST);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'objects: the deployment does not sort by "modified", so opac reads all records\n',
    });
    expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
  },
);

it('requests an empty first page again', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  museum.records.objects = editRecord(museum.records.objects, '3', {
    name: 'edited',
    modified: '2026-11-23',
  });
  let faults = 0;
  museum.fault = ({ sort }) => (sort && faults++ === 0 ? { body: '{"totalObjects":0}' } : undefined);
  expect(await mirror.sync(...NEWEST)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 changed'),
  });
  expect(faults).toBeGreaterThan(1);
});

it('reads all records if the sorted pages stay empty', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  museum.records.objects = editRecord(museum.records.objects, '3', { name: 'edited' });
  museum.fault = ({ sort }) => (sort ? { body: '{"totalObjects":0}' } : undefined);
  expect(await mirror.sync(...NEWEST)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 changed'),
  });
});

it('leaves the mirror unchanged if most ids are missing from the list of ids', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  const lines = await mirror.lines();
  const left = museum.records.objects.slice(0, 100).map(({ id }) => ({ opacObjectId: id }));
  museum.fault = ({ isStub, offset }) =>
    isStub
      ? { body: JSON.stringify({ opacObjects: left.slice(offset), totalObjects: left.length }) }
      : undefined;
  expect(await mirror.sync(...NEWEST)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(
      'the service no longer lists 1,400 of the 1,500 records that were received; the mirror is unchanged',
    ),
  });
  expect(await mirror.lines()).toEqual(lines);
});

it('finds an edit that moves between two sorted pages', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  museum.records.objects = editRecord(museum.records.objects, '1500', { name: 'edited', modified: TODAY });
  let isDone = false;
  museum.before = ({ sort, offset }) => {
    if (isDone || !sort || offset === 0) return;
    isDone = true;
    // Removes 60 records of the first page, so that the edit moves to the first page.
    museum.records.objects = museum.records.objects.slice(60);
  };
  expect(await mirror.sync(...NEWEST)).toMatchObject({ code: 0 });
  expect(isDone).toBe(true);
  museum.before = () => undefined;
  expect((await mirror.lines()).some((line) => line.includes('edited'))).toBe(true);
  expect(await mirror.sync(...NEWEST)).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it('reads all records in the first run with another field', async () => {
  const { museum, mirror } = await createMirrorAfterImport();
  museum.records.objects = editRecord(museum.records.objects, '700', { name: 'zzz' });
  expect(await mirror.sync('--newest-first', 'name')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 changed'),
  });
});

it('refuses a --where that the service cannot search', async () => {
  const museum = await SmallMuseum.start();
  const mirror = await createMirror(museum);
  expect(await mirror.sync(...NEWEST, '--where', 'image.url=')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--newest-first cannot be used with a --where that the service cannot search',
    ),
  });
});
