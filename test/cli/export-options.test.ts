/** Options of export, and their effect on files, manifest, exit code and messages. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/records/files/read-table.js';

import { filterIds, readMuseumRecords } from '../e2e/museum-records.js';
import { splitCommandLine } from '../e2e/opac.js';
import { collectOutcomes, splitLines } from '../e2e/run-against-museum.js';
import { opac, setUpExport } from './run-in-folder.js';

async function readRows(text: string, excel = false): Promise<string[][]> {
  const rows: string[][] = [];
  async function* pieces() {
    yield text;
  }
  for await (const row of readTable(pieces(), { format: 'csv', excel })) rows.push([...row]);
  return rows;
}

describe('the output of export', () => {
  it('goes to standard output without -o and with -o -', async () => {
    const setup = await setUpExport();
    const rows = [
      ['objects export -f ids'],
      ['objects export -f ids -o -'],
      ['objects export -o out.ids'],
    ] as const;
    const outputs = await collectOutcomes(rows, async ([line]) => (await setup.run(line)).stdout);
    const ids = (await setup.text('out.ids')).trimEnd();
    expect(Object.values(outputs)).toEqual([`${ids}\n`, `${ids}\n`, '']);
    const [csv, json] = await Promise.all([
      setup.run('objects export'),
      setup.run('objects export -f json -o -'),
    ]);
    await setup.run('objects export -o out.csv');
    expect(csv.stdout.replaceAll(setup.museum.url, 'http://museum')).toBe(await setup.text('out.csv'));
    expect(JSON.parse(json.stdout)).toHaveLength(splitLines(ids).length);
  });

  it('is compressed if its name ends in .gz, also with --split', async () => {
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
      [1, 2, 3].map(async (n) => splitLines(await setup.text(`some-00${n}.ndjson.gz`)).length),
    );
    expect(counts).toEqual([100, 100, 50]);
    expect((await setup.manifest('some.ndjson.gz')).files.map(({ records }) => records)).toEqual([
      100, 100, 50,
    ]);
  });
});

describe('the records of an export', () => {
  it('are the first records of the museum with --limit', async () => {
    const ids = filterIds(await readMuseumRecords(), ({ kind }) => kind === 'objects');
    const setup = await setUpExport();
    const { stdout } = await setup.run('objects export -f ids --limit 30 --page-size 8');
    expect(splitLines(stdout)).toEqual(ids.slice(0, 30));
    await setup.run('objects export -o some.ids --limit 30 --page-size 8');
    expect(splitLines(await setup.text('some.ids'))).toEqual(ids.slice(0, 30));
    expect(await setup.manifest('some.ids')).toMatchObject({ complete: true, records: 30 });
  });

  it('are a valid empty document and a message if no record matches', async () => {
    const setup = await setUpExport();
    const rows = [
      ['csv', 'id,title,recordType,slug,collection,label,image.count,image.url\n'],
      ['tsv', 'id\ttitle\trecordType\tslug\tcollection\tlabel\timage.count\timage.url\n'],
      ['json', '[]\n'],
      ['ndjson', ''],
      ['ids', ''],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([format]) => {
      const to = await setup.run(`objects export --where name=zzz -o none.${format}`);
      const out = await setup.run(`objects export --where name=zzz -f ${format}`);
      const text = await setup.text(`none.${format}`);
      return [to.code, out.code, out.stdout === text ? text : [out.stdout, text], out.stderr];
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([format, text]) => [format, [0, 0, text, 'no records match\n']])),
    );
  });

  it('do not replace a file if the search has an unknown field', async () => {
    const setup = await setUpExport();
    await writeFile(setup.path('out.csv'), 'good');
    const { code, stderr } = await setup.run('objects export --where makr_name=x -o out.csv');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('did you mean "maker_name"?'),
    });
    expect(await readFile(setup.path('out.csv'), 'utf8')).toBe('good');
  });

  it('keep the order of a list of thousands of ids, and missing ids are reported', async () => {
    const setup = await setUpExport({ records: 2000 });
    await setup.run('objects export -o all.ids');
    const all = splitLines(await setup.text('all.ids'));
    const wanted = all.filter((_, n) => n % 2 === 0).reverse();
    const unknownIds = Array.from({ length: 1500 }, (_, n) => `no-such-${n}`);
    const list = wanted
      .flatMap((id, n) => (unknownIds[n] ? [id, unknownIds[n]] : [id]))
      .concat(unknownIds.slice(1000));
    await writeFile(setup.path('list.txt'), `\ufeff${list.join('\r\n')}\r\n`);
    const line = 'objects export --external-id @list.txt -o some.ids';
    const { code, stderr } = await setup.run(line);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^warning: 1,500 entries of the list were not found: no-such-0, no-such-1, .* and 1,480 more\n1,000 records in /,
      ),
    });
    expect(splitLines(await setup.text('some.ids'))).toEqual(wanted);
    expect((await setup.manifest('some.ids')).notFound).toEqual(unknownIds);
    const longest = Math.max(...setup.museum.requests.map(({ query }) => String(query).length));
    expect(longest).toBeLessThan(4000);
    const strict = await setup.run(`${line} --strict`);
    expect(strict.code).toBe(6);
    expect(strict.stderr).toMatch(
      /^opac: the export is incomplete: 1,500 entries of the list were not found: .*; 1,000 records are in some\.incomplete\.ids; --resume would not find more records; run the export again, or run it without --strict\n$/,
    );
  });
});

describe('--external-id with the name of a file, without @', () => {
  it('is refused if the file exists, and is an id otherwise', async () => {
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
  it('are refused if one does not exist, before a file is written', async () => {
    const setup = await setUpExport();
    const { code, stderr } = await setup.run('objects export --columns id,titel -o out.csv');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'opac: column "titel" does not exist; did you mean "title"?\n',
    });
    expect(await setup.names()).toEqual([]);
  });

  it('are in the order of --columns', async () => {
    const setup = await setUpExport();
    const { stdout } = await setup.run('objects export --columns title,id,maker_name,image.count --limit 2');
    expect(splitLines(stdout)[0]).toBe('title,id,maker_name,image.count');
  });
});

describe('--multi', () => {
  const RECORD = {
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

  it('writes several values to one cell or to several rows', async () => {
    const data = await setUpExport();
    await writeFile(data.path('data.ndjson'), JSON.stringify(RECORD));
    const setup = await setUpExport({ data: [data.path('data.ndjson')] });
    const outcome = await collectOutcomes(ROWS, async ([rule]) => {
      const { code, stdout, stderr } = await setup.run(`objects export ${COLUMNS} ${rule}`);
      return code === 0 ? (await readRows(stdout)).slice(1) : stderr;
    });
    expect(outcome).toEqual(Object.fromEntries(ROWS));
  });

  it('is refused with an invalid rule; so are invalid --split, -f and --excel', async () => {
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
      const { code, stderr } = await opac(splitCommandLine(`objects export --mock ${line}`));
      expect({ line, code, stderr }).toEqual({ line, code: 2, stderr: expect.stringContaining(message) });
    }
  });
});

describe('--excel', () => {
  const values = ['=1+1', '0012', '08-27', 'ā 🖼', '-5', 'plain'];
  const records = values.map((value, n) => ({
    opacObjectId: String(n + 1),
    opacObjectFieldSets: [{ identifier: 'note', opacObjectFields: [{ value }] }],
  }));

  it('adds a BOM and escapes values reversibly; without it, a warning about formulas appears', async () => {
    const data = await setUpExport();
    await writeFile(data.path('data.ndjson'), records.map((record) => JSON.stringify(record)).join('\n'));
    const setup = await setUpExport({ data: [data.path('data.ndjson')] });
    const line = 'objects export --columns id,note';
    const plain = await setup.run(line);
    expect(plain.stderr).toBe(
      '1 cell starts with a character such as =, +, - or @, so that spreadsheets may run it as a formula; to prevent this, use --excel\n',
    );
    expect((await readRows(plain.stdout)).slice(1).map(([, note]) => note)).toEqual(values);
    const { stdout, stderr } = await setup.run(`${line} --excel`);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\ufeffid,note\r\n/);
    expect(stdout).toContain("'=1+1\r\n");
    expect(stdout).toContain('"=""0012"""\r\n');
    expect((await readRows(stdout, true)).slice(1).map(([, note]) => note)).toEqual(values);
  });
});
