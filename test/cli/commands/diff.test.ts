/** `opac diff` and `opac objects diff`: formats, options and exit codes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../../src/mock/index.js';
import { opac } from '../run-in-process.js';

let folder: string;
let [older, newer] = ['', ''];
let museum: Museum;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-diff-'));
  [older, newer] = [join(folder, 'older.ndjson'), join(folder, 'newer.ndjson')];
  await opac(['objects', 'export', '--mock', '-o', older]);
  const records = (await readFile(older, 'utf8')).trimEnd().split('\n');
  const changed = records.slice(1).map((line) => line.replaceAll('Unfinished study of a fern', HOSTILE));
  await writeFile(newer, `${[...changed, '{"opacObjectId":"7","slug":"new"}'].join('\n')}\n`);
  museum = await startMuseum({ data: [newer] });
});

afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

const HOSTILE = JSON.stringify(
  'Study\u001b[2J <script>alert(1)</script> <img src=x onerror=alert(1)> ` | "]]> fern',
).slice(1, -1);

const diff = (...more: string[]) => opac(['diff', older, newer, ...more]);

describe('opac diff', () => {
  it('writes one row per changed value as csv', async () => {
    const { stdout, stderr, code } = await diff('-f', 'csv', '--context', 'accession_no');
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('kind,id,title,record,field,change,old,new,accession_no');
    expect(lines.filter((line) => line.includes(',20022,'))).toEqual([
      expect.stringMatching(/^objects,20022,.*,changed,name,changed,Unfinished study of a fern,.*,00345$/s),
      expect.stringMatching(/,brief_desc,changed,/),
      expect.stringMatching(/,image\.700010\.caption,changed,/),
    ]);
    expect(lines).toContain('objects,7,new,added,,,,,');
    expect(stderr).toMatch(/^objects: 1 added, 1 removed, \d+ changed, \d+ unchanged\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['--limit', '100', 'limit: 100'],
    ['--part', '1/3', 'part: 1/3'],
  ])('warns about an export with %s %s', async (option, value, selection) => {
    const file = join(folder, `some${option}.ndjson`);
    await opac(['objects', 'export', '--mock', option, value, '-o', file]);
    const some = `"${file}" contains only selected records (${selection}); all other records are shown as`;
    const runs = [
      ['diff', older, file],
      ['diff', file, older, '--delta'],
      ['objects', 'diff', file, '--mock'],
    ];
    for (const words of runs) expect((await opac(words)).stderr).toContain(some);
    expect((await opac(['diff', file, file])).stderr).not.toContain('only selected records');
  });

  it('writes Markdown without control characters', async () => {
    const { stdout } = await diff('-f', 'md');
    expect(stdout).toContain('Study\\[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it.each([[], ['--reverse']])('accepts --from files without a manifest: %s', async (...more) => {
    const { code, stdout } = await opac(['objects', 'diff', older, '--from', newer, '-f', 'ndjson', ...more]);
    expect(code).toBe(0);
    expect(stdout).toContain(`"change":"${more.length > 0 ? 'removed' : 'added'}"`);
  });

  it('refuses records of --flat, which would differ in all fields', async () => {
    const flat = join(folder, 'flat.ndjson');
    await opac(['objects', 'export', '--mock', '--flat', '-q', '-o', flat]);
    expect(await opac(['diff', flat, older])).toEqual({
      code: 2,
      stdout: '',
      stderr: `opac: "${flat}" contains records of --flat, which opac diff cannot compare; export it again without --flat\n`,
    });
  });

  it('refuses a file without records', async () => {
    const file = join(folder, 'empty.ndjson');
    await writeFile(file, '');
    expect(await opac(['diff', older, file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`"${file}" contains no records`),
    });
  });

  it('writes one object per changed record as json and ndjson', async () => {
    const { stdout } = await diff('-f', 'json');
    expect(JSON.parse(stdout)).toContainEqual({
      kind: 'objects',
      id: '20011',
      title: 'Early wax model',
      accessionNumber: '1869.1.21',
      change: 'removed',
      changes: [],
    });
    const { stdout: lines } = await diff('-f', 'ndjson');
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(JSON.parse(stdout));
  });

  it('writes complete records with --delta', async () => {
    const { stdout } = await diff('--delta', '--show', 'added');
    expect(stdout).toBe('{"opacObjectId":"7","slug":"new"}\n');
    const { stdout: all } = await diff('--delta');
    const lines = new Set((await readFile(newer, 'utf8')).split('\n'));
    const loaded = all.trimEnd().split('\n');
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((line) => !lines.has(line))).toEqual([]);
  });

  it('compares only the fields and records that the options select', async () => {
    const fields = async (...more: string[]) => {
      const { stdout } = await diff('-f', 'ndjson', '--show', 'changed', ...more);
      const found = stdout
        .trimEnd()
        .split('\n')
        .flatMap((line) => (line === '' ? [] : JSON.parse(line).changes));
      return [...new Set(found.map(({ field }: { field: string }) => field))];
    };
    expect(await fields('--fields', 'name')).toEqual(['name']);
    expect(await fields('--ignore', 'name,brief_desc', '--ignore', 'image')).toEqual([]);
    expect(await fields('--where', 'accession_no=1869.1.21', '--fields', 'name')).toEqual([]);
    expect(await fields('--where', 'accession_no=00345', '--fields', 'name')).toEqual(['name']);
    expect((await diff('--collection', '99', '-f', 'ids')).stdout).toBe('');
  });

  it('exits with 9 with --exit-code if records differ', async () => {
    expect(await diff('--exit-code', '-f', 'ids')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('records differ'),
    });
    expect(await opac(['diff', older, older, '--exit-code'])).toMatchObject({
      code: 0,
      stderr: 'no records differ\n',
    });
  });

  it('writes xlsx or HTML by the file extension', async () => {
    const files = ['changes.xlsx', 'changes.html'].map((name) => join(folder, name));
    for (const file of files) expect((await diff('-o', file)).code).toBe(0);
    const [xlsx, html = ''] = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    expect(xlsx?.slice(0, 2)).toBe('PK');
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script|<img|<[^>]*\son\w+=/);
  });

  it('writes HTML to standard output with -f html', async () => {
    expect((await diff('-f', 'html')).stdout).toMatch(/^<!DOCTYPE html>/);
  });

  it('shows cards and a summary on a terminal, without escape sequences of values', async () => {
    const { stdout } = await opac(['diff', older, newer], { columns: 60, environment: { NO_COLOR: '1' } });
    expect(stdout).toContain('- Early wax model');
    expect(stdout).toContain('[-Unfinished study of a-] {+Study');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/objects: 1 added, 1 removed, \d+ changed/);
    expect(stdout.split('\n').every((line) => line.length <= 60)).toBe(true);
  });

  it.each([
    ['a missing file', 'missing.ndjson', 2],
    ['a damaged file', 'damaged.ndjson', 2],
  ])('exits with 2, not with 9, for %s with --exit-code', async (_, name, code) => {
    await writeFile(join(folder, 'damaged.ndjson'), '{"opacObjectId":"1"}\n{"opacObj');
    const words = ['diff', older, join(folder, name), '--exit-code', '-o', join(folder, 'unmade.csv')];
    const result = await opac(words);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(name) });
    await expect(readFile(join(folder, 'unmade.csv'))).rejects.toThrow('ENOENT');
  });

  it('accepts the folder of a mirror', async () => {
    const mirror = join(folder, 'mirror');
    await opac(['sync', mirror, '--mock', '--kinds', 'objects']);
    expect(await opac(['diff', older, mirror, '-f', 'ids'])).toMatchObject({ code: 0, stdout: '' });
    expect(await opac(['persons', 'diff', mirror, '--mock'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('contains no snapshot of persons'),
    });
  });

  it.each([
    [['--fields', ''], '--fields contains an empty name'],
    [['--noise', 'score'], 'invalid value "score" for --noise; did you mean "scores"?'],
    [['--delta', '-f', 'csv'], '--delta is always ndjson'],
    [['--columns', 'id'], '--columns has no effect in this command'],
    [['-f', 'parquet'], 'invalid value "parquet" for --format'],
    [['--context', 'a,,b'], '--context contains an empty name'],
  ])('refuses %j', async (words, message) => {
    expect(await diff(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('opac objects diff', () => {
  it('requests removed records with --ask, and reports them as withdrawn', async () => {
    const other = await opac(['objects', 'diff', older, '--base-url', museum.url, '--ask', '-f', 'ndjson']);
    expect(other).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringContaining('come from different deployments'),
    });
    const words = [
      'objects',
      'diff',
      join(folder, 'unmarked.ndjson'),
      '--base-url',
      museum.url,
      '-f',
      'ndjson',
      '--show',
      'removed',
    ];
    await writeFile(join(folder, 'unmarked.ndjson'), `${await readFile(older, 'utf8')}`);
    const asked = await opac([...words, '--ask']);
    expect(JSON.parse(asked.stdout)).toMatchObject({ id: '20011', change: 'removed', asked: 'withdrawn' });
    expect(JSON.parse((await opac(words)).stdout)).not.toHaveProperty('asked');
  });

  it('reports which records were withdrawn and which the export missed', async () => {
    const partial = join(folder, 'partial.ndjson');
    const lines = (await readFile(newer, 'utf8')).trimEnd().split('\n');
    await writeFile(
      partial,
      `${lines.filter((line) => !line.includes('"opacObjectId":"20022"')).join('\n')}\n`,
    );
    const words = [
      'diff',
      older,
      partial,
      '--ask',
      '--base-url',
      museum.url,
      '--any-deployment',
      '--show',
      'removed',
    ];
    const { stdout, stderr } = await opac([...words, '-f', 'ndjson']);
    const removed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(removed.map(({ id, asked }) => `${id} ${asked}`).sort()).toEqual([
      '20011 withdrawn',
      '20022 missed',
    ]);
    expect(stderr).toContain('2 removed (1 of them still in the deployment)');
    const failing = await startMuseum({ data: [newer], faults: [{ kind: 'status', status: 500, after: 0 }] });
    const unknown = await opac(words.with(5, failing.url).concat('--retries', '0', '--exit-code'));
    await failing.close();
    expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining('500') });
  });

  it('finds no differences from the museum that was exported', async () => {
    expect(await opac(['objects', 'diff', older, '--mock', '-f', 'ids'])).toMatchObject({
      stdout: '',
      stderr: 'no records differ\n',
    });
  });

  it('refuses records of another kind or of another deployment', async () => {
    expect(await opac(['persons', 'diff', older, '--mock'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is an object, not a person'),
    });
    const { code, stderr } = await opac(['objects', 'diff', older, '--base-url', museum.url]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('from the built-in museum, the other from'),
    });
  });

  it('prints its requests with --dry-run', async () => {
    const { stdout } = await opac(['objects', 'diff', older, '--mock', '--dry-run']);
    expect(stdout).toContain("/opacobjects' -d view=detail");
  });
});
