/** `opac diff` of edited tables and of selected records, as a user gives them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { opac } from '../run-in-process.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-tables-'));
  await opac(['objects', 'export', '--mock', '-o', at('all.ndjson')]);
  await opac(['records', 'export', '--mock', '-o', at('records.ndjson')]);
  await opac(['objects', 'export', '--mock', '-o', at('all.csv')]);
  const columns = 'id,title,accession_no,image.count';
  await opac(['objects', 'export', '--mock', '--columns', columns, '-o', at('some.csv')]);
  const headed = ['objects', 'export', '--mock', '--columns', 'id,title=Name', '--multi', 'json'];
  await opac([...headed, '-o', at('headed.csv')]);
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of a file without its manifest, with this text in the place of that. */
async function edited(name: string, from: string, to: string, as = `edited-${name}`): Promise<string> {
  const text = await readFile(at(name), 'utf8');
  expect(text).toContain(from);
  await writeFile(at(as), text.replace(from, to));
  return at(as);
}

async function changes(one: string, other: string, ...more: string[]) {
  const { stdout, stderr, code } = await opac(['diff', one, other, '-f', 'ndjson', ...more]);
  const found = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .flatMap(({ id, change, changes: all }) =>
      change === 'changed'
        ? all.map((each: { field: string }) => `${id} ${each.field}`)
        : [`${id} ${change}`],
    );
  return { found, stderr, code };
}

it('values with the separator are equal in tables with different rules for several values', async () => {
  const fields = ['A; B', 'A|B', 'A'].map((value, n) => ({
    opacObjectId: String(n + 1),
    opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value }] }],
  }));
  await writeFile(at('signs.ndjson'), fields.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const files = ['signs.xlsx', 'signs.csv', 'json.csv'];
  for (const name of files) {
    const multi = name === 'json.csv' ? ['--multi', 'json'] : [];
    const words = ['objects', 'export', '--from', at('signs.ndjson'), ...multi, '-o', at(name)];
    expect((await opac(words)).code).toBe(0);
  }
  for (const one of files)
    for (const other of files) expect((await changes(at(one), at(other))).found).toEqual([]);
  const edit = await edited('signs.ndjson', 'A|B', 'A|C');
  await opac(['objects', 'export', '--from', edit, '--multi', 'json', '-o', at('json-2.csv')]);
  expect((await changes(at('signs.xlsx'), at('json-2.csv'), '--any-deployment')).found).toEqual(['2 name']);
});

