/** Labels instead of field names and as headers; records and images without a value; placeholders. */

import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

let folder: string;
let objects: readonly MuseumRecord[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-labels-'));
  objects = (await readMuseumRecords()).filter(({ kind }) => kind === 'objects');
});
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const run = (line: string) => opac(line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? []);
const runAtMuseum = (line: string) => run(`${line} --mock`);

/** Writes a file of records with these fields. `--from` derives their labels, for example `Maker` for maker_name. */
async function writeRecords(name: string, records: readonly Record<string, string>[]): Promise<string> {
  const lines = records.map((fields, n) =>
    JSON.stringify({
      opacObjectId: String(n + 1),
      opacObjectFieldSets: Object.entries(fields).map(([identifier, value]) => ({
        identifier,
        opacObjectFields: value === '' ? [] : [{ value }],
      })),
    }),
  );
  await writeFile(at(name), `${lines.join('\n')}\n`);
  return at(name);
}

describe('a label instead of a field name', () => {
  const LINES = [
    ['list --where "date made=1850..1860" -f ids', 'list --where production_date=1850..1860 -f ids'],
    ['count --where "MAKER=Leo Bensemann"', 'count --where "maker_name=Leo Bensemann"'],
    ['count --where "Maker=Leo Bensemann" --exact', 'count --where "maker_name=Leo Bensemann" --exact'],
    ['count --where "Materials="', 'count --where medium_desc='],
    ['list --sort "Accession Number:desc" -f ids', 'list --sort accession_no:desc -f ids'],
    ['list --sort "Date made" -f ids', 'list --sort production_date -f ids'],
    ['count --facet "date made=1850-1899"', 'count --facet production_date=1850-1899'],
    ['facets list objects --facet "Subject=Cats"', 'facets list objects --facet subject_category=Cats'],
    ['get --by "accession number" 00345 -f json', 'get --by accession_no 00345 -f json'],
    [
      'list -f csv --columns "id,date made,Date made@earliest_date,Maker[0]"',
      'list -f csv --columns id,production_date,production_date@earliest_date,maker_name[0]',
    ],
    ['list -f json --columns "Maker=Artist"', 'list -f json --columns maker_name=Artist'],
    ['get 20022 -f json --columns Maker', 'get 20022 -f json --columns maker_name'],
    ['export -f csv --columns "id,Maker"', 'export -f csv --columns id,maker_name'],
    [
      'export -f csv --columns "id,Maker" --multi rows=Maker',
      'export -f csv --columns id,maker_name --multi rows=maker_name',
    ],
    ['export -f csv --multi rows=Maker', 'export -f csv --multi rows=maker_name'],
  ] as const;

  it.each(LINES)('has the same effect as the field name: %s', async (label, name) => {
    const prefix = (line: string) => (line.startsWith('facets') ? line : `objects ${line}`);
    const [byLabel, byName] = [await runAtMuseum(prefix(label)), await runAtMuseum(prefix(name))];
    expect({ ...byName, code: 0 }).toEqual(byName);
    expect([byLabel.stdout, byLabel.code]).toEqual([byName.stdout, 0]);
  });

  it('works with files, also for a list of values', async () => {
    const file = await writeRecords('files.ndjson', [
      { maker_name: 'Ada', medium_desc: 'oil' },
      { maker_name: 'Bea' },
    ]);
    await writeFile(at('values.txt'), 'Bea\n');
    expect((await run(`objects list --from ${file} --where Maker=@${at('values.txt')} -f ids`)).stdout).toBe(
      '2\n',
    );
    expect((await run(`objects list --from ${file} --where Materials= -f ids`)).stdout).toBe('2\n');
    const { stdout } = await run(`objects export --from ${file} --columns "id,Maker" -f csv`);
    expect(stdout).toBe('id,maker_name\n1,Ada\n2,Bea\n');
  });

  it('does not replace a field name, also of a field that no view contains', async () => {
    const record = (id: number, maker: string) => ({
      opacObjectId: String(id),
      opacObjectFieldSets: Object.entries({ maker, maker_name: 'y' }).map(([identifier, value]) => ({
        identifier,
        opacObjectFields: [{ value }],
      })),
    });
    const views = [{ viewName: 'label', fields: [{ identifier: 'maker_name', label: 'maker' }] }];
    const queries: (string | null)[] = [];
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (!pathname.endsWith('/views')) queries.push(searchParams.get('query'));
      const list = { opacObjects: [record(1, 'x')], totalOpacObjects: 1 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(pathname.endsWith('/views') ? { views } : list));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const table = await run(`objects list --columns maker,MAKER --labels -f csv --base-url ${url}`);
    expect(table.stdout).toBe('maker,maker (maker_name)\nx,y\n');
    await run(`objects count --where maker=x --base-url ${url}`);
    expect(queries.at(-1)).toBe('maker:"x"');
  });

  it('is refused if several fields have it', async () => {
    const file = await writeRecords('twice.ndjson', [{ 'a b': 'x', a_b: 'y' }]);
    for (const rest of ['list --columns "A B"', 'count --where "A B=x"', 'list --sort "A B"'])
      expect(await run(`objects ${rest} --from ${file}`)).toMatchObject({
        code: 2,
        stderr: 'opac: several fields have the label "A B": "a b", "a_b"; use the name of the field\n',
      });
  });

  it('appears in the suggestion for an unknown name', async () => {
    const hint = 'did you mean "production_date" (Date made)?';
    for (const rest of ['list --columns date', 'count --where date=x', 'export -f csv --columns date'])
      expect(await runAtMuseum(`objects ${rest}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(hint),
      });
    const unknown = await runAtMuseum('objects count --where "Date mad=1"');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining(hint) });
  });
});

describe('labels as headers', () => {
  const headersOf = async (file: string) => (await readXlsx(await readFile(file))).sheets[0]?.rows[0];

  it('are written by --labels, and by default in XLSX', async () => {
    const columns = '--columns id,title,maker_name,production_date@earliest_date,name=Heading';
    const labelled = ['id', 'Title', 'Maker', 'Date made@earliest_date', 'Heading'];
    const names = ['id', 'title', 'maker_name', 'production_date@earliest_date', 'Heading'];
    for (const command of ['list --limit 3', 'export --limit 3', 'get 20022']) {
      const csv = await runAtMuseum(`objects ${command} ${columns} --labels -f csv`);
      expect(csv.stdout.split('\n', 1)).toEqual([labelled.join(',')]);
      await runAtMuseum(`objects ${command} ${columns} -o ${at('a.xlsx')} --force`);
      expect(await headersOf(at('a.xlsx'))).toEqual(labelled);
      await runAtMuseum(`objects ${command} ${columns} --no-labels -o ${at('a.xlsx')} --force`);
      expect(await headersOf(at('a.xlsx'))).toEqual(names);
    }
  });

  it('are the default in XLSX for every list with fields', async () => {
    for (const [line, header] of [
      ['objects duplicates maker_name', 'Maker'],
      ['images list --columns recordId,maker_name', 'Maker'],
    ] as const) {
      await runAtMuseum(`${line} -o ${at('list.xlsx')} --force`);
      expect(await headersOf(at('list.xlsx'))).toContain(header);
      expect((await runAtMuseum(`${line} -f csv`)).stdout.split('\n', 1)[0]).toMatch(/\bmaker_name\b/);
    }
  });

  it('are repeated by an export with --columns @file', async () => {
    await runAtMuseum(`objects export --labels --limit 3 --columns id,maker_name -o ${at('kept.csv')}`);
    await copyFile(at('kept.csv'), at('copy.csv'));
    for (const file of ['kept.csv', 'copy.csv']) {
      const again = await runAtMuseum(`objects export --limit 3 -f csv --columns @${at(file)}`);
      expect(again).toMatchObject({ code: 0, stdout: await readFile(at('kept.csv'), 'utf8') });
    }
  });

  it('are unique', async () => {
    const file = await writeRecords('equal.ndjson', [{ 'a b': 'x', a_b: 'y', slug_: '1', Slug: '2' }]);
    const { stdout } = await run(`objects list --from ${file} --labels -f csv`);
    const headers = stdout.split('\n', 1)[0]?.toLowerCase().split(',') ?? [];
    expect(headers).toContain('a b (a_b)');
    expect(new Set(headers).size).toBe(headers.length);
  });

  it('are refused for JSON and NDJSON, and with --sql-names', async () => {
    for (const line of ['list --labels -f json', 'export --labels -f ndjson', 'list --labels --sql-names'])
      expect((await runAtMuseum(`objects ${line}`)).code).toBe(2);
  });

  it('are on cards, except with --no-labels', async () => {
    expect((await runAtMuseum('objects get 20022 -f card')).stdout).toMatch(/^Accession number +00345$/m);
    expect((await runAtMuseum('objects get 20022 -f card --no-labels')).stdout).toMatch(
      /^accession_no +00345$/m,
    );
  });
});

describe('a comparison', () => {
  const exportTo = (file: string, more: string) =>
    runAtMuseum(`objects export --limit 3 --columns id,accession_no,maker_name ${more} -o ${at(file)}`);
  const edit = async (from: string, to: string) =>
    writeFile(at(to), (await readFile(at(from), 'utf8')).replace('Leopold', 'Leo'));

  it('prints labels in table, HTML and XLSX, and field names in CSV', async () => {
    await exportTo('names.csv', '');
    await edit('names.csv', 'edited.csv');
    const show = (more: string) =>
      runAtMuseum(`objects diff ${at('edited.csv')} --show changed --context accession_no ${more}`);
    const card = (await show('-f table')).stdout;
    expect(card).toContain('1869.1.21 (object 20011) changed\n  Accession number: 1869.1.21\n  Maker\n');
    expect(card).toMatch(/^Maker +1 *$/m);
    await show(`-o ${at('d.html')}`);
    const html = await readFile(at('d.html'), 'utf8');
    expect(html).toContain('<td class="id">Maker</td>');
    expect(html).toContain('<dt class="id">Maker <small>');
    expect(html).not.toContain('maker_name');
    await runAtMuseum(`objects diff ${at('edited.csv')} --show changed -o ${at('d.xlsx')}`);
    const rows = (await readXlsx(await readFile(at('d.xlsx')))).sheets[0]?.rows ?? [];
    expect(rows.map((row) => [row[4], row[8]])).toEqual([
      ['field', 'Accession number'],
      ['Maker', '1869.1.21'],
    ]);
    expect((await show('-f csv')).stdout).toContain('maker_name,changed');
    const only = await show('-f csv --fields Maker --where Maker=Leopold');
    expect(only).toMatchObject({ code: 0, stdout: (await show('-f csv')).stdout });
  });

  it('reads a table with labels if a manifest or the service has them, or refuses it', async () => {
    await exportTo('labels.csv', '--labels');
    await edit('labels.csv', 'copy.csv');
    await runAtMuseum(`objects export --limit 3 -o ${at('all.ndjson')}`);
    const changed = expect.stringMatching(/^objects,20011,.*,maker_name,changed,/m);
    const withManifest = await run(`diff ${at('labels.csv')} ${at('all.ndjson')} -f csv`);
    expect(withManifest).toMatchObject({ code: 0, stderr: expect.stringContaining('no records differ') });
    const withService = await runAtMuseum(`objects diff ${at('copy.csv')} --show changed -f csv`);
    expect(withService).toMatchObject({ code: 0, stdout: changed });
    // The manifest of the original export is in the same folder.
    const besideManifest = await run(`diff ${at('copy.csv')} ${at('all.ndjson')} -f csv`);
    expect(besideManifest).toMatchObject({ code: 0, stdout: changed });
    await mkdir(at('alone'));
    for (const name of ['copy.csv', 'all.ndjson']) await copyFile(at(name), at(`alone/${name}`));
    const alone = await run(`diff ${at('alone/copy.csv')} ${at('alone/all.ndjson')}`);
    expect(alone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not contain the field "Accession number"'),
    });
  });
});

describe('records and images without a value', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the service's own JSON, read without the program's types.
  const imagesOf = ({ record }: MuseumRecord): any[] => (record as any).imagesCollection?.images ?? [];

  it('are found by --no-images', async () => {
    const expected = objects.filter((one) => imagesOf(one).length === 0).map(({ id }) => id);
    const { stdout } = await runAtMuseum('objects list --no-images --all -f ids');
    expect(stdout.split('\n').filter(Boolean).toSorted()).toEqual(expected.toSorted());
    expect((await runAtMuseum('objects count --no-images --has-images')).code).toBe(2);
  });

  it('are found by --where image.caption=, as records or as images', async () => {
    const image = (imageId: string, caption: string) => ({ imageId, caption, imageDerivatives: [] });
    const records = [
      {
        opacObjectId: '1',
        imagesCollection: { images: [image('a', 'front'), image('b', ''), image('c', '')] },
      },
      { opacObjectId: '2', imagesCollection: { images: [image('d', '')] } },
      { opacObjectId: '3', imagesCollection: { images: [image('e', 'back')] } },
      {
        opacObjectId: '4',
        opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: 'x' }] }],
      },
    ];
    await writeFile(at('images.ndjson'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const from = `--from ${at('images.ndjson')}`;
    expect((await run(`objects list --where image.caption= -f ids ${from}`)).stdout).toBe('1\n2\n');
    const { stdout } = await run(
      `images list --where image.caption= ${from} -f csv --columns imageId,position`,
    );
    expect(stdout).toBe('imageId,position\nb,2\nc,3\nd,1\n');
    expect((await run(`images list --where image.caption=front ${from} -f ids`)).stdout).toBe('a\n');
    expect((await run(`images list --where image.caption=x ${from} -f ids`)).stdout).toBe('');
    await writeFile(at('without.ndjson'), `${JSON.stringify(records[1])}\n`);
    const without = await run(`images list --where image.caption= --from ${at('without.ndjson')} -f ids`);
    expect(without).toMatchObject({ code: 0, stdout: 'd\n' });
    await run(`objects export ${from} -f csv --columns id,image.caption -o ${at('captions.csv')}`);
    expect(await readFile(at('captions.csv'), 'utf8')).toBe('id,image.caption\n1,front\n2,\n3,back\n4,\n');
  });

  it('are found by --where image@copyright=, and images have the column image@copyright', async () => {
    const image = (imageId: string, copyright: string) => ({
      imageId,
      imageAttributes: [{ key: 'copyright', value: copyright }],
      imageDerivatives: [],
    });
    const images = [image('a', 'CC0'), image('b', 'ours'), image('c', '')];
    const field = {
      identifier: 'image',
      opacObjectFields: [
        { value: 'x', opacObjectFieldAttributes: [{ key: 'copyright', value: 'of the field' }] },
      ],
    };
    const records = [
      { opacObjectId: '1', imagesCollection: { images } },
      { opacObjectId: '2', opacObjectFieldSets: [field], imagesCollection: { images: [] } },
    ];
    await writeFile(at('rights.ndjson'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const from = `--from ${at('rights.ndjson')}`;
    expect((await run(`images list --where image@copyright=cc0 ${from} -f ids`)).stdout).toBe('a\n');
    expect((await run(`images list --where image@copyright= ${from} -f ids`)).stdout).toBe('c\n');
    expect((await run(`objects list --where image@copyright=CC0 ${from} -f ids`)).stdout).toBe('1\n');
    expect((await run(`objects list --where image@copyright= ${from} -f ids`)).stdout).toBe('1\n');
    const unknown = await run(`images list --where image@copyrigth=CC0 ${from}`);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "image@copyright"?'),
    });
    const columns = 'id,image@copyright,field.image@copyright';
    await run(`objects export ${from} -f csv --columns ${columns} -o ${at('rights.csv')}`);
    expect(await readFile(at('rights.csv'), 'utf8')).toBe(`${columns}\n1,CC0|ours,\n2,,of the field\n`);
  });
});

describe('placeholders', () => {
  it('include repeated texts such as ?, -- and [...], but not + - and ( )', async () => {
    const texts = ['?', '?', '[...]', '[...]', '--', '--', '+ -', '+ -', '( )', '( )'];
    const file = await writeRecords(
      'signs.ndjson',
      texts.map((name) => ({ name })),
    );
    const { stdout } = await run(`objects fields --all --from ${file} -f json`);
    expect(JSON.parse(stdout)[0].placeholders.sort()).toEqual(['-- (2)', '? (2)', '[...] (2)']);
  });

  it('are listed with their number of records, and are empty with --placeholders', async () => {
    const texts = [
      'date not known',
      'date not known',
      'Date unknown',
      '1840',
      '[no title]',
      '?',
      '?',
      'Blank',
    ];
    const file = await writeRecords(
      'placeholders.ndjson',
      texts.map((production_date) => ({ production_date })),
    );
    const fields = async (more: string) =>
      JSON.parse((await run(`objects fields --all --from ${file} -f json ${more}`)).stdout)[0];
    const placeholders = ['date not known (2)', '? (2)'];
    expect(await fields('')).toMatchObject({ filled: 8, empty: 0, percent: 100, placeholders });
    expect(await fields('--empty --placeholders')).toMatchObject({
      filled: 4,
      empty: 4,
      percent: 50,
      placeholders,
    });
    expect((await run(`objects fields --from ${file}`)).stderr).toContain(
      'to count them as empty, add --placeholders',
    );
    expect((await run(`objects fields --dates --placeholders --from ${file}`)).code).toBe(2);
  });
});

describe('the requests of a list', () => {
  it('do not include views if all columns are known', async () => {
    const { requests } = await runAgainstMuseum('objects list --limit 2 --columns id,maker_name -f csv');
    expect(requests.filter(({ path }) => path.includes('views'))).toEqual([]);
  });
});
