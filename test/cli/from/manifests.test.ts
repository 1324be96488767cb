/** Files of --from and their manifests: opac exits with 0 only if the file matches its manifest. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

async function setUp() {
  const folder = await createFolder();
  const at = (name: string) => join(folder, name);
  const run = (words: string) =>
    opac(words.split(' ').map((word) => (/\.(csv|html|ndjson|gz)$|^mirror$/.test(word) ? at(word) : word)));
  return { folder, at, run };
}

/** Commands that read the files of --from, except exports. */
const READING_COMMANDS = [
  'objects list --limit 1',
  'objects list -q --strict',
  'objects count -q',
  'objects get 20011',
  'objects fields',
  'facets list objects',
  'facets get objects classification',
  'objects report -o bad.html',
  'images list',
  'images download bad.csv',
  'images sheet -o bad.html',
];

async function keepLines(path: string, lines: number): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text.split('\n').slice(0, lines).join('\n')}\n`);
}

describe('a file that differs from its manifest', () => {
  it.each([
    ['f.ndjson', 'objects export --mock -o f.ndjson', 'f.ndjson'],
    ['mirror', 'sync mirror --mock --kinds objects --ending ndjson', join('mirror', 'objects.ndjson')],
  ])('causes exit code 6 in every command that reads records: %s', async (from, make, file) => {
    const { at, run, folder } = await setUp();
    expect(await run(make)).toMatchObject({ code: 0 });
    expect(await run(`objects export --from ${from} -o good.csv`)).toMatchObject({ code: 0 });
    await keepLines(at(file), 50);
    const problem = `"${at(file)}" has 50 records, but its manifest says 163`;
    for (const words of [
      'objects export',
      'objects export -q --strict --columns id',
      'objects export --where id=5',
    ])
      expect(await run(`${words} --from ${from} -o bad.csv`)).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(
          /^opac: .*; export it again, or delete ".*manifest\.json" if you edited the file/,
        ),
      });
    expect((await readdir(folder)).filter((name) => name.startsWith('bad'))).toEqual([]);
    for (const words of READING_COMMANDS)
      expect([words, await run(`${words} --from ${from}`)]).toEqual([
        words,
        expect.objectContaining({ code: 6, stdout: '', stderr: expect.stringContaining(problem) }),
      ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('bad'))).toEqual([]);
    await rm(`${at(file)}.manifest.json`);
    if (from === file)
      expect(await run(`objects export --from ${from} -o bad.csv`)).toMatchObject({ code: 0 });
  });

  it.each(['f.ndjson', 'f.ndjson.gz'])('causes exit code 6 if it ends within a record: %s', async (name) => {
    const { at, run } = await setUp();
    await run(`objects export --mock -o ${name}`);
    const bytes = await readFile(at(name));
    await writeFile(at(name), bytes.subarray(0, bytes.length - 100));
    for (const words of ['objects count', 'objects list', 'objects export -o g.csv', 'objects fields'])
      expect(await run(`${words} --from ${name}`)).toMatchObject({ code: 6, stdout: '' });
  });

  it('causes a warning if its manifest reports invalid UTF-8, and exit code 6 with --strict', async () => {
    const { at, run } = await setUp();
    const museum = await startMuseum({ faults: [{ kind: 'latin1' }] });
    onTestFinished(() => museum.close());
    expect((await run(`objects export --base-url ${museum.url} -o f.ndjson`)).code).toBe(0);
    const message = `"${at('f.ndjson')}" has 40 records with bytes that are not UTF-8`;
    for (const [words, code] of [
      ['objects export -q -o a.csv', 0],
      ['objects export -q --strict -o b.csv', 6],
    ] as const)
      expect(await run(`${words} --from f.ndjson`)).toMatchObject({
        code,
        stderr: expect.stringContaining(message),
      });
  });

  it('is detected by its hash, or by the manifest of a split export', async () => {
    const { at, run } = await setUp();
    await run('objects export --mock -o f.ndjson');
    const text = await readFile(at('f.ndjson'), 'utf8');
    await writeFile(at('f.ndjson'), text.replace(/[1-9](?=[^\n]*\n$)/, '0'));
    expect(await run('objects export --from f.ndjson -o g.csv')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('"f.ndjson" was changed'),
    });
    await writeFile(at('f.ndjson.gz'), gzipSync(text));
    expect(await run('objects export --from f.ndjson.gz -o g.csv')).toMatchObject({ code: 0 });
    await writeFile(at('f.ndjson.gz'), gzipSync(text).subarray(0, 2000));
    expect(await run('objects export --from f.ndjson.gz -o g.csv')).toMatchObject({ code: 6 });
    await run('objects export --mock --split 60 -o sp.ndjson');
    await writeFile(at('sp-004.ndjson'), await readFile(at('sp-003.ndjson')));
    expect(await run('objects export --from sp-00?.ndjson -o g.csv')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('does not list "sp-004.ndjson"'),
    });
    await rm(at('sp-004.ndjson'));
    expect(await run('objects export --from sp-00?.ndjson -o g.csv')).toMatchObject({ code: 0 });
    expect(await run('objects export --from sp-00?.ndjson --limit 5 -o sp.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('would replace the input file'),
    });
    await keepLines(at('sp-002.ndjson'), 9);
    expect(await run('objects export --from sp-00?.ndjson -o g.csv')).toMatchObject({ code: 6 });
  });
});

it('exits with 6 and writes an incomplete export if the file is incomplete', async () => {
  const { at, run } = await setUp();
  const museum = await startMuseum({ faults: [{ kind: 'ends-early', at: 1 }] });
  onTestFinished(() => museum.close());
  const made = await run(`objects export --base-url ${museum.url} --page-size 50 -o x.ndjson`);
  expect(made.code).toBe(6);
  for (const more of ['', ' --strict -q', ' --where id=1']) {
    const { code, stderr } = await run(`objects export --from x.incomplete.ndjson${more} -o y.csv`);
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(`"${at('x.incomplete.ndjson')}" is incomplete: `),
    ]);
    const manifest = JSON.parse(await readFile(at('y.incomplete.csv.manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ complete: false, reasons: [expect.stringContaining('is incomplete')] });
    expect(stderr).not.toContain('export the rest with');
  }
  expect(await run('objects export --from x.incomplete.ndjson -f csv')).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/ were received; the files of --from are incomplete; export them again\n$/),
  });
});

it.each(['', ' -o y.csv'])(
  'does not report a complete file as incomplete if it does not contain some ids:%s',
  async (more) => {
    const { run } = await setUp();
    await run('objects export --mock -o x.ndjson');
    expect(await run(`objects export --strict --external-id 20011,999 --from x.ndjson${more}`)).toMatchObject(
      {
        code: 6,
        stderr: expect.stringMatching(
          /; (?!the files)[^;]*run the export again, or run it without --strict\n$/,
        ),
      },
    );
  },
);

it('prints lists and counts of an incomplete file, and exits with 6', async () => {
  const { run } = await setUp();
  const museum = await startMuseum({ faults: [{ kind: 'ends-early', at: 1 }] });
  onTestFinished(() => museum.close());
  await run(`objects export --base-url ${museum.url} --page-size 50 -o x.ndjson`);
  for (const words of ['objects list --all --columns id -f csv', 'objects count -q', 'facets list objects'])
    expect(await run(`${words} --from x.incomplete.ndjson`)).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('\n'),
      stderr: expect.stringContaining('is incomplete'),
    });
});

it.each([
  'objects list --all -f csv',
  'objects count --exact --where name=x',
  'objects export -f csv',
  'facets list objects',
])('exits with 2 if a file changes while opac reads it: %s', async (words) => {
  const { at, run } = await setUp();
  await run('objects export --mock -o x.ndjson');
  await rm(`${at('x.ndjson')}.manifest.json`);
  const text = await readFile(at('x.ndjson'), 'utf8');
  // opac finds the file before it reads the ids.
  async function* ids() {
    await writeFile(at('x.ndjson'), text.split('\n').slice(0, 50).join('\n'));
    yield '20011\n20022\n';
  }
  const line = `${words} --from ${at('x.ndjson')} -o ${at('y.csv')} --external-id @-`;
  expect(await opac(line.split(' '), { stdin: Readable.from(ids()) })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the files changed while opac read them; run the command again'),
  });
});

it('deletes no images with --prune if the file is incomplete', async () => {
  const { at, run, folder } = await setUp();
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  await run(`objects export --base-url ${museum.url} -o x.ndjson`);
  const download = `images download ${at('pictures')} --from x.ndjson --allow-private-images`;
  expect(await run(`${download} --limit 2`)).toMatchObject({ code: 0 });
  const before = await readdir(at('pictures'));
  const manifest = join(folder, 'x.ndjson.manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('"complete": true', '"complete": false'));
  expect(await run(`${download} --where id=20011 --prune`)).toMatchObject({ code: 6 });
  expect(await readdir(at('pictures'))).toEqual(before);
});

it('downloads images from a private host in the manifest only with a profile for this host', async () => {
  const { at, run } = await setUp();
  const museum = await startMuseum();
  onTestFinished(() => museum.close());
  await run(`objects export --base-url ${museum.url} --has-images --limit 1 -o x.ndjson`);
  const environment = { OPAC_CONFIG_DIR: at('config') };
  const download = () =>
    opac(['images', 'download', at('pictures'), '--from', at('x.ndjson')], { environment });
  const refused = { code: 6, stderr: expect.stringContaining('--allow-private-images') };
  expect(await download()).toMatchObject(refused);
  await opac(['login', '--anonymous', '--base-url', museum.url], { environment });
  expect(await download()).toMatchObject({ code: 0 });
});

describe('--from with several files', () => {
  it('exits with 6 if a file of a split export is missing, and warns if it is omitted', async () => {
    const { at, run } = await setUp();
    await run('objects export --mock --split 60 -o sp.ndjson');
    const fromOptions = ['sp-001.ndjson', 'sp-003.ndjson'].map((name) => `--from ${name}`).join(' ');
    const omitted = expect.stringContaining(
      'sp-002.ndjson" belongs to a split export of --from, but opac did not read it\n',
    );
    for (const command of [`export ${fromOptions} -o before.csv --quiet`, `count ${fromOptions} --quiet`])
      expect(await run(`objects ${command}`)).toMatchObject({ code: 0, stderr: omitted });
    expect(await run(`objects export ${fromOptions} -o before.csv --strict`)).toMatchObject({ code: 6 });
    expect(await run('objects count --from sp-*.ndjson')).toMatchObject({ code: 0, stderr: '' });
    await rm(at('sp-002.ndjson'));
    for (const command of [
      `export ${fromOptions} -o after.csv`,
      `count ${fromOptions}`,
      'list --from sp-001.ndjson',
    ])
      expect(await run(`objects ${command}`)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('sp-002.ndjson" is missing from a split export'),
      });
  });

  it('warns about files without a manifest, and exits with 6 with --strict', async () => {
    const { at, run } = await setUp();
    await run('objects export --mock --split 100 -o sp.ndjson');
    await rm(at('sp.ndjson.manifest.json'));
    const command = 'objects export --from sp-001.ndjson --from sp-002.ndjson -o all.csv';
    const problem =
      'sp-002.ndjson" has no manifest, so opac cannot check whether it is part of a split export with missing files';
    expect(await run(command)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(new RegExp(`warning: .*${problem}`)),
    });
    expect(await run(`${command} --strict`)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(problem),
    });
  });
});