describe('an edited copy without its manifest', () => {
  it.each([
    ['some.csv', 'Early wax model', 'Late wax model', ['20011 title']],
    ['headed.csv', 'Early wax model', '[Blank]', ['20011 title']],
    ['all.csv', 'Early wax model', 'Late wax model', ['20011 name', '20011 title']],
    ['all.ndjson', '"value":"Early wax model"', '"value":"Late wax model"', ['20011 name']],
  ])('of %s is compared with it, and with its records', async (name, from, to, expected) => {
    const copy = await edited(name, from, to);
    for (const [one, other] of [
      [at(name), copy],
      [copy, at(name)],
      // Its heads are not the names of columns, and records do not say what they mean.
      ...(name === 'headed.csv' ? [] : [[at('all.ndjson'), copy] as const]),
    ] as const) {
      const { found, stderr, code } = await changes(one, other);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 changed') });
      if (name !== 'all.csv') expect(found).toEqual(expected);
      else expect(expected).toEqual(expect.arrayContaining(found));
    }
  });

  it('is silent when nothing was edited', async () => {
    const copy = await edited('some.csv', 'id,', 'id,', 'same.csv');
    for (const other of ['some.csv', 'all.csv', 'all.ndjson'])
      expect((await changes(at(other), copy)).found, other).toEqual([]);
  });

  it('is read like the other side, also with a column of its own', async () => {
    await opac(['objects', 'export', '--mock', '--multi', 'json', '-o', at('json.csv')]);
    const text = await readFile(at('json.csv'), 'utf8');
    await writeFile(at('noted.csv'), text.replace(/^id,/, 'id,note,').replace(/\n(\d+),/g, '\n$1,seen,'));
    expect(await changes(at('json.csv'), at('noted.csv'))).toMatchObject({
      found: [],
      stderr: expect.stringContaining('were not compared: note\nno records differ'),
    });
  });

  it('reports an edited title beside an edited name, and both once when they are one edit', async () => {
    const text = await readFile(at('all.csv'), 'utf8');
    await writeFile(at('both.csv'), text.replaceAll('Early wax model', 'Late wax model'));
    expect((await changes(at('all.csv'), at('both.csv'))).found).not.toContain('20011 title');
    expect((await changes(at('all.csv'), at('both.csv'), '--fields', 'title')).found).toEqual([
      '20011 title',
    ]);
    const records = await readFile(at('all.ndjson'), 'utf8');
    await writeFile(at('both.ndjson'), records.replaceAll('Early wax model', 'Late wax model'));
    expect((await changes(at('all.ndjson'), at('both.ndjson'), '--fields', 'title')).found).toEqual([
      '20011 title',
    ]);
  });

  it('does not report columns that only one of two exports can contain', async () => {
    await opac(['objects', 'export', '--mock', '--columns', 'all', '-o', at('details.csv')]);
    const columns = 'id,image.caption,production_date[0],production_date@earliest_date';
    await opac(['objects', 'export', '--mock', '--columns', columns, '-o', at('chosen.csv')]);
    for (const [one, other, skipped] of [
      ['all.csv', 'details.csv', 'production_date@earliest_date'],
      ['details.csv', 'chosen.csv', 'image.caption, production_date[0]'],
      ['all.csv', 'chosen.csv', 'production_date@earliest_date'],
    ] as const) {
      const { found, stderr } = await changes(at(one), at(other));
      expect({ one, other, found, stderr }).toMatchObject({
        found: [],
        stderr: expect.stringContaining(skipped),
      });
    }
  });

  it('finds renamed headers first in its own folder', async () => {
    const own = await mkdtemp(join(tmpdir(), 'opac-tables-own-'));
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    await opac(['objects', 'export', '--mock', '--columns', 'id,title=Called', '-o', join(own, 'a.csv')]);
    await opac(['objects', 'export', '--mock', '--columns', 'id,name=Called', '-o', at('called.csv')]);
    const text = await readFile(join(own, 'a.csv'), 'utf8');
    await writeFile(join(own, 'edited.csv'), text.replace('Early wax model', 'Late wax model'));
    const { found, code } = await changes(at('all.csv'), join(own, 'edited.csv'));
    expect({ found, code }).toEqual({ found: ['20011 title'], code: 0 });
  });

  it('does not report a column that was added to an edited copy', async () => {
    const text = await readFile(at('all.csv'), 'utf8');
    await writeFile(
      at('remarked.csv'),
      text.replace(/^id,/, 'id,Remarks,').replace(/\n(\d+),/g, '\n$1,seen,'),
    );
    const { found, stderr } = await changes(at('all.csv'), at('remarked.csv'));
    expect({ found, stderr }).toEqual({
      found: [],
      stderr: expect.stringContaining('not compared: Remarks'),
    });
  });

  it('names what was not compared, on standard error and in reports', async () => {
    const said = 'columns in only one of the files were not compared: accession_no, image.count';
    const copy = await edited('headed.csv', 'id,Name', 'id,title');
    expect((await changes(at('some.csv'), copy)).stderr).toContain(said);
    expect((await opac(['diff', at('some.csv'), copy, '-f', 'html'])).stdout).toContain(said);
    expect((await changes(at('all.ndjson'), at('some.csv'))).stderr).toContain(
      'only the columns of the table were compared: id, title, accession_no, image.count',
    );
  });

  it('is refused where its kind decides and nothing says it', async () => {
    await writeFile(at('unknown.csv'), 'id,title\n1,a\n');
    expect(await opac(['diff', at('records.ndjson'), at('unknown.csv')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'do not state their kind, and the files contain several kinds: objects, persons',
      ),
    });
  });

  it.each([
    ['semicolons', (text: string) => text.replace('id,title', 'id;title').replaceAll(',', ';')],
    ['a line that names the separator', (text: string) => `sep=;\r\n${text.replaceAll(',', ';')}`],
    ['semicolons behind a BOM', (text: string) => `\ufeff${text.replaceAll(',', ';')}`],
    ['UTF-16 with tabs', (text: string) => Buffer.from(`\ufeff${text.replaceAll(',', '\t')}`, 'utf16le')],
    ['line ends of old', (text: string) => text.replaceAll('\n', '\r')],
  ])('may have %s', async (_, saved) => {
    await writeFile(at('plain.csv'), 'id,title\n1,Māori\n2,b\n');
    await writeFile(at('saved.csv'), saved('id,title\n1,Māori\n2,c\n'));
    const { found, code, stderr } = await changes(at('plain.csv'), at('saved.csv'));
    expect({ found, code, stderr }).toEqual({
      found: ['2 title'],
      code: 0,
      stderr: expect.not.stringContaining('Windows'),
    });
  });

  it.each([',', ';'])('may be Windows-1252 with "%s", and is said to be', async (delimiter) => {
    // "é – “CAFÉ” €", where É and the quotation mark behind it look like UTF-8.
    const bytes = Buffer.from('\xe9 \x96 \x93CAF\xc9\x94 \x80', 'latin1');
    await writeFile(at('plain.csv'), 'id,title\n1,é – “CAFÉ” €\n2,b\n');
    const [begin, end] = [`id,title\r\n1,`, `\r\n2,c\r\n`].map((text) =>
      Buffer.from(text.replaceAll(',', delimiter)),
    ) as [Buffer, Buffer];
    await writeFile(at('saved.csv'), Buffer.concat([begin, bytes, end]));
    for (const files of [
      [at('plain.csv'), at('saved.csv')],
      [at('saved.csv'), at('plain.csv')],
    ] as const)
      expect(await changes(...files)).toEqual({
        found: ['2 title'],
        code: 0,
        stderr: expect.stringContaining(`"${at('saved.csv')}" is not UTF-8; it was read as Windows-1252\n`),
      });
  });

  it('may hold quotes within a cell', async () => {
    await writeFile(at('plain.csv'), 'id,title\n1,"5"" wide"\n2,"6"" wide"\n3,"7"" wide, 8"" high"\n');
    await writeFile(at('saved.csv'), 'id;title\n1;5" wide\n2;6" wide\n3;7" wide, 9" high\n');
    expect(await changes(at('plain.csv'), at('saved.csv'))).toMatchObject({ found: ['3 title'], code: 0 });
  });

  it.each([
    ['is not UTF-8: see line 3', Buffer.from('id,title\n1,M\xc4\x81ori\n2,\xe3\xc5\x8d\n', 'latin1')],
    ['is not UTF-8: see line 2', Buffer.from('\xef\xbb\xbfid,title\n1,M\xe3ori\n', 'latin1')],
    ['has two columns "title"', 'id,title,title\n1,a,b\n'],
    ['has more cells than columns in line 2', 'id,title\n1,a,b\n'],
    ['does not contain the column "id"', `${'x,'.repeat(600_000)}id\n1\n`],
  ])('is refused when it %s', async (said, content) => {
    await writeFile(at('plain.csv'), 'id,title\n1,a\n');
    await writeFile(at('odd.csv'), content);
    expect(await opac(['diff', at('plain.csv'), at('odd.csv')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    });
  });
});

describe('selected records', () => {
  const edit = () => edited('all.ndjson', '"value":"Early wax model"', '"value":"Late wax model"');

  it.each<[string[], string[]]>([
    [['--where', 'accession_no=@numbers.txt'], ['20011 name']],
    [['--where', 'title=wax'], ['20011 name']],
    [['--where', 'id=20011'], ['20011 name']],
    [['--where', 'id=20022'], []],
    [['--where', 'title=wax', '--exact'], []],
    [['--where', 'name=early wax MODEL', '--exact'], ['20011 name']],
    [['--where', 'name=@@none'], []],
  ])('%j are those of a list', async (words, expected) => {
    const { stdout } = await opac([
      'objects',
      'get',
      '20011',
      '--mock',
      '-f',
      'tsv',
      '--columns',
      'accession_no',
    ]);
    await writeFile(at('numbers.txt'), `${stdout.split('\n')[1]}\n99\n`);
    const own = words.map((word) => word.replace('@numbers.txt', `@${at('numbers.txt')}`));
    expect(await changes(at('all.ndjson'), await edit(), ...own)).toMatchObject({ found: expected, code: 0 });
  });

  it('of a collection are found by its name and by its id, in tables by its name', async () => {
    const { stdout } = await opac(['objects', 'get', '20011', '--mock', '-f', 'json']);
    const { opacCollectionId: id, collectionName: name } = [JSON.parse(stdout)].flat()[0].opacCollection;
    const copy = await edit();
    for (const given of [id, name, name.toUpperCase()])
      expect((await changes(at('all.ndjson'), copy, '--collection', given)).found).toEqual(['20011 name']);
    const table = await edited('all.csv', 'Early wax model', 'Late wax model');
    expect((await changes(at('all.csv'), table, '--collection', name)).found).toHaveLength(1);
    for (const files of [
      [at('all.ndjson'), copy],
      [at('all.csv'), table],
    ])
      expect(await opac(['diff', ...files, '--collection', 'No such thing'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('unknown collection "No such thing"'),
      });
  });

  it('by a field that no record has are refused, and what is compared alone is named', async () => {
    const files = [at('all.ndjson'), await edit()] as const;
    expect(await opac(['diff', ...files, '--where', 'accesion_no=1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no record has the field "accesion_no"; did you mean "accession_no"?'),
    });
    expect(await opac(['diff', ...files, '--fields', 'titel'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no record has the field "titel"'),
    });
    expect(await changes(...files, '--fields', 'titel,name')).toMatchObject({
      found: ['20011 name'],
      stderr: expect.stringContaining('not compared, because no record has these fields: titel\n'),
    });
  });
});

it.each([[], ['--quiet']])('warns of a file that is one of several, or a part (%s)', async (...quiet) => {
  await opac(['objects', 'export', '--mock', '--split', '100', '-o', at('split.ndjson')]);
  await opac(['objects', 'export', '--mock', '--window', '60', '--part', '1/3', '-o', at('p.ndjson')]);
  for (const [name, warning] of [
    [
      'split-001.ndjson',
      'split-001.ndjson" is one of 2 files of a split export; the records of the other files',
    ],
    ['p.ndjson', 'p.ndjson" contains only selected records (part: 1/3)'],
  ] as const)
    expect(await opac(['diff', at(name), at('all.ndjson'), '-f', 'ids', ...quiet])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(new RegExp(`^warning: .*${warning.replace(/[()]/g, '\\$&')}`, 'm')),
    });
});

describe('the file of a comparison', () => {
  it.each(['x.txt', 'x.pdf', 'x.docx', 'x.txt.gz'])('%s is refused', async (name) => {
    expect(await opac(['diff', at('all.ndjson'), at('all.csv'), '-o', at(name)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not the file extension of a format'),
    });
    await expect(readFile(at(name))).rejects.toThrow('ENOENT');
  });

  it('has the format of its ending, also compressed', async () => {
    expect((await opac(['diff', at('all.ndjson'), at('all.csv'), '-o', at('x.html.gz')])).code).toBe(0);
    expect((await readFile(at('x.html.gz'))).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

describe('files in place of a deployment', () => {
  it('are one before the argument, and have no made-up address', async () => {
    await writeFile(at('bare.ndjson'), await readFile(at('all.ndjson')));
    for (const from of [at('bare.ndjson'), at('all.ndjson')]) {
      const words = ['objects', 'diff', '--from', from, at('all.ndjson')];
      expect(await opac([...words, '-f', 'ids'])).toEqual(
        expect.objectContaining({ code: 0, stdout: '', stderr: 'no records differ\n' }),
      );
      expect((await opac([...words, '-f', 'html'])).stdout).not.toContain('export.invalid');
    }
  });
});
