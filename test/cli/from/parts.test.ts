/** Parts of an export that are exported separately and joined with --from. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { createFolder } from '../../e2e/opac.js';
import { type SmallRecord, startSmallService } from '../../export/collect/source/small-service.js';
import { opac } from '../run-in-process.js';

/** Creates a folder for the parts, and returns functions that export and join parts in it. */
async function setUp(of: number, { url, options = [] }: { url?: string; options?: readonly string[] } = {}) {
  const folder = await createFolder();
  const museum = url === undefined ? await startMuseum() : undefined;
  if (museum) onTestFinished(() => museum.close());
  const at = (name: string) => join(folder, name);
  const service = ['--base-url', url ?? museum?.url ?? '', '--page-size', '20', ...options];
  const exportTo = async (name: string, ...words: string[]) =>
    expect(await opac(['objects', 'export', ...service, '-o', at(name), ...words])).toMatchObject({
      code: 0,
    });
  return {
    at,
    exportTo,
    exportPart: (number: number, name = `part-${number}.ndjson`) =>
      exportTo(name, '--part', `${number}/${of}`),
    joinTo: (name: string, ...from: string[]) =>
      opac(['objects', 'export', ...from.flatMap((each) => ['--from', at(each)]), '-o', at(name)]),
    readText: (name: string) => readFile(at(name), 'utf8'),
  };
}

const listNumbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('--from with all parts of an export', () => {
  it.each([
    ['ndjson', 4, []],
    ['csv', 3, ['--window', '60']],
    ['parquet', 1, []],
    ['ids', 2, []],
  ] as const)(
    'joins the parts, in any order, to the same %s as a single export',
    async (format, of, options) => {
      const { at, exportTo, exportPart, joinTo } = await setUp(of, { options });
      await exportTo(`whole.${format}`);
      for (const number of listNumbers(of)) await exportPart(number);
      const files = listNumbers(of).map((number) => `part-${number}.ndjson`);
      const singleExport = await readFile(at(`whole.${format}`));
      for (const from of [files.toReversed(), ['part-*.ndjson']]) {
        expect(await joinTo(`all.${format}`, ...from)).toMatchObject({ code: 0 });
        expect((await readFile(at(`all.${format}`))).equals(singleExport)).toBe(true);
        expect(await opac(['verify', at(`all.${format}`)])).toMatchObject({ code: 0 });
      }
    },
  );

  it('searches the parts like one file, also if they were compressed after the export', async () => {
    const { at, exportPart, readText } = await setUp(2);
    for (const number of listNumbers(2)) {
      await exportPart(number);
      await writeFile(at(`part-${number}.ndjson.gz`), gzipSync(await readText(`part-${number}.ndjson`)));
    }
    const count = (pattern: string) => opac(['objects', 'count', '--from', at(pattern)]);
    expect((await count('part-*.ndjson')).stdout).toBe('163\n');
    expect((await count('part-?.ndjson.gz')).stdout).toBe('163\n');
    expect(await count('none-*')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no file matches'),
    });
  });

  it('exits with 2 if a manifest has an extremely large number of parts', async () => {
    const { at, exportPart, readText } = await setUp(2);
    await exportPart(1);
    const manifest = await readText('part-1.ndjson.manifest.json');
    await writeFile(at('part-1.ndjson.manifest.json'), manifest.replace('"1/2"', '"1/30000000"'));
    expect(await opac(['objects', 'list', '--from', at('part-1.ndjson')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is damaged: its part is "1/30000000"'),
    });
  });

  it('joins empty parts', async () => {
    const { exportPart, joinTo, readText } = await setUp(3, { options: ['--where', 'title=fern'] });
    for (const number of listNumbers(3)) await exportPart(number);
    expect(await readText('part-1.ndjson')).toBe('');
    expect(await joinTo('all.ndjson', 'part-*.ndjson')).toMatchObject({ code: 0 });
    expect(await readText('all.ndjson')).toBe(await readText('part-3.ndjson'));
  });
});

