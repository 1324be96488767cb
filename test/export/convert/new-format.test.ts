/** Adds a format to a copy of the source with one file and one row of the table, then builds and runs the copy. */
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { withFolder } from '../export-setup.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

const FILE = `
import { parseJsonLossless } from '../../service/parse-json.js';
import { type Converter, recordBytes } from './converter.js';

export function wordsOfTitles(): Converter {
  return {
    async *convert(records) {
      for await (const group of records)
        for (const record of group) {
          const { title } = parseJsonLossless(recordBytes(record)) as { title: string };
          for (const word of title.split(' ')) yield Buffer.from(word + '\\n');
        }
    },
  };
}
`;
const ROW = `words: {
    ...text,
    extensions: ['words'],
    isListed: false,
    converter: async () => (await import('./words.js')).wordsOfTitles(),
  },
  parquet: {`;

it('adds a format with one file and one row of the table', () =>
  withFolder(async (path) => {
    await cp(`${PROJECT}src`, path('src'), { recursive: true });
    // test/search-for-secrets.ts searches temporary folders for secrets, so the mock museum of the copy has none.
    const museum = path('src/mock/options.ts');
    await writeFile(
      museum,
      (await readFile(museum, 'utf8')).replaceAll(/(basicKey|clientSecret): '[^']*'/g, "$1: ''"),
    );
    await cp(`${PROJECT}docs`, path('docs'), { recursive: true });
    await cp(`${PROJECT}package.json`, path('package.json'));
    await symlink(`${PROJECT}node_modules`, path('node_modules'));
    await writeFile(path('src/export/convert/words.ts'), FILE);
    const table = path('src/export/convert/formats.ts');
    const formats = await readFile(table, 'utf8');
    expect(formats.split('parquet: {')).toHaveLength(2);
    await writeFile(
      table,
      formats.replace('parquet: {', () => ROW),
    );
    await build({
      entryPoints: [path('src/cli/main.ts')],
      outdir: path('dist'),
      bundle: true,
      loader: { '.md': 'text' },
      platform: 'node',
      format: 'esm',
      splitting: true,
      packages: 'external',
      define: { OPAC_VERSION: '"0.0.0"' },
      logLevel: 'error',
    });
    const lines = ['a green vase', 'glass'].map((title, id) =>
      JSON.stringify({ opacObjectId: `${id}`, title }),
    );
    await writeFile(path('in.ndjson'), `${lines.join('\n')}\n`);
    const run = `import { main } from ${JSON.stringify(pathToFileURL(path('dist/main.js')).href)};
process.exitCode = await main(process.argv.slice(1));`;
    const opac = (...words: string[]) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', run, '--', ...words], {
        env: { ...process.env, XDG_CONFIG_HOME: path('config'), XDG_CACHE_HOME: path('cache') },
      });
    const from = ['objects', 'export', '--quiet', '--from', path('in.ndjson')];
    await opac(...from, '-o', path('out.words'));
    expect(await readFile(path('out.words'), 'utf8')).toBe('a\ngreen\nvase\nglass\n');
    await opac('verify', path('out.words'));
    expect((await opac(...from, '-f', 'words')).stdout).toBe('a\ngreen\nvase\nglass\n');
    await expect(opac('objects', 'list', '--from', path('in.ndjson'), '-f', 'words')).rejects.toThrow(
      'only an export can be written as words',
    );
  }));
