/** The options of an export, and what it leaves: file, manifest, exit code, words. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/records/files/read-table.js';

import { idsWhere, museumRecords } from '../e2e/museum-records.js';
import { words } from '../e2e/opac.js';
import { lines, outcomesByName } from '../e2e/run-against-museum.js';
import { opac, setUpExport } from './run-in-folder.js';

async function rowsOf(text: string, excel = false): Promise<string[][]> {
  const rows: string[][] = [];
  async function* pieces() {
    yield text;
  }
  for await (const row of readTable(pieces(), { format: 'csv', excel })) rows.push([...row]);
  return rows;
}

describe('where it goes', () => {
  it('standard output, unless a file is named', async () => {
    const setup = await setUpExport();
    const rows = [
      ['objects export -f ids'],
      ['objects export -f ids -o -'],
      ['objects export -o out.ids'],
    ] as const;
    const outputs = await outcomesByName(rows, async ([line]) => (await setup.run(line)).stdout);
    const ids = (await setup.text('out.ids')).trimEnd();
    expect(Object.values(outputs)).toEqual([`${ids}\n`, `${ids}\n`, '']);
    const [csv, json] = await Promise.all([
      setup.run('objects export'),
      setup.run('objects export -f json -o -'),
    ]);
    await setup.run('objects export -o out.csv');
    expect(csv.stdout.replaceAll(setup.museum.url, 'http://museum')).toBe(await setup.text('out.csv'));
    expect(JSON.parse(json.stdout)).toHaveLength(lines(ids).length);
  });

  it('compressed by its name, also when split', async () => {
    const setup = await setUpExport({ records: 250 });
    await setup.run('objects export -o plain.csv');
    await setup.run('objects export -o packed.csv.gz');
    expect(await setup.text('packed.csv.gz')).toBe(await setup.text('plain.csv'));
    const { code, stderr } = await setup.run('objects export --split 100 -o some.ndjson.gz');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^250 records in 3 files, some-001\.ndjson\.gz to some-003\.ndjson\.gz \(.*\); manifest: some\.ndjson\.gz\.manifest\.json\n$/,
      ),
    });
    const counts = await Promise.all(
      [1, 2, 3].map(async (n) => lines(await setup.text(`some-00${n}.ndjson.gz`)).length),
    );
    expect(counts).toEqual([100, 100, 50]);
    expect((await setup.manifest('some.ndjson.gz')).files.map(({ records }) => records)).toEqual([
      100, 100, 50,
    ]);
  });
});

describe('which records', () => {
  it('are limited as in a list', async () => {
    const held = idsWhere(await museumRecords(), ({ kind }) => kind === 'objects');
    const setup = await setUpExport();
    const { stdout } = await setup.run('objects export -f ids --limit 30 --page-size 8');
    expect(lines(stdout)).toEqual(held.slice(0, 30));
    await setup.run('objects export -o some.ids --limit 30 --page-size 8');
    expect(lines(await setup.text('some.ids'))).toEqual(held.slice(0, 30));
    expect(await setup.manifest('some.ids')).toMatchObject({ complete: true, records: 30 });
  });

  it('may be none: a valid empty document, and the words for it', async () => {
    const setup = await setUpExport();
    const rows = [
      ['csv', 'id,title,recordType,slug,collection,label,image.count,image.url\n'],
      ['tsv', 'id\ttitle\trecordType\tslug\tcollection\tlabel\timage.count\timage.url\n'],
      ['json', '[]\n'],
      ['ndjson', ''],
      ['ids', ''],
    ] as const;
    const outcome = await outcomesByName(rows, async ([format]) => {
      const to = await setup.run(`objects export --where name=zzz -o none.${format}`);
      const out = await setup.run(`objects export --where name=zzz -f ${format}`);
      const text = await setup.text(`none.${format}`);
      return [to.code, out.code, out.stdout === text ? text : [out.stdout, text], out.stderr];
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([format, text]) => [format, [0, 0, text, 'no records match\n']])),
    );
  });

  it('whose field is misspelt put no empty file in the place of a good one', async () => {
    const setup = await setUpExport();
    await writeFile(setup.path('out.csv'), 'good');
    const { code, stderr } = await setup.run('objects export --where makr_name=x -o out.csv');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('did you mean "maker_name"?'),
    });
    expect(await readFile(setup.path('out.csv'), 'utf8')).toBe('good');
  });

  it('by a list of thousands of ids keep its order, and those not found are named', async () => {
    const setup = await setUpExport({ records: 2000 });
    await setup.run('objects export -o all.ids');
    const all = lines(await setup.text('all.ids'));
    const wanted = all.filter((_, n) => n % 2 === 0).reverse();
    const strangers = Array.from({ length: 1500 }, (_, n) => `no-such-${n}`);
    const list = wanted
      .flatMap((id, n) => (strangers[n] ? [id, strangers[n]] : [id]))
      .concat(strangers.slice(1000));
    await writeFile(setup.path('list.txt'), `\ufeff${list.join('\r\n')}\r\n`);
    const line = 'objects export --external-id @list.txt -o some.ids';
    const { code, stderr } = await setup.run(line);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^warning: 1,500 entries of the list were not found: no-such-0, no-such-1, .* and 1,480 more\n1,000 records in /,
      ),
    });
    expect(lines(await setup.text('some.ids'))).toEqual(wanted);
    expect((await setup.manifest('some.ids')).notFound).toEqual(strangers);
    const longest = Math.max(...setup.museum.requests.map(({ query }) => String(query).length));
    expect(longest).toBeLessThan(4000);
    const strict = await setup.run(`${line} --strict`);
    expect(strict.code).toBe(6);
    expect(strict.stderr).toMatch(
      /^opac: the export is incomplete: 1,500 entries of the list were not found: .*; 1,000 records are in some\.incomplete\.ids; --resume would not find more records: run the export again, or run it without --strict\n$/,
    );
  });
});

describe('a list of ids without its @', () => {
  it('is taken for what was meant, and refused', async () => {
    const setup = await setUpExport();
    await writeFile(setup.path('ids.txt'), '20011\n');
    const { code, stderr } = await setup.run('objects export --external-id ids.txt -o some.csv');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'opac: "ids.txt" is a file, not an id; read ids from the file with: --external-id @ids.txt\n',
    });
    expect((await setup.run('objects export --external-id none.txt -f ids')).code).toBe(0);
  });
});

describe('columns', () => {
  it('that nobody knows are refused before anything is written', async () => {
    const setup = await setUpExport();
    const { code, stderr } = await setup.run('objects export --columns id,titel -o out.csv');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'opac: column "titel" does not exist; did you mean "title"?\n',
    });
    expect(await setup.names()).toEqual([]);
  });

  it('stand in the order asked for', async () => {
    const setup = await setUpExport();
    const { stdout } = await setup.run('objects export --columns title,id,maker_name,image.count --limit 2');
    expect(lines(stdout)[0]).toBe('title,id,maker_name,image.count');
  });
});

describe('several values', () => {
  const HELD = {
    opacObjectId: '1',
    opacObjectFieldSets: [
      { identifier: 'maker_name', opacObjectFields: [{ value: 'Ann | Co' }, { value: 'Bob' }] },
      { identifier: 'production_role', opacObjectFields: [{ value: 'maker' }, { value: 'painter' }] },
      { identifier: 'materials', opacObjectFields: [{ value: 'oak' }, { value: 'tin' }] },
    ],
  };
  const COLUMNS = '--columns id,maker_name,production_role,materials';
  const ROWS = [
    ['', [['1', 'Ann \\| Co|Bob', 'maker|painter', 'oak|tin']]],
    ['--multi "join=; "', [['1', 'Ann | Co; Bob', 'maker; painter', 'oak; tin']]],
    ['--multi json', [['1', '["Ann | Co","Bob"]', '["maker","painter"]', '["oak","tin"]']]],
    ['--multi first', [['1', 'Ann | Co', 'maker', 'oak']]],
    [
      '--multi rows=materials',
      [
        ['1', 'Ann \\| Co|Bob', 'maker|painter', 'oak'],
        ['1', 'Ann \\| Co|Bob', 'maker|painter', 'tin'],
      ],
    ],
    [
      '--multi rows=maker_name,production_role',
      [
        ['1', 'Ann | Co', 'maker', 'oak|tin'],
        ['1', 'Bob', 'painter', 'oak|tin'],
      ],
    ],
  ] as const;

  it('stand in a cell, or in rows, by the rule', async () => {
    const data = await setUpExport();
    await writeFile(data.path('data.ndjson'), JSON.stringify(HELD));
    const setup = await setUpExport({ data: [data.path('data.ndjson')] });
    const outcome = await outcomesByName(ROWS, async ([rule]) => {
      const { code, stdout, stderr } = await setup.run(`objects export ${COLUMNS} ${rule}`);
      return code === 0 ? (await rowsOf(stdout)).slice(1) : stderr;
    });
    expect(outcome).toEqual(Object.fromEntries(ROWS));
  });

  it('by a rule there is none of are refused', async () => {
    const rows = [
      ['--multi jion', '"jion" is not a rule for several values'],
      ['--multi rows=a,', 'is not a rule for several values'],
      ['--split 0', 'for --split; must be an integer of at least 1'],
      ['--split 5', '--resume and --split require a file'],
      ['-f card', 'invalid value "card" for --format'],
      ['--multi rows=maker_nam', 'column "maker_nam" does not exist; did you mean "maker_name"?'],
      ['--multi rows=maker_name,production_rol', 'did you mean "production_role"?'],
      ['--multi rows=maker_name --columns id', 'cannot write one row per value of "maker_name"'],
      ['--excel -f ndjson', 'excel'],
    ] as const;
    for (const [line, message] of rows) {
      const { code, stderr } = await opac(words(`objects export --mock ${line}`));
      expect({ line, code, stderr }).toEqual({ line, code: 2, stderr: expect.stringContaining(message) });
    }
  });
});

describe('for spreadsheets', () => {
  const values = ['=1+1', '0012', '08-27', 'ā 🖼', '-5', 'plain'];
  const held = values.map((value, n) => ({
    opacObjectId: String(n + 1),
    opacObjectFieldSets: [{ identifier: 'note', opacObjectFields: [{ value }] }],
  }));

  it('--excel marks, guards and keeps, reversibly; without it a line says what would happen', async () => {
    const data = await setUpExport();
    await writeFile(data.path('data.ndjson'), held.map((record) => JSON.stringify(record)).join('\n'));
    const setup = await setUpExport({ data: [data.path('data.ndjson')] });
    const line = 'objects export --columns id,note';
    const plain = await setup.run(line);
    expect(plain.stderr).toBe(
      '1 cell starts with =, +, -, @ or a tab, which spreadsheets may run as formulas; to prevent this, use --excel\n',
    );
    expect((await rowsOf(plain.stdout)).slice(1).map(([, note]) => note)).toEqual(values);
    const { stdout, stderr } = await setup.run(`${line} --excel`);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\ufeffid,note\r\n/);
    expect(stdout).toContain("'=1+1\r\n");
    expect(stdout).toContain('"=""0012"""\r\n');
    expect((await rowsOf(stdout, true)).slice(1).map(([, note]) => note)).toEqual(values);
  });
});
