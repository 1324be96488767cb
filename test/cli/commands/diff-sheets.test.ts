/** Edited spreadsheets, compared with the service and with exports. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

let folder: string;
const at = (name: string) => join(folder, name);
const COLUMNS = 'id,title,maker_name,production_date,production_date@earliest_date,image.url,brief_desc';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-sheets-'));
  const run = (...words: string[]) => opac(['objects', 'export', '--mock', ...words]);
  await run('-o', at('all.xlsx'), '-o', at('all.csv'), '-o', at('all.ndjson'));
  await run('--columns', COLUMNS, '-o', at('some.xlsx'), '-o', at('some.csv'));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Rows = (string | number | boolean | Date | null)[][];

/** Saves a copy of a workbook without its manifest, as Excel does. */
async function saveEditedCopy(
  edit: (rows: Rows) => Rows | undefined,
  name = 'some.xlsx',
  as = 'edited.xlsx',
) {
  const { sheets } = await readXlsx(await readFile(at(name)));
  const rows = (sheets[0]?.rows ?? []) as Rows;
  await writeFile(at(as), await writeXlsx({ sheets: [{ name: 'Tabelle1', rows: edit(rows) ?? rows }] }));
  return at(as);
}

async function run(...words: string[]) {
  const { stdout, stderr, code } = await opac([...words, '-f', 'ndjson']);
  const found = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .flatMap(({ id, change, changes }) =>
      change === 'changed'
        ? changes.map((each: { field: string }) => `${id} ${each.field}`)
        : [`${id} ${change}`],
    );
  return { found, stderr, code };
}

const withService = (file: string, ...more: string[]) => run('objects', 'diff', file, '--mock', ...more);
const setTitle = (rows: Rows) => {
  const row = rows.find(([id]) => id === '20022') as Rows[number];
  row[1] = 'Finished study';
};

describe('a workbook or CSV file', () => {
  it('equals the service without a manifest if its headers are the labels of all columns', async () => {
    const file = await saveEditedCopy(() => undefined, 'all.xlsx', 'without-manifest.xlsx');
    expect(await withService(file)).toMatchObject({ code: 0, found: [] });
  });

  it.each(['all.xlsx', 'some.xlsx', 'all.csv', 'some.csv'])(
    'equals the service and every other format: %s',
    async (name) => {
      expect(await withService(at(name))).toMatchObject({ code: 0, found: [] });
      const [set = ''] = name.split('.');
      for (const other of [`${set}.xlsx`, `${set}.csv`, 'all.ndjson'])
        expect([other, await run('diff', at(name), at(other))]).toMatchObject([
          other,
          { code: 0, found: [] },
        ]);
    },
  );

  it('equals the service and exports after another program saved it, also as CSV', async () => {
    const copy = await saveEditedCopy(() => undefined);
    const { sheets } = await readXlsx(await readFile(copy));
    const text = (cell: unknown) =>
      cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? '');
    const csv = (sheets[0]?.rows ?? []).map((row) =>
      row.map((cell) => `"${text(cell).replaceAll('"', '""')}"`).join(';'),
    );
    await writeFile(at('saved.csv'), `\ufeff${csv.join('\r\n')}\r\n;;;\r\n`);
    // The headers of the copy are labels. The manifest of the original file contains their columns.
    for (const other of ['some.xlsx', 'some.csv', 'all.ndjson'])
      expect([other, await run('diff', at(other), copy)]).toMatchObject([other, { code: 0, found: [] }]);
    expect(await withService(copy)).toMatchObject({ code: 0, found: [] });
    // A program that saves dates as CSV removes their "Z".
    expect(await run('diff', at('some.xlsx'), at('saved.csv'), '--ignore', 'production_date')).toMatchObject({
      found: [],
    });
  });

  it('differs only by the edits if its cells have the separator of another format', async () => {
    const csv = (await readFile(at('all.csv'), 'utf8')).replace('Early wax model', 'Late wax model');
    expect(csv).toContain('|');
    await writeFile(at('other.csv'), csv);
    const copy = await saveEditedCopy((rows) => {
      setTitle(rows);
      return rows.map((row) =>
        row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('; ', '|') : cell)),
      );
    });
    expect((await run('diff', at('some.xlsx'), copy)).found).toEqual(['20022 title']);
    expect((await run('diff', at('all.xlsx'), at('other.csv'))).found).toEqual(['20011 title']);
  });

  it('differs only by the edits', async () => {
    const copy = await saveEditedCopy((rows) => {
      setTitle(rows);
      const makers = rows.find((row) => String(row[2]).includes('; ')) as Rows[number];
      makers[2] = String(makers[2]).replace('; ', ', ');
      makers[0] = String(makers[0]);
      rows.push([], [null, null, '']);
    });
    const expected = expect.arrayContaining(['20022 title', expect.stringMatching(/^\d+ maker_name$/)]);
    for (const other of ['some.xlsx']) {
      const { found, code } = await run('diff', at(other), copy);
      expect([other, code, found.length, found]).toEqual([other, 0, 2, expected]);
    }
  });
});

