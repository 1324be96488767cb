/** Three ways to show people the changes of a mirror: reports of runs, `opac diff`, and lists with `--changed-since`. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { opac } from '../cli/run-in-process.js';
import { createFolder } from '../e2e/opac.js';
import { createMirror, type Mirror } from './mirror-of.js';
import { createRecords, editRecord, SmallMuseum } from './small-museum.js';

/** Creates a mirror, and starts a run that finds an added object, a removed object, and a changed record of each kind. */
async function createChangedMirror(...words: string[]) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(6);
  museum.records.persons = createRecords(3);
  const mirror = await createMirror(museum, 'objects,persons');
  await mirror.sync();
  museum.records.objects = editRecord(createRecords(6, '2020-01-01', 2), '3', { name: 'a | *b* <i>' });
  museum.records.persons = editRecord(museum.records.persons, '3', { name: 'person 3' });
  const { code, stderr } = await mirror.sync(...words.map((word) => word.replace('@', `${mirror.folder}.`)));
  expect([code, stderr]).toEqual([0, '']);
  const [log] = await mirror.changeLogs();
  const path = join(mirror.folder, 'changes', log?.name ?? '');
  return { museum, mirror, log: path, report: (name: string) => `${mirror.folder}.${name}` };
}

describe('sync --report', () => {
  it.each(['html', 'md', 'xlsx', 'csv'])('writes the changes of the run as %s', async (ending) => {
    const { report, log } = await createChangedMirror('--report', `@r.${ending}`);
    const bytes = await readFile(report(`r.${ending}`));
    const text =
      ending === 'xlsx' ? JSON.stringify((await readXlsx(bytes)).sheets[0]?.rows) : bytes.toString();
    for (const part of ['record 3', '7', 'removed', 'person 3']) expect(text).toContain(part);
    if (ending !== 'html' && ending !== 'md') return;
    expect(text).toContain('objects: 1 added, 1 removed, 1 changed, 4 unchanged');
    expect(text).toContain('persons: 0 added, 0 removed, 1 changed, 2 unchanged');
    expect(text).not.toContain('<i>');
    const shown = await opac(['diff', log, '-f', ending]);
    expect([shown.code, shown.stdout.replaceAll('1 changed', '1 changed, 4 unchanged')]).toEqual([
      0,
      text.replace('2 unchanged', '4 unchanged'),
    ]);
  });

  it('replaces the report in each run, even if nothing changed', async () => {
    const { mirror, report } = await createChangedMirror('--report', '@r.md');
    expect((await mirror.sync('--report', report('r.md'), '--quiet')).code).toBe(0);
    expect(await readFile(report('r.md'), 'utf8')).toMatch(
      /^# No changes\n\nobjects: 0 added, 0 removed, 0 changed, 6 unchanged\n/,
    );
    await rm(mirror.folder, { recursive: true });
    expect((await mirror.sync('--report', report('r.md'))).code).toBe(0);
    const text = await readFile(report('r.md'), 'utf8');
    expect(text).toContain('the mirror did not contain these kinds before: objects, persons\n');
    expect(text).not.toContain('unchanged');
  });

  it.each(['html', 'md', 'xlsx'])('prints labels instead of field names in %s', async (ending) => {
    const folder = await createFolder();
    const pathOf = (name: string) => join(folder, name);
    const makeRecord = (date: string) =>
      JSON.stringify({
        opacObjectId: '1',
        opacObjectFieldSets: [{ identifier: 'production_date', opacObjectFields: [{ value: date }] }],
      });
    /** Updates the mirror from a museum on this port. Its only record has this date. */
    const syncWith = async (date: string, port: number, ...words: string[]) => {
      await writeFile(pathOf(`${date}.ndjson`), `${makeRecord(date)}\n`);
      const museum = await startMuseum({ data: [pathOf(`${date}.ndjson`)], port });
      try {
        const line = ['sync', pathOf('mirror'), '--kinds', 'objects', '--base-url', museum.url];
        expect((await opac([...line, ...words])).code).toBe(0);
        return Number(new URL(museum.url).port);
      } finally {
        await museum.close();
      }
    };
    const port = await syncWith('1840', 0);
    await syncWith('1850', port, '--report', pathOf(`changes.${ending}`));
    const bytes = await readFile(pathOf(`changes.${ending}`));
    const text =
      ending === 'xlsx' ? JSON.stringify((await readXlsx(bytes)).sheets[0]?.rows) : bytes.toString();
    for (const part of ['Date made', '1840', '1850']) expect(text).toContain(part);
    expect(text).not.toContain('production_date');
  });

  it.each([
    ['r.pdf', 'is not the file extension of a format'],
    ['none/r.html', 'does not exist'],
  ])('refuses %s before the first request', async (name, message) => {
    const { museum, mirror, report } = await createChangedMirror();
    const before = museum.requests;
    const { code, stderr } = await mirror.sync('--report', report(name));
    expect([code, museum.requests, stderr]).toEqual([2, before, expect.stringContaining(message)]);
  });
});

