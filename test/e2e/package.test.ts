/** The package as users get it: packed, installed into an empty folder, run and imported there. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { codeBlocks, pageText } from '../docs/documents.js';
import { lines } from './run-against-museum.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-package-'));
  // The build is there already, and other tests are running it.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const [{ filename }] = JSON.parse(packed.stdout);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)], {
    cwd: folder,
  });
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const inFolder = (command: string, ...words: string[]) => {
  const ran = run(command, words, { cwd: folder, env: { PATH: process.env.PATH, OPAC_CONFIG_DIR: folder } });
  return ran;
};

describe('the installed package', () => {
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

  it('is imported as a library, the museum with it', async () => {
    const { code } = await transform(PROGRAM, { loader: 'ts' });
    await writeFile(join(folder, 'program.js'), code);
    const { stdout } = await inFolder(process.execPath, 'program.js');
    expect(lines(stdout)).toEqual(['true Blue view of the harbour', 'not-found 404']);
  });

  /** The example of docs/library.md, which is plain JavaScript too. */
  const [EXAMPLE = ''] = codeBlocks(pageText('library'), 'ts');

  it('runs the example of the documentation', async () => {
    const museum = await startMuseum();
    const example = EXAMPLE.replace('https://collection.example.org', museum.url);
    await writeFile(join(folder, 'example.js'), example);
    const { stdout } = await inFolder(process.execPath, 'example.js').finally(() => museum.close());
    expect(lines(stdout)).toContain('20077 Blue view of the harbour 1');
  });

  it('brings types that stand alone', async () => {
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    await writeFile(join(folder, 'example.ts'), EXAMPLE);
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
    const typeRoots = ['--typeRoots', join(ROOT, 'node_modules', '@types')];
    const { stdout } = await inFolder(
      process.execPath,
      tsc,
      ...options,
      ...typeRoots,
      'program.ts',
      'example.ts',
    ).catch((failed: { readonly stdout: string }) => failed);
    expect(stdout).toBe('');
  });
});
