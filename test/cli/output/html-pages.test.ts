/** HTML pages: commands with charts write them with -f html or if the file extension is .html. Other commands refuse HTML. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

const run = (line: string, ...more: readonly string[]) => opac([...line.split(' '), '--mock', ...more]);

const PAGES: readonly (readonly [line: string, heading: string])[] = [
  ['facets get objects classification', 'Facets of objects'],
  ['facets get objects classification --top 2', 'Facets of objects'],
  ['facets list objects', 'Facets of objects'],
  ['objects fields', 'Fields of objects'],
  ['persons fields --all', 'Fields of persons'],
];

const withoutTime = (page: string) => page.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '');

describe('a command with charts', () => {
  it.each(PAGES)('writes the same page with -f html as with -o: %s', async (line, heading) => {
    const folder = await createFolder();
    const printed = await run(line, '-f', 'html');
    expect([printed.code, printed.stdout]).toEqual([0, expect.stringMatching(/^<!DOCTYPE html>/)]);
    expect(printed.stdout).toContain(`<title>${heading}</title>`);
    expect(printed.stdout).not.toMatch(/<script|<link|<img/);
    for (const [name, ...words] of [
      ['page.html'],
      ['page.htm'],
      ['page.html.gz'],
      ['page.x', '-f', 'html'],
    ]) {
      const path = join(folder, name as string);
      expect(await run(line, '-o', path, ...words)).toMatchObject({ code: 0, stdout: '' });
      const bytes = await readFile(path);
      const page = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      expect(withoutTime(page)).toBe(withoutTime(printed.stdout));
    }
  });

  it.each(PAGES)('lists html as a format in its help: %s', async (line) => {
    const { stdout } = await opac([...line.split(' ').slice(0, 2), '--help']);
    expect(stdout).toMatch(/--format <name> +table, card, tsv, csv, json, ndjson, ids, xlsx, html\b/);
  });

  it.each(PAGES)('suggests .html for the unknown extension .odt: %s', async (line) => {
    const folder = await createFolder();
    const { code, stderr } = await run(line, '-o', join(folder, 'x.odt'));
    expect(code).toBe(2);
    expect(stderr).toContain('".odt" is not the file extension of a format; use .tsv .csv');
    expect(stderr).toContain(' .xlsx .html ');
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses --columns for a page', async () => {
    for (const [line] of PAGES)
      expect(await run(line, '-f', 'html', '--columns', 'id')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/--columns/),
      });
  });
});

it('lists the extensions of diff reports for the unknown extension .doc', async () => {
  const folder = await createFolder();
  const file = join(folder, 'a.ndjson');
  await run('objects export', '-o', file);
  const { code, stderr } = await opac(['diff', file, file, '-o', join(folder, 'x.doc')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(' .xlsx .html .md (optionally')]);
});

describe('a command without charts', () => {
  const LISTS = [
    'objects list',
    'objects get 20011',
    'records list',
    'collections list',
    'objects duplicates name',
  ];

  it.each(LISTS)('refuses html and parquet: %s', async (line) => {
    const folder = await createFolder();
    const formats = 'choose from table, card, tsv, csv, json, ndjson, ids, xlsx';
    for (const [format, hint] of [
      ['html', formats],
      ['parquet', `${formats}; only an export can be written as parquet`],
    ])
      for (const words of [
        ['-f', format],
        ['-o', join(folder, `x.${format}`)],
      ])
        expect(await run(line, ...(words as string[]))).toEqual({
          code: 2,
          stdout: '',
          stderr: `opac: this command cannot write ${format}; ${hint}\n`,
        });
    expect(await readdir(folder)).toEqual([]);
  });

  it('lists only its own formats for an unknown format', async () => {
    const { code, stderr } = await run('objects list', '-f', 'pptx');
    const formats = 'table, card, tsv, csv, json, ndjson, ids, xlsx';
    expect([code, stderr]).toEqual([2, `opac: invalid value "pptx" for --format; choose from ${formats}\n`]);
  });

  it('does not suggest .html for an unknown extension', async () => {
    const { code, stderr } = await run('objects list', '-o', join(await createFolder(), 'x.odt'));
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('html')]);
  });

  it('writes parquet if it is an export', async () => {
    const path = join(await createFolder(), 'x.parquet');
    expect(await run('objects export', '-o', path)).toMatchObject({ code: 0 });
    expect((await readFile(path, 'latin1')).slice(0, 4)).toBe('PAR1');
  });
});
