/** The differences that a comparison finds, and the noise that it ignores. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';
import { findDifferences } from './compare.js';
import { writePlantedExports } from './planted.js';

let folder: string;
let [older, newer] = ['', ''];
let expected: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-diff-'));
  [older, newer] = [join(folder, 'older.ndjson'), join(folder, 'newer.ndjson')];
  expected = await writePlantedExports(
    { records: 130, each: 5 },
    createWriteStream(older),
    createWriteStream(newer),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const recordsIn = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n');

describe('a comparison', () => {
  it('finds every planted edit and nothing else', async () => {
    expect(await findDifferences(older, newer)).toEqual(expected);
    expect(expected.length).toBe(16 * 5);
  });

  it('finds no difference if only the order of the records differs', async () => {
    const shuffled = (await recordsIn(older))
      .map((line, n) => ({ line, n: (n * 7) % 131 }))
      .sort((a, b) => a.n - b.n);
    const path = await file('shuffled.ndjson', shuffled.map(({ line }) => line).join('\n'));
    expect(await findDifferences(older, path)).toEqual([]);
  });

  it('reads NDJSON, arrays, list responses, JSON values on several lines, BOMs and gzip', async () => {
    const lines = await recordsIn(newer);
    const all = lines.map((line) => JSON.parse(line));
    const forms = {
      'array.json': `[${lines.join(',')}]`,
      'pretty.json': JSON.stringify(all, null, 2),
      'response.json': JSON.stringify({ opacObjects: all, totalObjects: all.length }),
      'jq.json': all.map((record) => JSON.stringify(record, null, 2)).join('\n'),
      'marked.ndjson': `\ufeff${lines.join('\r\n')}\r\n`,
      'named-wrongly.txt': gzipSync(lines.join('\n')),
    };
    for (const [name, content] of Object.entries(forms))
      expect([name, await findDifferences(older, await file(name, content))]).toEqual([name, expected]);
  });

  it.each([
    ['scores', 'score changed'],
    ['urls', 'url changed'],
  ] as const)('finds changes of %s with the option "include"', async (noise, found) => {
    const more = await findDifferences(older, newer, { include: new Set([noise]) });
    expect(more.filter((line) => line.includes(found)).length).toBeGreaterThanOrEqual(5);
  });
});

describe('a comparison of tables', () => {
  let csv: string;

  beforeAll(async () => {
    csv = join(folder, 'museum.csv');
    for (const name of ['museum.csv', 'museum.tsv', 'museum.ndjson', 'excel.csv'])
      await opac([
        'objects',
        'export',
        '--mock',
        '-o',
        join(folder, name),
        ...(name.startsWith('excel') ? ['--excel'] : []),
      ]);
  });

  it.each(['museum.csv', 'museum.tsv', 'museum.ndjson', 'excel.csv'])(
    'finds no difference between CSV and %s',
    async (name) => {
      expect(await findDifferences(csv, join(folder, name))).toEqual([]);
      expect(await findDifferences(join(folder, name), csv)).toEqual([]);
    },
  );

  it('finds changes by column, and detects that the values of a list moved', async () => {
    const text = await readFile(csv, 'utf8');
    const edited = await file(
      'edited.csv',
      text
        .replace('Sarah Featon|Georgina Hetley', 'Georgina Hetley|Sarah Featon')
        .replace('Watercolour on paper', 'Oil'),
    );
    expect(await findDifferences(csv, edited)).toEqual([
      '20022 maker_name moved',
      '20022 medium_desc changed',
    ]);
    expect(await findDifferences(join(folder, 'museum.ndjson'), edited)).toHaveLength(2);
  });
});

describe('opac diff', () => {
  const one = '{"opacObjectId":1}\n';
  it.each([
    ['no-record.ndjson', '<html>\n', /invalid record in ".*", line 1/],
    ['wrong.ndjson', `${one}{"opacObjectId":2,}\n{"opacObjectId":3}\n`, /line 2: its JSON is invalid/],
    ['cut.ndjson', `${one}{"opacObjectId":2,"slug":"a`, /is incomplete: it ends in line 2/],
    ['cut.json', '[\n{"opacObjectId":1},\n', /is incomplete/],
    ['cut.ndjson.gz', gzipSync(one.repeat(100)).subarray(0, 30), /is incomplete or damaged/],
    ['cut.csv', 'id,name\n1,"half', /is incomplete: it ends in line 2/],
    ['no-id.csv', 'name,maker\na,b\n', /does not contain the column "id"/],
    [
      'twice.ndjson',
      `${one}{"opacObjectId":"2"}\n{"opacObjectId":"1"}\n`,
      /duplicate object 1 in ".*" \(line 3\)/,
    ],
    [
      'mixed.ndjson',
      `${one}{"opacPersonId":"2"}\n`,
      /contains records of another kind: line 2 is a person, not an object/,
    ],
    ['persons.ndjson', '{"opacPersonId":"2"}\n', /contains persons/],
    ['latin.ndjson', Buffer.from('{"opacObjectId":1,"slug":"\xe9"}\n', 'latin1'), /it is not UTF-8/],
  ])('refuses %s, and prints the reason', async (name, content, message) => {
    const path = await file(name, content);
    const valid = await file('whole.ndjson', one);
    for (const files of [
      [valid, path],
      [path, valid],
    ]) {
      const { code, stderr, stdout } = await opac(['diff', ...files, '-f', 'json']);
      expect(stderr).toMatch(message);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    }
  });

  it('refuses a missing file, a folder, and exports of two deployments', async () => {
    const [one, other] = [join(folder, 'here.ndjson'), join(folder, 'there.ndjson')];
    await opac(['objects', 'export', '--mock', '-o', one]);
    await opac(['objects', 'export', '--mock', '-o', other]);
    const manifest = `${other}.manifest.json`;
    await writeFile(
      manifest,
      (await readFile(manifest, 'utf8')).replace('the built-in museum', 'https://other.example.org'),
    );
    expect((await opac(['diff', one, 'nowhere.ndjson'])).stderr).toContain(
      'file not found: "nowhere.ndjson"',
    );
    expect((await opac(['diff', one, folder])).code).toBe(2);
    const { code, stderr } = await opac(['diff', one, other]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--any-deployment') });
    expect((await opac(['diff', one, other, '--any-deployment'])).code).toBe(0);
  });
});
