/** `opac diff` of edited tables and of selected records. */
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

/** Writes a copy of a file without its manifest, and replaces `from` with `to` in it. Returns the path of the copy. */
async function writeEditedCopy(
  name: string,
  from: string,
  to: string,
  as = `edited-${name}`,
): Promise<string> {
  const text = await readFile(at(name), 'utf8');
  expect(text).toContain(from);
  await writeFile(at(as), text.replace(from, to));
  return at(as);
}

async function findChanges(one: string, other: string, ...more: string[]) {
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

it('finds no differences between formats if values contain a separator of several values', async () => {
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
    for (const other of files) expect((await findChanges(at(one), at(other))).found).toEqual([]);
  const edit = await writeEditedCopy('signs.ndjson', 'A|B', 'A|C');
  await opac(['objects', 'export', '--from', edit, '--multi', 'json', '-o', at('json-2.csv')]);
  expect((await findChanges(at('signs.xlsx'), at('json-2.csv'), '--any-deployment')).found).toEqual([
    '2 name',
  ]);
});

describe('an edited copy without its manifest', () => {
  it.each([
    ['some.csv', 'Early wax model', 'Late wax model', ['20011 title']],
    ['headed.csv', 'Early wax model', '[Blank]', ['20011 title']],
    ['all.csv', 'Early wax model', 'Late wax model', ['20011 name', '20011 title']],
    ['all.ndjson', '"value":"Early wax model"', '"value":"Late wax model"', ['20011 name']],
  ])('differs from the original and from NDJSON only by the edit: %s', async (name, from, to, expected) => {
    const copy = await writeEditedCopy(name, from, to);
    for (const [one, other] of [
      [at(name), copy],
      [copy, at(name)],
      // Its headers are not column names, and the records do not contain their labels.
      ...(name === 'headed.csv' ? [] : [[at('all.ndjson'), copy] as const]),
    ] as const) {
      const { found, stderr, code } = await findChanges(one, other);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 changed') });
      if (name !== 'all.csv') expect(found).toEqual(expected);
      else expect(expected).toEqual(expect.arrayContaining(found));
    }
  });

  it('has no differences if nothing was edited', async () => {
    const copy = await writeEditedCopy('some.csv', 'id,', 'id,', 'same.csv');
    for (const other of ['some.csv', 'all.csv', 'all.ndjson'])
      expect((await findChanges(at(other), copy)).found, other).toEqual([]);
  });

  it('is read like the original, also if it has an additional column', async () => {
    await opac(['objects', 'export', '--mock', '--multi', 'json', '-o', at('json.csv')]);
    const text = await readFile(at('json.csv'), 'utf8');
    await writeFile(at('noted.csv'), text.replace(/^id,/, 'id,note,').replace(/\n(\d+),/g, '\n$1,seen,'));
    expect(await findChanges(at('json.csv'), at('noted.csv'))).toMatchObject({
      found: [],
      stderr: expect.stringContaining('were not compared: note\nno records differ'),
    });
  });

  it('has no difference in the title if the name changed too, except with --fields title', async () => {
    const text = await readFile(at('all.csv'), 'utf8');
    await writeFile(at('both.csv'), text.replaceAll('Early wax model', 'Late wax model'));
    expect((await findChanges(at('all.csv'), at('both.csv'))).found).not.toContain('20011 title');
    expect((await findChanges(at('all.csv'), at('both.csv'), '--fields', 'title')).found).toEqual([
      '20011 title',
    ]);
    const records = await readFile(at('all.ndjson'), 'utf8');
    await writeFile(at('both.ndjson'), records.replaceAll('Early wax model', 'Late wax model'));
    expect((await findChanges(at('all.ndjson'), at('both.ndjson'), '--fields', 'title')).found).toEqual([
      '20011 title',
    ]);
  });

  it('has no differences in columns that only one of the two exports contains', async () => {
    await opac(['objects', 'export', '--mock', '--columns', 'all', '-o', at('details.csv')]);
    const columns = 'id,image.caption,production_date[0],production_date@earliest_date';
    await opac(['objects', 'export', '--mock', '--columns', columns, '-o', at('chosen.csv')]);
    for (const [one, other, skipped] of [
      ['all.csv', 'details.csv', 'production_date@earliest_date'],
      ['details.csv', 'chosen.csv', 'image.caption, production_date[0]'],
      ['all.csv', 'chosen.csv', 'production_date@earliest_date'],
    ] as const) {
      const { found, stderr } = await findChanges(at(one), at(other));
      expect({ one, other, found, stderr }).toMatchObject({
        found: [],
        stderr: expect.stringContaining(skipped),
      });
    }
  });

  it('gets renamed headers first from manifests in its own folder', async () => {
    const own = await mkdtemp(join(tmpdir(), 'opac-tables-own-'));
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    await opac(['objects', 'export', '--mock', '--columns', 'id,title=Called', '-o', join(own, 'a.csv')]);
    await opac(['objects', 'export', '--mock', '--columns', 'id,name=Called', '-o', at('called.csv')]);
    const text = await readFile(join(own, 'a.csv'), 'utf8');
    await writeFile(join(own, 'edited.csv'), text.replace('Early wax model', 'Late wax model'));
    const { found, code } = await findChanges(at('all.csv'), join(own, 'edited.csv'));
    expect({ found, code }).toEqual({ found: ['20011 title'], code: 0 });
  });

  it('has no differences in a column that was added', async () => {
    const text = await readFile(at('all.csv'), 'utf8');
    await writeFile(
      at('remarked.csv'),
      text.replace(/^id,/, 'id,Remarks,').replace(/\n(\d+),/g, '\n$1,seen,'),
    );
    const { found, stderr } = await findChanges(at('all.csv'), at('remarked.csv'));
    expect({ found, stderr }).toEqual({
      found: [],
      stderr: expect.stringContaining('not compared: Remarks'),
    });
  });

  it('causes a note about columns that were not compared, also in reports', async () => {
    const note = 'columns in only one of the files were not compared: accession_no, image.count';
    const copy = await writeEditedCopy('headed.csv', 'id,Name', 'id,title');
    expect((await findChanges(at('some.csv'), copy)).stderr).toContain(note);
    expect((await opac(['diff', at('some.csv'), copy, '-f', 'html'])).stdout).toContain(note);
    expect((await findChanges(at('all.ndjson'), at('some.csv'))).stderr).toContain(
      'only the columns of the table were compared: id, title, accession_no, image.count',
    );
  });

  it('is refused if its kind is unknown and the other file has several kinds', async () => {
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
  ])('can have %s', async (_, saved) => {
    await writeFile(at('plain.csv'), 'id,title\n1,Māori\n2,b\n');
    await writeFile(at('saved.csv'), saved('id,title\n1,Māori\n2,c\n'));
    const { found, code, stderr } = await findChanges(at('plain.csv'), at('saved.csv'));
    expect({ found, code, stderr }).toEqual({
      found: ['2 title'],
      code: 0,
      stderr: expect.not.stringContaining('Windows'),
    });
  });

  it.each([',', ';'])(
    'can be Windows-1252 with the separator "%s", which causes a warning',
    async (delimiter) => {
      // "é – “CAFÉ” €". The bytes of É and of the quotation mark after it are also valid UTF-8.
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
        expect(await findChanges(...files)).toEqual({
          found: ['2 title'],
          code: 0,
          stderr: expect.stringContaining(`"${at('saved.csv')}" is not UTF-8; it was read as Windows-1252\n`),
        });
    },
  );

  it('can have quotes within a cell', async () => {
    await writeFile(at('plain.csv'), 'id,title\n1,"5"" wide"\n2,"6"" wide"\n3,"7"" wide, 8"" high"\n');
    await writeFile(at('saved.csv'), 'id;title\n1;5" wide\n2;6" wide\n3;7" wide, 9" high\n');
    expect(await findChanges(at('plain.csv'), at('saved.csv'))).toMatchObject({
      found: ['3 title'],
      code: 0,
    });
  });

  it.each([
    ['is not UTF-8: see line 3', Buffer.from('id,title\n1,M\xc4\x81ori\n2,\xe3\xc5\x8d\n', 'latin1')],
    ['is not UTF-8: see line 2', Buffer.from('\xef\xbb\xbfid,title\n1,M\xe3ori\n', 'latin1')],
    ['has two columns "title"', 'id,title,title\n1,a,b\n'],
    ['has more cells than columns in line 2', 'id,title\n1,a,b\n'],
    ['does not contain the column "id"', `${'x,'.repeat(600_000)}id\n1\n`],
  ])('is refused if it %s', async (message, content) => {
    await writeFile(at('plain.csv'), 'id,title\n1,a\n');
    await writeFile(at('odd.csv'), content);
    expect(await opac(['diff', at('plain.csv'), at('odd.csv')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

describe('opac diff with selected records', () => {
  const edit = () => writeEditedCopy('all.ndjson', '"value":"Early wax model"', '"value":"Late wax model"');

  it.each<[string[], string[]]>([
    [['--where', 'accession_no=@numbers.txt'], ['20011 name']],
    [['--where', 'title=wax'], ['20011 name']],
    [['--where', 'id=20011'], ['20011 name']],
    [['--where', 'id=20022'], []],
    [['--where', 'title=wax', '--exact'], []],
    [['--where', 'name=early wax MODEL', '--exact'], ['20011 name']],
    [['--where', 'name=@@none'], []],
  ])('compares only the records of %j', async (words, expected) => {
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
    expect(await findChanges(at('all.ndjson'), await edit(), ...own)).toMatchObject({
      found: expected,
      code: 0,
    });
  });

  it('selects a collection by its name or id, in tables by its name', async () => {
    const { stdout } = await opac(['objects', 'get', '20011', '--mock', '-f', 'json']);
    const { opacCollectionId: id, collectionName: name } = [JSON.parse(stdout)].flat()[0].opacCollection;
    const copy = await edit();
    for (const given of [id, name, name.toUpperCase()])
      expect((await findChanges(at('all.ndjson'), copy, '--collection', given)).found).toEqual([
        '20011 name',
      ]);
    const table = await writeEditedCopy('all.csv', 'Early wax model', 'Late wax model');
    expect((await findChanges(at('all.csv'), table, '--collection', name)).found).toHaveLength(1);
    for (const files of [
      [at('all.ndjson'), copy],
      [at('all.csv'), table],
    ])
      expect(await opac(['diff', ...files, '--collection', 'No such thing'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('unknown collection "No such thing"'),
      });
  });

  it('refuses an unknown field, and ignores it with a warning if --fields has other fields', async () => {
    const files = [at('all.ndjson'), await edit()] as const;
    expect(await opac(['diff', ...files, '--where', 'accesion_no=1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no record has the field "accesion_no"; did you mean "accession_no"?'),
    });
    expect(await opac(['diff', ...files, '--fields', 'titel'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no record has the field "titel"'),
    });
    expect(await findChanges(...files, '--fields', 'titel,name')).toMatchObject({
      found: ['20011 name'],
      stderr: expect.stringContaining('not compared, because no record has these fields: titel\n'),
    });
  });
});

it.each([[], ['--quiet']])(
  'warns about a file of a split export, and about a part (%s)',
  async (...quiet) => {
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
  },
);

describe('--output of opac diff', () => {
  it.each(['x.txt', 'x.pdf', 'x.docx', 'x.txt.gz'])('causes exit code 2 and no file: %s', async (name) => {
    expect(await opac(['diff', at('all.ndjson'), at('all.csv'), '-o', at(name)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not the file extension of a format'),
    });
    await expect(readFile(at(name))).rejects.toThrow('ENOENT');
  });

  it('selects the format by the file extension, also with .gz', async () => {
    expect((await opac(['diff', at('all.ndjson'), at('all.csv'), '-o', at('x.html.gz')])).code).toBe(0);
    expect((await readFile(at('x.html.gz'))).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

describe('--from of opac objects diff', () => {
  it('accepts a file before the argument, and adds no made-up URL to the report', async () => {
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