describe('diff of a change log', () => {
  it('prints the changes as a table, as ids, as a delta and as text', async () => {
    const { log } = await createChangedMirror();
    const csv = await opac(['diff', log, '-f', 'csv', '--context', 'modified']);
    expect(csv).toMatchObject({
      code: 0,
      stderr: 'objects: 1 added, 1 removed, 1 changed\npersons: 0 added, 0 removed, 1 changed\n',
      stdout: [
        'kind,id,title,record,field,change,old,new,modified',
        'objects,3,a | *b* <i>,changed,name,changed,record 3,a | *b* <i>,2020-01-01',
        'objects,7,record 7,added,,,,,2020-01-01',
        'objects,1,record 1,removed,,,,,',
        'persons,3,person 3,changed,name,changed,record 3,person 3,2020-01-01',
        '',
      ].join('\n'),
    });
    expect((await opac(['diff', log, '-f', 'ids', '--show', 'added'])).stdout).toBe('7\n');
    expect((await opac(['diff', log, '--delta', '--show', 'added'])).stdout).toMatch(
      /^\{"opacObjectId":"7",.*\}\n$/,
    );
    expect((await opac(['diff', log, '--exit-code', '-f', 'ids'])).code).toBe(9);
    expect((await opac(['diff', log], { columns: 80 })).stdout).toContain('~ a | *b* <i>');
  });

  it.each([
    [['--where', 'name=x'], 'only with --changed-since (mirrors only), --show'],
    [['--fields', 'name'], 'only with --changed-since (mirrors only), --show'],
    [['--ask'], 'only with --changed-since (mirrors only), --show'],
    [['-o', 'LOG'], 'would replace the input file'],
  ])('refuses %j', async (words, message) => {
    const { log } = await createChangedMirror();
    const { code, stderr } = await opac(['diff', log, ...words.map((word) => word.replace('LOG', log))]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses to compare a change log with another file', async () => {
    const { log, mirror } = await createChangedMirror();
    for (const files of [
      [log, log],
      [join(mirror.folder, 'objects.ndjson.gz'), log],
    ])
      expect(await opac(['diff', ...files])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'is a change log; show one change log, or all logs of a mirror: opac diff <file or mirror>',
        ),
      });
  });

  it('refuses other files, missing files and an incomplete change log', async () => {
    const { log, mirror } = await createChangedMirror();
    await writeFile(log, (await readFile(log, 'utf8')).slice(0, -9));
    for (const [file, message] of [
      [log, 'is not a change log of a mirror (line 4)'],
      [join(mirror.folder, 'mirror.json'), '(line 1); to compare two exports, name both files'],
      [join(mirror.folder, 'nothing'), 'not found'],
    ] as const)
      expect(await opac(['diff', file])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('--changed-since', () => {
  it('prints no warning about changed records that another search option excludes', async () => {
    const { mirror, log } = await createChangedMirror();
    await rename(log, join(mirror.folder, 'changes', '2020-05-01T12-00-00-000Z.ndjson'));
    const words = ['--from', mirror.folder, '--changed-since', '2020-05-01', '--strict'];
    const all = await opac(['objects', 'list', ...words, '-f', 'ids']);
    expect([all.code, all.stdout.trim().split('\n').length > 1]).toEqual([0, true]);
    const [id = ''] = all.stdout.split('\n');
    for (const [line, stdout] of [
      [['list', '-f', 'ids'], `${id}\n`],
      [['count'], '1\n'],
    ] as const)
      expect(await opac(['objects', ...line, ...words, '--query', `external_object_id:"${id}"`])).toEqual({
        code: 0,
        stdout,
        stderr: '',
      });
  });

  const list = (mirror: Mirror, day: string, ...words: string[]) =>
    opac(['objects', 'list', '--from', mirror.folder, '--changed-since', day, '-f', 'ids', ...words]);

  /** Renames the change log, so that it has another time. */
  async function moveLog(mirror: Mirror, log: string, day: string) {
    await rename(log, join(mirror.folder, 'changes', `${day}T12-00-00-000Z.ndjson`));
  }

  it('selects the change logs that diff of a mirror combines, the oldest first', async () => {
    const { museum, mirror, log } = await createChangedMirror();
    await moveLog(mirror, log, '2020-05-01');
    museum.records.objects = editRecord(museum.records.objects, '3', { name: 'three' });
    await mirror.sync();
    const show = (...words: string[]) => opac(['diff', mirror.folder, '--context', 'id', ...words]);
    expect((await show('-f', 'ids')).stdout).toBe('3\n7\n1\n3\n3\n');
    expect((await show('--changed-since', '2020-05-02', '-f', 'csv')).stdout).toMatch(
      /^kind,.*,found,id\nobjects,3,three,changed,name,changed,a \| \*b\* <i>,three,\d{4}-\d\d-\d\d \d\d:\d\d,3\n/,
    );
    const page = (await show('-f', 'html')).stdout;
    expect(page).toContain('<h1>Changes of mirror (2 runs)</h1>');
    expect(page).toContain('listed and counted once for each run.');
    expect(page).toMatch(/<dt class="id">found<\/dt><dd>2020-05-01 \d\d:00<\/dd>/);
    const markdown = (await show('--changed-since', '2020-05-01', '-f', 'md')).stdout;
    expect(markdown).toMatch(/^# Changes of mirror since 2020-05-01 \(2 runs\)/);
    expect(page.match(/record 3|three/g)?.length).toBeGreaterThan(2);
    const refusedWords: (readonly [readonly string[], string])[] = [
      [['--changed-since', '2020-04-30'], 'begin on 2020-05-01'],
      [['--where', 'name=x'], 'can be combined only with --changed-since'],
      [['-o', join(mirror.folder, 'changes', '2020-05-01T12-00-00-000Z.ndjson')], 'would replace'],
    ];
    for (const [words, message] of refusedWords)
      expect(await show(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    const files = [join(mirror.folder, 'objects.ndjson.gz'), join(mirror.folder, 'persons.ndjson.gz')];
    for (const words of [files, [log.replace(/[^/]+$/, '2020-05-01T12-00-00-000Z.ndjson')]])
      expect(await opac(['diff', ...words, '--changed-since', '2020-05-01'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--changed-since needs'),
      });
  });

  it('lists and counts the records that runs on that day or later found changed', async () => {
    const { museum, mirror, log } = await createChangedMirror();
    await moveLog(mirror, log, '2020-05-01');
    museum.records.objects = editRecord(museum.records.objects, '5', { name: 'five' }).filter(
      ({ id }) => id !== '7',
    );
    await mirror.sync();
    expect(await list(mirror, '2020-05-01')).toEqual({ code: 0, stdout: '3\n5\n', stderr: '' });
    for (const day of ['2020-05-02', 'yesterday', 'today'])
      expect((await list(mirror, day)).stdout).toBe('5\n');
    expect((await list(mirror, '2020-05-01', '--where', 'name=five')).stdout).toBe('5\n');
    const from = ['--from', mirror.folder, '--changed-since', '2020-05-01'];
    expect((await opac(['objects', 'count', ...from])).stdout).toBe('2\n');
    expect((await opac(['persons', 'list', ...from, '-f', 'ids'])).stdout).toBe('3\n');
  });

  it('returns no records, instead of all records, if nothing changed', async () => {
    const { mirror } = await createChangedMirror();
    const from = ['--from', mirror.folder, '--changed-since', '2999-01-01'];
    expect(await list(mirror, '2999-01-01')).toMatchObject({ code: 0, stdout: '' });
    expect((await opac(['objects', 'count', ...from])).stdout).toBe('0\n');
  });

  it('returns no changes after runs without changes, and fails without change logs', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(3);
    const mirror = await createMirror(museum);
    const commands = [
      ['diff', mirror.folder],
      ['diff', mirror.folder, '--exit-code', '--changed-since', 'today'],
      ['objects', 'list', '--from', mirror.folder, '--changed-since', 'today', '-f', 'ids'],
      ['objects', 'count', '--from', mirror.folder, '--changed-since', 'today'],
    ];
    const run = () => Promise.all(commands.map((words) => opac(words)));
    const hasNoLogs = { code: 2, stdout: '', stderr: expect.stringContaining('has no change logs') };
    await mirror.sync();
    // The first run has no earlier snapshot to compare with, so it writes no change log.
    expect(await run()).toEqual(commands.map(() => hasNoLogs));
    await mirror.sync();
    const [allChanges, recentChanges, list, count] = await run();
    for (const diff of [allChanges, recentChanges]) {
      expect(diff?.code).toBe(0);
      expect(`${diff?.stdout}${diff?.stderr}`).toMatch(/no changes|no records differ/i);
    }
    expect(list).toMatchObject({ code: 0, stdout: '' });
    expect(count).toMatchObject({ code: 0, stdout: '0\n' });

    museum.records.objects = createRecords(4);
    await mirror.sync();
    expect((await run()).map(({ code }) => code)).toEqual([0, 9, 0, 0]);
    await rm(join(mirror.folder, 'changes'), { recursive: true });
    expect(await run()).toEqual(commands.map(() => hasNoLogs));
    // Later runs without changes do not hide that the change logs are missing.
    await mirror.sync();
    expect(await run()).toEqual(commands.map(() => hasNoLogs));
  });

  it('fails for days before the first run, and after a snapshot was missing', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(3);
    const mirror = await createMirror(museum);
    await mirror.sync();
    await mirror.sync();
    const list = (day: string) =>
      opac(['objects', 'list', '--from', mirror.folder, '--changed-since', day, '-f', 'ids']);
    const today = new Date().toLocaleDateString('sv');
    expect(await list(today)).toMatchObject({ code: 0, stdout: '' });
    expect(await list('2020-01-01')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the change logs in '),
    });
    await rm(join(mirror.folder, 'objects.ndjson.gz'));
    await mirror.sync();
    await mirror.sync();
    const lost = { code: 2, stderr: expect.stringContaining('has no change logs') };
    expect([await list(today), await opac(['diff', mirror.folder])]).toMatchObject([lost, lost]);
  });

  it('fails for a mirror of an earlier version without change logs', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(3);
    const mirror = await createMirror(museum);
    await mirror.sync();
    const state = join(mirror.folder, 'mirror.json');
    const { unchangedSince, ...earlier } = JSON.parse(await readFile(state, 'utf8'));
    expect(unchangedSince).toBe(earlier.updated);
    await writeFile(state, JSON.stringify(earlier));
    await mirror.sync();
    expect(JSON.parse(await readFile(state, 'utf8'))).not.toHaveProperty('unchangedSince');
    expect(await opac(['diff', mirror.folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no change logs'),
    });
  });

  it('refuses days before the first change log, other sources and other options', async () => {
    const { mirror, log } = await createChangedMirror();
    await moveLog(mirror, log, '2020-05-01');
    const rows: (readonly [string[], string])[] = [
      [['objects', 'list', '--from', mirror.folder, '--changed-since', '2020-04-30'], 'begin on 2020-05-01'],
      [['records', 'list', '--from', mirror.folder, '--changed-since', '2021-01-01'], 'needs one kind'],
      [['objects', 'list', '--mock', '--changed-since', '2021-01-01'], 'needs a mirror'],
      [['objects', 'list', '--from', mirror.folder, '--changed-since', '2021-02-30'], 'must be a day'],
      [
        ['objects', 'list', '--from', mirror.folder, '--changed-since', '2021-01-01', '--external-id', '1'],
        'cannot be used with --external-id',
      ],
    ];
    for (const [words, message] of rows) {
      const { code, stdout, stderr } = await opac(words);
      expect([words, code, stdout, stderr]).toEqual([words, 2, '', expect.stringContaining(message)]);
    }
    await rm(join(mirror.folder, 'changes'), { recursive: true });
    expect(await list(mirror, '2021-01-01')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no change logs, so opac does not know what changed'),
    });
  });
});