describe('a table in another format and another folder than its manifest', () => {
  const names = ['id', 'accession_no', 'maker_name', 'production_role'];
  const exportTable = async (name: string) => {
    const file = join(await createFolder(), name);
    await opac([...['objects', 'export', '--mock', '--columns', names.join(), '--no-labels', '-o', file]]);
    return file;
  };
  const expectUnchanged = async (file: string) => {
    for (const compared of [await withService(file), await run('diff', at('all.ndjson'), file)])
      expect(compared).toMatchObject({ code: 0, found: [] });
  };

  it('equals the service and an export after a workbook was saved as CSV', async () => {
    const { sheets } = await readXlsx(await readFile(await exportTable('a.xlsx')));
    const rows = (sheets[0]?.rows ?? []) as Rows;
    expect(rows.filter((row) => String(row[2]).includes('; ')).length).toBeGreaterThan(9);
    const saved = join(await createFolder(), 'saved.csv');
    const lines = rows.map((row) =>
      row.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(';'),
    );
    await writeFile(saved, `${lines.join('\r\n')}\r\n`);
    await expectUnchanged(saved);
  });

  it('equals the service and an export after CSV was saved as a workbook', async () => {
    const text = await readFile(await exportTable('a.csv'), 'utf8');
    expect(text).not.toContain('"');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    const saved = join(await createFolder(), 'saved.xlsx');
    await writeFile(saved, await writeXlsx({ sheets: [{ name: 'a', rows }] }));
    await expectUnchanged(saved);
  });
});

it('compares own headers with the manifest of the original, and refuses them without it', async () => {
  const own = ['--columns', 'id,accession_no=Inventory number,name=Heading', '--limit', '5'];
  await opac(['objects', 'export', '--mock', ...own, '-o', at('own.csv')]);
  const text = await readFile(at('own.csv'), 'utf8');
  await writeFile(at('own-edited.csv'), text.replace('Early wax model', 'Late wax model'));
  const compare = (file: string) =>
    opac(['objects', 'diff', file, '--mock', '--reverse', '--exit-code', '-f', 'csv']);
  const beside = await compare(at('own-edited.csv'));
  expect([beside.code, beside.stdout]).toEqual([9, expect.stringContaining(',name,changed,')]);
  const alone = join(await createFolder(), 'own-edited.csv');
  await writeFile(alone, text.replace(/Early wax model/, 'Late wax model'));
  const { code, stderr } = await compare(alone);
  expect([code, stderr]).toEqual([2, expect.stringContaining('has none of the columns of')]);
});

it('shows an edited value that contains the separator as one value', async () => {
  const names = { 1: 'A; B', 2: 'B; A', 3: 'A; B', 4: 'A; B' };
  const write = async (file: string, texts: Readonly<Record<string, string>>) => {
    const lines = Object.entries(texts).map(([id, value]) =>
      JSON.stringify({
        opacObjectId: id,
        opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value }] }],
      }),
    );
    await writeFile(at(`${file}.ndjson`), `${lines.join('\n')}\n`);
    await opac(['objects', 'export', '--from', at(`${file}.ndjson`), '-o', at(`${file}.xlsx`)]);
  };
  await write('texts-old', names);
  await write('texts-new', { ...names, 1: 'A; B [corrected]', 2: 'A; B', 3: 'A|B' });
  const { stdout } = await opac([
    ...['diff', at('texts-old.xlsx'), at('texts-new.xlsx'), '--any-deployment', '-f', 'ndjson'],
  ]);
  const changes = stdout
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line).changes);
  expect(changes.map((each) => [each.change, each.old, each.new])).toEqual([
    ['changed', ['A; B'], ['A; B [corrected]']],
    ['changed', ['B; A'], ['A; B']],
    ['changed', ['A; B'], ['A|B']],
  ]);
  const json = ['diff', at('texts-old.ndjson'), at('texts-new.xlsx'), '--any-deployment', '-f', 'csv'];
  expect((await opac(json)).stdout).toContain('A; B,A; B [corrected]');
});

