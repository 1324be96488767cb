/** `--from`: commands read exported files instead of a deployment. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { createRandomSearches } from './random-searches.js';
import { opac } from './run-in-process.js';

let folder: string;
let objects: string;
let persons: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-from-'));
  [objects, persons] = [at('objects.ndjson.gz'), at('persons.json')];
  const exported = [
    await opac(['objects', 'export', '--mock', '-o', objects]),
    await opac(['persons', 'export', '--mock', '-o', persons]),
  ];
  expect(exported.map(({ code }) => code)).toEqual([0, 0]);
});
afterAll(() => rm(folder, { recursive: true }));

async function createFile(name: string, content: string | Buffer): Promise<string> {
  await writeFile(at(name), content);
  return at(name);
}

async function readLines(noun: string, path: string): Promise<string[]> {
  const { stdout } = await opac([noun, 'export', '--from', path, '-f', 'ndjson']);
  return stdout.trim().split('\n');
}

describe('--from', () => {
  it('refuses a record of more than 64 MB', async () => {
    const start =
      '{"opacObjectId":"1","opacObjectFieldSets":[{"identifier":"name","opacObjectFields":[{"value":"';
    const long = await createFile('long.ndjson', `${start}${'a'.repeat(80 * 1024 * 1024)}"}]}]}\n{}\n`);
    for (const words of [['list'], ['count'], ['export', '-o', at('long.csv')]])
      expect(await opac(['objects', ...words, '--from', long])).toMatchObject({
        code: 2,
        stderr: `opac: invalid record in "${long}", line 1: it is larger than 64 MB; use a file that opac exported as NDJSON or JSON\n`,
      });
  });

  it('refuses a report, and suggests the export', async () => {
    const page = await createFile('page.html', '<!doctype html><title>x</title>');
    const words = [
      ['objects', 'list', '--from', page],
      ['diff', page, page],
    ];
    for (const line of words)
      expect(await opac(line)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a report does not contain records; use the export'),
      });
  });

  it('does not download an image whose URL has no host', async () => {
    const image = { imageId: '1', imageDerivatives: [{ identifier: 'LARGE', url: '/i/1.png' }] };
    const record = { opacObjectId: '1', imagesCollection: { images: [image] } };
    const path = await createFile('picture.ndjson', `${JSON.stringify(record)}\n`);
    const { code, stderr } = await opac(['images', 'download', at('pictures'), '--from', path, '--verbose']);
    expect(code).toBe(6);
    expect(stderr).toContain(
      '"/i/1.png" has no host, and the file has no manifest that names its deployment',
    );
    expect(stderr).not.toMatch(/export\.invalid|retrying/);
  });

  it('accepts a quoted pattern, and ignores the other files next to exports', async () => {
    const counts = await opac(['records', 'count', '--from', at('*s.*'), '-f', 'json']);
    const expected = await opac(['records', 'count', '--from', objects, '--from', persons, '-f', 'json']);
    expect(counts).toEqual(expected);
    expect(counts.code).toBe(0);
    expect(await opac(['objects', 'count', '--from', at('none-*.ndjson')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no file matches'),
    });
  });

  it('refuses the names that the shell creates from a pattern', async () => {
    for (const words of [
      ['objects', 'list', '--from', objects, persons],
      ['objects', 'list', '--from', objects, persons, 'fern'],
      ['objects', 'list', `--from=${objects}`, persons],
      ['objects', 'list', '--from', objects, '--from', objects, persons],
    ])
      expect(await opac(words)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining("quote a pattern (--from '*.ndjson')"),
      });
  });

  it('accepts file names as arguments of diff and verify', async () => {
    expect(await opac(['objects', 'diff', '--from', objects, objects, '-f', 'ids'])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect((await opac(['verify', '--from', objects, persons])).code).toBe(0);
  });
});

describe('exported files in place of a deployment', () => {
  it('produce the same bytes as a museum that serves them', async () => {
    const museum = await startMuseum({ data: [objects, persons] });
    try {
      const searches = [
        ...createRandomSearches(await readLines('objects', objects), 'objects', 12),
        ...createRandomSearches(await readLines('persons', persons), 'persons', 4),
        ['records', 'list', '--all', '-f', 'json'],
        ['records', 'export', '-f', 'csv'],
        ['relationships', 'list', 'objects', '-f', 'json'],
        ['imagelabels', 'list', '--object', '20022', '-f', 'json'],
        ['collections', 'list', '-f', 'csv'],
      ];
      let found = 0;
      for (const words of searches) {
        const served = await opac([...words, '--base-url', museum.url]);
        const read = await opac([...words, '--from', objects, '--from', persons]);
        expect({ code: read.code, stdout: read.stdout }, words.join(' ')).toEqual({
          code: served.code,
          stdout: served.stdout,
        });
        if (read.code === 0 && read.stdout.split('\n').length > 2) found++;
      }
      expect(found).toBeGreaterThan(searches.length / 3);
    } finally {
      await museum.close();
    }
  }, 30_000);

  it('are accepted before and after the command, as several files or a mirror', async () => {
    const mirror = at('mirror');
    await mkdir(mirror);
    await opac(['objects', 'export', '--mock', '-o', join(mirror, 'objects.ndjson.gz')]);
    await opac(['persons', 'export', '--mock', '-o', join(mirror, 'persons.ndjson')]);
    const expected = await opac(['persons', 'list', 'leopold', '-f', 'ids', '--mock']);
    expect(expected.stdout).toMatch(/\d/);
    for (const words of [
      ['persons', 'list', '--from', objects, '--from', persons, 'leopold', '-f', 'ids'],
      ['--from', objects, '--from', persons, 'persons', 'list', 'leopold', '-f', 'ids'],
      ['persons', 'list', `--from=${objects}`, `--from=${persons}`, 'leopold', '-f', 'ids'],
      ['persons', '--from', mirror, 'list', 'leopold', '-f', 'ids'],
    ])
      expect((await opac(words)).stdout, words.join(' ')).toBe(expected.stdout);
  });

  it('are read from the folder of opac sync', async () => {
    const mirror = at('kept');
    const sync = () => opac(['sync', mirror, '--mock', '--kinds', 'objects,persons']);
    expect(await sync()).toMatchObject({ code: 0 });
    expect(await sync()).toMatchObject({ code: 0 });
    for (const words of [
      ['objects', 'list', 'fern', '-f', 'ndjson'],
      ['persons', 'list', '--all', '-f', 'csv'],
      ['facets', 'list', 'objects', '-f', 'json'],
      ['objects', 'get', '20022', '-f', 'json'],
    ]) {
      const read = await opac([...words, '--from', mirror]);
      expect(read, words.join(' ')).toEqual(await opac([...words, '--from', objects, '--from', persons]));
      expect(read).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
    }
    expect(await opac(['objects', 'diff', mirror, '--mock', '-f', 'ids'])).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  it('are exported to NDJSON and CSV, with a complete manifest', async () => {
    const [csv, again] = [at('again.csv'), at('again.ndjson')];
    const served = await opac(['objects', 'export', '--mock', '-f', 'ndjson']);
    const path = await createFile('served.ndjson', served.stdout);
    await opac(['objects', 'export', '--from', path, '--limit', '5', '-o', again]);
    expect(await readFile(again, 'utf8')).toBe(served.stdout.split('\n').slice(0, 5).join('\n').concat('\n'));
    await opac(['objects', 'export', '--from', path, '--columns', 'id,name,inscription', '-o', csv]);
    const direct = await opac([
      'objects',
      'list',
      '--from',
      path,
      '--all',
      '--columns',
      'id,name,inscription',
      '-f',
      'csv',
    ]);
    expect(await readFile(csv, 'utf8')).toBe(direct.stdout);
    const manifest = JSON.parse(await readFile(`${csv}.manifest.json`, 'utf8'));
    expect(manifest).toMatchObject({ complete: true, records: 163, totals: { first: 163, last: 163 } });
  });

  it('keep the deployment of their manifest, and can verify their exports', async () => {
    const museum = await startMuseum();
    const url = museum.url;
    await opac(['objects', 'export', '--base-url', url, '-o', at('of-museum.ndjson')]);
    await museum.close();
    await opac(['objects', 'export', '--from', at('of-museum.ndjson'), '-o', at('of-museum.csv')]);
    expect(JSON.parse(await readFile(at('of-museum.csv.manifest.json'), 'utf8')).job.deployment).toBe(url);
    const verified = await opac([
      'verify',
      at('of-museum.csv'),
      '--online',
      '--from',
      at('of-museum.ndjson'),
    ]);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('complete; 163 records') });
  });

  it('cannot verify a manifest with an invalid kind', async () => {
    const path = `${at('of-museum.csv')}.manifest.json`;
    const manifest = await readFile(path, 'utf8');
    await writeFile(path, manifest.replace('"kind": "objects"', '"kind": "obejcts"'));
    const verified = await opac([
      'verify',
      at('of-museum.csv'),
      '--online',
      '--from',
      at('of-museum.ndjson'),
    ]);
    await writeFile(path, manifest);
    expect(verified).toMatchObject({
      code: 2,
      stderr: 'opac: invalid kind "obejcts"; did you mean "objects"?\n',
    });
  });

  it('are only listed with --dry-run', async () => {
    const { code, stdout } = await opac(['objects', 'list', '--from', objects, '--dry-run']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `# reads ${objects} and sends nothing\n` });
  });
});

describe('an unsuitable file', () => {
  const OBJECT = '{"opacObjectId":"1"}';
  const PERSON = '{"opacPersonId":"1"}';

  it.each([
    ['a table', 'id,title\n1,Vase\n', 'invalid record in "FILE", line 1'],
    ['flat records', '{"id":"1","kind":"objects"}\n', 'invalid record in "FILE", line 1'],
    ['text', `${OBJECT}\nnothing\n`, 'invalid record in "FILE", line 2'],
    ['a cut-off line', `${OBJECT}\n${OBJECT.slice(0, -3)}\n${OBJECT}`, 'invalid record in "FILE", line 2'],
    ['a cut-off end', `${OBJECT}\n{"opacObjectId":"2","a":{`, '"FILE" is incomplete: it ends in line 2'],
    ['a cut-off array', `[${OBJECT},\n`, '"FILE" is incomplete: it ends in line 2'],
    [
      'an id twice',
      `${OBJECT}\n{"opacObjectId":2}\n\n{"opacObjectId":1}`,
      'duplicate record: object 1 in "FILE", line 4',
    ],
    ['several kinds', `${OBJECT}\n${PERSON}\n`, 'person in "FILE", line 2, object in "FILE", line 1'],
    ['nothing', '\n', '"FILE" contains no records'],
    ['an empty array', '[]', '"FILE" contains no records'],
    ['another kind', PERSON, '"FILE" contains no objects'],
    [
      'half a gzip',
      gzipSync(`${OBJECT}\n`.repeat(99)).subarray(0, 30),
      'cannot read "FILE": the compressed file is incomplete',
    ],
    ['no JSON at all', '{"opacObjectId":"1", nothing}', 'invalid record in "FILE", line 1'],
    [
      'invalid JSON in a record without the word',
      `{"opacObjectId":"1","objectFieldSets":[{"identifier":"name","objectFields":[{"value":"word"}]}]}\n{"opacObjectId":"2", nothing}\n`,
      'invalid record in "FILE", line 2',
    ],
  ])('is refused with its path: %s', async (name, content, message) => {
    const path = await createFile(`${name}.ndjson`, content);
    for (const verb of [['list'], ['list', 'word'], ['count'], ['export']]) {
      const { code, stdout, stderr } = await opac(['objects', ...verb, '--from', path]);
      expect({ code, stdout }, verb.join()).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message.replaceAll('FILE', path));
    }
  });

  it('is refused with a hint to .ndjson if it is a table', async () => {
    const path = await createFile('all.csv', 'id,title\n1,Vase\n');
    expect(await opac(['objects', 'list', '--from', path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('export them as .ndjson'),
    });
  });

  it('ends an export with exit code 2 and the line of a duplicate record', async () => {
    const lines = Array.from(
      { length: 2000 },
      (_, n) => `{"opacObjectId":"${n}","slug":"${'-'.repeat(999)}"}`,
    );
    const path = await createFile('late.ndjson', [...lines, '{"opacObjectId":"7"}'].join('\n'));
    const { code, stderr } = await opac(['objects', 'export', '--from', path, '-o', at('late.csv')]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('line 2001') });
  });

  it.each([
    [['views', 'list', 'objects'], 'files of records do not contain views'],
    [['authorities', 'list', 'persons', 'gender'], 'files of records do not contain authority terms'],
    [['comments', 'list'], 'files of records do not contain comments'],
    [['highlights', 'get', '1'], 'files of records do not contain highlights'],
    [['objects', 'list', '--highlight', '1'], 'do not contain the records of highlights'],
    [['status'], '--from cannot be used with "status"'],
    [['api', '/opacobjects'], '--from cannot be used with "api"'],
    [['objects', 'list', '--mock'], '--from cannot be used with --mock'],
    [['venues', 'count'], 'contains no venues'],
  ])('is refused for commands and options that it does not support: %s', async (words, message) => {
    const { code, stdout, stderr } = await opac([...words, '--from', objects]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('is refused if it is missing, or a folder that is not a mirror', async () => {
    const missing = await opac(['objects', 'list', '--from', at('none.ndjson')]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('file not found') });
    await mkdir(at('folder'));
    await createFile('folder/objects.ndjson', OBJECT);
    const other = await opac(['objects', 'list', '--from', at('folder')]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a mirror') });
  });
});
