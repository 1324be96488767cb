/** The package as users get it: packed, installed into an empty folder, run and imported there. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { listCodeBlocks, readPageText } from '../docs/documents.js';
import { splitLines } from './run-against-museum.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);

/** The files that npm packs, and the script that prepares them. */
const PACKED = ['bin', 'dist', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'pack.js'];

const PROGRAM = `
import { createClient, fetchTotal, HttpError, paginateEndpoint, parseColumn, readRecord, searchParameters } from 'opac';
import { type Museum, startMuseum } from 'opac/mock';

const museum: Museum = await startMuseum({ access: 'authorized' });
const client = createClient({
  baseUrl: museum.url,
  credentials: { scheme: 'basic', authorization: async () => \`Basic \${museum.basicKey}\` },
});
const query = searchParameters({ terms: { where: [{ field: 'classification', value: 'Art/Paintings' }] }, view: 'detail' });
const titles: string[] = [];
for await (const { records } of paginateEndpoint(client, 'objects.search', { query }))
  for (const { record } of records) titles.push(...parseColumn('title').values(readRecord(record, 'objects')));
const total: number | undefined = await fetchTotal(client, 'objects.search', { query });
console.log(titles.length === total, titles[0]);
await client.get('objects.get', { path: { opacObjectId: '1' } }).catch((error: unknown) => {
  if (error instanceof HttpError) console.log(error.kind, error.status);
});
await client.close();
await museum.close();
`;

/** The example of docs/library.md, which is also valid JavaScript, and the programs of that page. */
const [EXAMPLE = '', ...PROGRAMS] = listCodeBlocks(readPageText('library'), 'ts');

let folder: string;
let restored: string;
let installed: { readonly stderr: string };
let compilerOutput: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-package-'));
  // Copies the existing build, because other tests are running it.
  const source = join(folder, 'source');
  await mkdir(source);
  for (const name of PACKED) await cp(join(ROOT, name), join(source, name), { recursive: true });
  await run(process.execPath, ['pack.js'], { cwd: source });
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: source,
  });
  await run(process.execPath, ['pack.js', '--restore'], { cwd: source });
  restored = await readFile(join(source, 'package.json'), 'utf8');
  await rm(source, { recursive: true });
  const [{ filename }] = JSON.parse(packed.stdout);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  installed = await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)],
    {
      cwd: folder,
    },
  );
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'example.ts'), EXAMPLE);
  for (const [n, text] of PROGRAMS.entries())
    for (const ending of ['mts', 'cts']) await writeFile(join(folder, `documented-${n}.${ending}`), text);
  compilerOutput = await compile();
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

let variables: Readonly<Record<string, string>> = {};
const inFolder = (command: string, ...words: string[]) => {
  const env = { PATH: process.env.PATH, OPAC_CONFIG_DIR: folder, ...variables };
  return run(command, words, { cwd: folder, env });
};

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Compiles all programs to JavaScript in the same folder. Returns the messages of the compiler. */
async function compile(): Promise<string> {
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--exactOptionalPropertyTypes'];
  const typeRoots = ['--typeRoots', join(ROOT, 'node_modules', '@types')];
  const { stdout } = await inFolder(
    process.execPath,
    tsc,
    ...options,
    '--noUncheckedIndexedAccess',
    ...typeRoots,
    ...(await readdir(folder)).filter((name) => /\.[mc]?ts$/.test(name)),
  ).catch((failed: { readonly stdout: string }) => failed);
  return stdout;
}

describe('the installed package', () => {
  it('installs without warnings, and has no fields for developers in its package.json', async () => {
    expect(installed.stderr).not.toContain('opac');
    expect(restored).toBe(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { scripts, devDependencies, allowScripts, ...rest } = JSON.parse(restored);
    const published = JSON.parse(await readFile(join(folder, 'node_modules/opac/package.json'), 'utf8'));
    expect(scripts).toHaveProperty('prepare');
    expect([devDependencies, allowScripts]).not.toContain(undefined);
    expect(published).toEqual(rest);
  });

  it('runs as a program', async () => {
    const opac = join('node_modules', '.bin', 'opac');
    const [version, list] = await Promise.all([
      inFolder(opac, '--version'),
      inFolder(opac, 'objects', 'list', '--mock', '--limit', '1', '--columns', 'id,title'),
    ]);
    const { version: expected } = createRequire(import.meta.url)('../../package.json');
    expect(version.stdout).toBe(`${expected}\n`);
    expect(list.stdout).toBe('id\ttitle\n20011\tEarly wax model\n');
  });

  it('works as a library, and contains the built-in museum', async () => {
    const { stdout } = await inFolder(process.execPath, 'program.js');
    expect(splitLines(stdout)).toEqual(['true Blue view of the harbour', 'not-found 404']);
  });

  it('runs the example of the documentation', async () => {
    const museum = await startMuseum();
    const example = EXAMPLE.replace('https://collection.example.org', museum.url);
    await writeFile(join(folder, 'example.js'), example);
    const { stdout } = await inFolder(process.execPath, 'example.js').finally(() => museum.close());
    expect(splitLines(stdout)).toContain('20077 Blue view of the harbour 1');
  });

  it('contains types that compile without other packages', () => {
    expect(compilerOutput).toBe('');
  });

  describe.each(['mts', 'cts'])('a documented program as .%s', (ending) => {
    let museum: Museum;
    beforeAll(async () => {
      museum = await startMuseum({ access: 'authorized' });
      variables = { OPAC_BASE_URL: museum.url, OPAC_BASIC_KEY: museum.basicKey };
    });
    afterAll(async () => {
      variables = {};
      await museum.close();
      for (const name of ['mirror', 'objects.csv'])
        await rm(join(folder, name), { recursive: true, force: true });
    });

    const runProgram = async (n: number, ...words: string[]) =>
      splitLines(
        (await inFolder(process.execPath, `documented-${n}.${ending.replace('ts', 'js')}`, ...words)).stdout,
      );

    it('exports records', async () => {
      expect(PROGRAMS).toHaveLength(3);
      expect(await runProgram(0)).toEqual(['exported 163 objects']);
    });

    it('compares two tables', async () => {
      const table = await readFile(join(folder, 'objects.csv'), 'utf8');
      await writeFile(join(folder, 'edited.csv'), table.replace('Early wax model', 'Late wax model'));
      const shown = await runProgram(1, 'objects.csv', 'edited.csv');
      expect(shown.at(-1)).toBe('objects: 0 added, 0 removed, 1 changed');
      expect(shown[0]).toMatch(/^changed\tobjects\t20011\t/);
    });

    it('checks a deployment and updates a mirror, which opac sync can continue', async () => {
      const [first, second] = [await runProgram(2), await runProgram(2)];
      expect(first[0]).toBe('objects: 163 records');
      expect(second.at(-1)).toBe('no changes');
      const { stdout } = await inFolder(join('node_modules', '.bin', 'opac'), 'sync', 'mirror');
      expect(stdout).toContain('objects: 0 added, 0 removed, 0 changed');
    });

    it('fails without credentials', async () => {
      variables = { OPAC_BASE_URL: museum.url };
      for (const n of [0, 2]) await expect(runProgram(n)).rejects.toMatchObject({ code: 1 });
    });
  });
});