describe('--from with files that are not all parts of one export', () => {
  it('prints the reason, and writes no file', async () => {
    const { at, exportTo, exportPart, joinTo, readText } = await setUp(3);
    for (const number of listNumbers(3)) await exportPart(number);
    await exportTo('whole.ndjson');
    await exportTo('query.ndjson', '--part', '3/3', '--where', 'maker_name=*');
    await exportTo('window.ndjson', '--part', '3/3', '--window', '60');
    await exportTo('fourth.ndjson', '--part', '4/4');
    await exportPart(2, 'again.ndjson');
    const writeForgedPart = async (name: string, from: string | RegExp, to: string, text?: string) => {
      await writeFile(at(name), text ?? (await readText('part-3.ndjson')));
      const manifest = await readText('part-3.ndjson.manifest.json');
      await writeFile(at(`${name}.manifest.json`), manifest.replace(from, to));
    };
    await writeForgedPart('changed.ndjson', '', '', `${await readText('part-3.ndjson')} `);
    await writeForgedPart('version.ndjson', /"tool": ".*"/, '"tool": "opac 9.9.9"');
    await writeForgedPart('total.ndjson', '"total": 163,\n    "window"', '"total": 164,\n    "window"');
    await writeForgedPart(
      'incomplete.ndjson',
      /"complete": true,\s*"reasons": \[\]/,
      '"complete": false, "reasons": ["a gap", "a doubt"]',
    );
    const [one, two, three] = ['part-1.ndjson', 'part-2.ndjson', 'part-3.ndjson'];
    const rows: [string[], number, RegExp][] = [
      [[one, two], 2, /part 3\/3 is missing; export each missing part .* --part 3\/3/],
      [[three], 2, /parts 1\/3, 2\/3 are missing/],
      [
        [one, two, three, 'again.ndjson'],
        2,
        /part 2\/3 was given more than once: ".*part-2.ndjson" and ".*again.ndjson"/,
      ],
      [
        [one, two, 'whole.ndjson'],
        2,
        /part-1.ndjson" is part 1\/3 of an export, but ".*whole.ndjson" is not a part/,
      ],
      [[one, two, 'query.ndjson'], 2, /the query of the first is .*, of the second .*maker_name/],
      [[one, two, 'window.ndjson'], 2, /the window of the first is null, of the second 60/],
      [[one, two, 'fourth.ndjson'], 2, /the number of parts of the first is 3, of the second 4/],
      [[one, two, 'version.ndjson'], 2, /the version of the first is "opac .*", of the second "opac 9.9.9"/],
      [[one, two, 'total.ndjson'], 2, /the total of the first is 163, of the second 164/],
      [[one, two, 'changed.ndjson'], 6, /"changed.ndjson" has [\d,]+ bytes; the manifest says [\d,]+/],
      [[one, two, 'incomplete.ndjson'], 6, /incomplete.ndjson" is incomplete: a gap; a doubt/],
    ];
    for (const [set, code, message] of rows) {
      const { stderr, ...result } = await joinTo('all.csv', ...set);
      expect([result.code, stderr]).toEqual([code, expect.stringMatching(message)]);
      await expect(readFile(at('all.csv'))).rejects.toThrow('ENOENT');
    }
    for (const number of listNumbers(3)) {
      const name = `part-${number}.ndjson.manifest.json`;
      const manifest = await readText(name);
      await writeFile(
        at(name),
        manifest.replace('"total": 163,\n    "window"', '"total": 170,\n    "window"'),
      );
    }
    expect(await joinTo('all.csv', 'part-*.ndjson')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('7 of 170 records are not in any part'),
    });
    await rm(at('part-3.ndjson.manifest.json'));
    expect((await joinTo('all.csv', 'part-*.ndjson')).stderr).toMatch(/part-3.ndjson" is not a part/);
  });

  const added: SmallRecord = { id: ['9'] };
  it.each<[string, (records: SmallRecord[]) => unknown, number, RegExp]>([
    ['gained one', (all) => all.push(added), 2, /the total of the first is 300, of the second 301/],
    ['has another order', (all) => all.reverse(), 6, /does not start where the previous part ends/],
    [
      'gained as many as it lost',
      (all) => all.push(added) && all.shift(),
      6,
      /last.ndjson" does not start where the previous part ends/,
    ],
  ])(
    'exits with an error if the service %s before the last part',
    async (_, changeRecords, code, message) => {
      const records = listNumbers(300).map((n): SmallRecord => ({ id: [String(1000 + n)] }));
      const service = await startSmallService({ records, window: 1000 });
      onTestFinished(() => service.close());
      const { exportPart, joinTo } = await setUp(3, { url: service.url });
      await exportPart(1);
      await exportPart(2);
      changeRecords(records);
      await exportPart(3, 'last.ndjson');
      const joined = await joinTo('all.ids', 'part-1.ndjson', 'part-2.ndjson', 'last.ndjson');
      expect([joined.code, joined.stderr]).toEqual([code, expect.stringMatching(message)]);
    },
  );
});