describe('an edited spreadsheet', () => {
  const editFewRows = (rows: Rows) => {
    setTitle(rows);
    return [...rows.slice(0, 6), ['nothing', 'A new row']];
  };

  it('is compared only with the records that it contains, if it has no manifest', async () => {
    const copy = await saveEditedCopy(editFewRows);
    const { code, found, stderr } = await withService(copy);
    expect([code, found.sort()]).toEqual([0, ['20022 title', 'nothing removed']]);
    expect(stderr).toContain(
      `only the records in "${copy}" were compared, so deleted rows are not shown; the file is the old version (with --reverse`,
    );
    expect(stderr).toContain('objects: 0 added, 1 removed, 1 changed, 4 unchanged');
    expect(stderr).toContain('only the columns of the table were compared: id, title, maker_name');
  });

  it('is the new version with --reverse', async () => {
    const copy = await saveEditedCopy(editFewRows);
    const { stdout, stderr, code } = await opac([
      'objects',
      'diff',
      copy,
      '--mock',
      '--reverse',
      '-f',
      'csv',
    ]);
    expect([code, stdout.trimEnd().split('\n').slice(1)]).toEqual([
      0,
      [
        'objects,20022,Finished study,changed,title,changed,Unfinished study of a fern,Finished study',
        'objects,nothing,A new row,added,,,,',
      ],
    ]);
    expect(stderr).toContain('objects: 1 added, 0 removed, 1 changed, 4 unchanged');
    expect(stderr).toContain(`only the records in "${copy}" were compared, so deleted rows are not shown\n`);
    expect((await opac(['objects', 'diff', copy, '--mock', '--reverse', '-f', 'html'])).stdout).toMatch(
      /<h1>Changes from .* to edited.xlsx<\/h1>/,
    );
  });

  it('is compared without deleted rows if it has a manifest, with a note about the change', async () => {
    await opac([
      'objects',
      'export',
      '--mock',
      '--collection',
      '3',
      '--columns',
      'id,title',
      '-o',
      at('own.csv'),
    ]);
    const lines = (await readFile(at('own.csv'), 'utf8')).trimEnd().split('\n');
    await writeFile(at('own.csv'), `${[...lines.slice(0, 4), '20011,Mine'].join('\n')}\n`);
    const { code, found, stderr } = await withService(at('own.csv'));
    expect([code, found]).toEqual([0, ['20011 title']]);
    expect(stderr).toContain('own.csv" was changed after the export');
    expect(stderr).not.toContain('different searches');
  });

  it('causes no note about selected records if it is unchanged', async () => {
    const words = ['objects', 'export', '--mock', '--collection', '3', '--columns', 'id,title'];
    await opac([...words, '-o', at('unchanged.csv')]);
    const { found, stderr } = await withService(at('unchanged.csv'));
    expect([found, stderr]).toEqual([[], expect.not.stringContaining('only the records')]);
  });

  it('can have an added column in a comparison with NDJSON, but not a misspelled one', async () => {
    const renameLast = (name: string) => (rows: Rows) => {
      setTitle(rows);
      return rows.map((row, n) => [...row, n === 0 ? name : 'see me']);
    };
    const { code, found, stderr } = await run(
      'diff',
      at('all.ndjson'),
      await saveEditedCopy(renameLast('Remarks')),
    );
    expect([code, found]).toEqual([0, ['20022 title']]);
    expect(stderr).toMatch(
      /warning: not compared, because ".*all.ndjson" does not have these columns: Remarks\n/,
    );
    expect(await run('diff', at('all.ndjson'), await saveEditedCopy(renameLast('medium_des')))).toMatchObject(
      {
        code: 2,
        stderr: expect.stringContaining('does not contain the field "medium_des"'),
      },
    );
  });

  it('causes no output with --quiet if nothing differs', async () => {
    const diff = (...more: string[]) => opac(['diff', at('some.csv'), at('some.xlsx'), '-q', ...more]);
    expect(await diff()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await diff('-f', 'json')).toMatchObject({ code: 0, stdout: '[]\n' });
    const copy = await saveEditedCopy((rows) => {
      setTitle(rows);
      return rows;
    });
    expect((await opac(['diff', at('some.xlsx'), copy, '-q'])).stdout).toMatch(/^kind\t.*\nobjects\t20022\t/);
  });

  it('causes a note about only the compared columns with --fields', async () => {
    const { stderr } = await withService(at('some.csv'), '--fields', 'title,maker_name');
    expect(stderr).toContain('only the columns of the table were compared: id, title, maker_name\n');
  });

  it('can have rows without an id, which are new records and cause a warning', async () => {
    const one = await saveEditedCopy(([, ...rows]) => [
      ['ID', 'title'],
      ...rows.map((row) => row.slice(0, 2)),
      [null, 'Jug'],
    ]);
    expect(await withService(one, '--reverse')).toMatchObject({
      found: ['row 165 added'],
      stderr: expect.stringContaining(' row 165 has no id; compared as a new record\n'),
    });
    const copy = await saveEditedCopy((rows) => [...rows, [null, 'Bowl\nof clay'], [null, 'Vase']]);
    const { code, found, stderr } = await withService(copy, '--reverse');
    expect([code, found]).toEqual([0, ['row 165 added', 'row 166 added']]);
    expect(stderr).toContain(' has 2 rows without an id: rows 165, 166; compared as new records\n');
    const asked = await withService(copy, '--ask');
    expect([asked.code, asked.found]).toEqual([0, ['row 165 removed', 'row 166 removed']]);
    expect((await run('diff', at('some.xlsx'), copy)).found).toEqual(['row 165 added', 'row 166 added']);
  });

  it('matches no rows without an id, even in the same row of both tables', async () => {
    const addOlder = (rows: Rows) => [...rows, [null, 'Bowl'], [null, 'Vase']];
    const older = await saveEditedCopy(addOlder, 'some.xlsx', 'older.xlsx');
    const newer = await saveEditedCopy((rows) => [...rows, [null, 'Jug'], [null, 'Vase']]);
    const { found, stderr } = await run('diff', older, newer);
    expect(found).toEqual(['row 165 added', 'row 166 added', 'row 165 removed', 'row 166 removed']);
    expect(stderr).toContain(' has 2 rows without an id: rows 165, 166; compared as removed records\n');
    expect(stderr).toContain(' has 2 rows without an id: rows 165, 166; compared as new records\n');
  });

  it.each([['--reverse'], []])(
    'causes an error with the name of the deployment, not of a temporary file (%s)',
    async (...more) => {
      const copy = await saveEditedCopy((rows) =>
        rows.map((row, n) => (n === 0 ? ['id', 'title', 'Makker'] : row)),
      );
      expect(await opac(['objects', 'diff', copy, '--mock', ...more])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"the built-in museum" does not contain the field "Makker"'),
      });
    },
  );

  it.each(['own', 'copied'])('can have added columns, which cause a warning (%s)', async (as) => {
    const own = ['objects', 'export', '--mock', '--limit', '5', '--force', '-o', at('own.csv')];
    await opac([...own, '--columns', 'id,title']);
    const text = await readFile(at('own.csv'), 'utf8');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((row, n) => `${row},${n === 0 ? 'Remarks' : 'see me'},`);
    await writeFile(at(`${as}.csv`), rows.join('\n').replace(',see me,', ' edited,see me,'));
    const { code, found, stderr } = await withService(at(`${as}.csv`));
    expect([code, found]).toEqual([0, [expect.stringMatching(/ title$/)]]);
    expect(stderr).toContain(
      'warning: not compared, because "the built-in museum" does not have these columns: Remarks\n',
    );
    expect(stderr).toContain('only the columns of the table were compared: id, title\n');
  });

  it('can have a field that the deployment publishes, even if no record has it', async () => {
    await writeFile(at('gap.csv'), 'id,prov_person\n20011,Signed\n');
    expect(await withService(at('gap.csv'), '--reverse')).toMatchObject({
      code: 0,
      found: ['20011 prov_person'],
    });
  });

  it('causes the message that no matching records differ', async () => {
    const { stderr } = await withService(at('some.csv'), '--where', 'maker_name=Leopolt');
    expect(stderr).toContain('no records that match the search differ\n');
  });

  it('causes an error with its first line if the first line is not a header', async () => {
    const copy = await saveEditedCopy((rows) => [['List of works, 3 Nov'], ...rows]);
    expect(await withService(copy)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('List of works, 3 Nov'),
    });
  });

  it.each([
    [
      'no id in any row',
      (rows: Rows) => rows.map((row, n) => (n === 0 ? row : [null, ...row.slice(1)])),
      'rows without an id: rows 2, 3',
    ],
    ['an id twice', (rows: Rows) => [...rows, ['20022', 'again']], 'duplicate object 20022'],
    ['no column id', (rows: Rows) => rows.map((row) => row.slice(1)), 'does not contain the column "id"'],
    [
      'a value beside the columns',
      (rows: Rows) => [...rows, ['1', ...Array(7).fill('x'), 'y']],
      'more cells than',
    ],
  ])('is refused with %s', async (_, edit, message) => {
    const copy = await saveEditedCopy(edit);
    expect(await withService(copy)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
      found: [],
    });
  });
});
