/** Lists of services that fail, or that return damaged records. Exit 0 would be wrong, and a complete file must stay. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../e2e/opac.js';
import { SmallMuseum, someRecords } from '../mirror/small-museum.js';
import { opac } from './run-in-process.js';

async function setUp(records: number) {
  const museum = await SmallMuseum.start();
  museum.records.objects = someRecords(records);
  const folder = await newFolder();
  const run = (line: string) => opac([...line.split(' '), '--base-url', museum.url, '--retries', '0']);
  return { museum, run, at: (name: string) => join(folder, name) };
}

describe('list -o', () => {
  it.each(['ids', 'csv', 'json', 'xlsx'])(
    'keeps a complete file if records are missing: %s',
    async (ending) => {
      const { museum, run, at } = await setUp(250);
      const file = at(`list.${ending}`);
      expect((await run(`objects list --all -o ${file}`)).code).toBe(0);
      const before = await readFile(file);
      museum.fault = ({ offset }) =>
        offset === 200 ? { body: '{"opacObjects":[],"totalObjects":250}' } : undefined;
      const { code, stderr } = await run(`objects list --all -o ${file}`);
      expect({ code, stderr }).toEqual({
        code: 6,
        stderr: expect.stringContaining(`"${file}" is not written`),
      });
      expect((await readFile(file)).equals(before)).toBe(true);
    },
  );

  it('writes the records that were found, if ids were not found', async () => {
    const { run, at } = await setUp(3);
    expect((await run(`objects get 1 999 -f ids -o ${at('found.ids')}`)).code).toBe(3);
    expect(await readFile(at('found.ids'), 'utf8')).toBe('1\n');
  });
});

describe('a list', () => {
  it.each([
    ...['list --all -f ids', 'fields --all', 'count --no-images', 'report -o', 'duplicates name'],
    ...['export -o', 'export --strict -o', 'export -f ndjson -o', 'sync'],
  ])('is incomplete if the service returns no records, but a total without records: %s', async (line) => {
    const { museum, run, at } = await setUp(250);
    const file =
      line === 'sync' ? at('m') : at('o.html').replace('html', line.startsWith('export') ? 'csv' : 'html');
    const command =
      line === 'sync'
        ? `sync ${file} --kinds objects`
        : `objects ${line}${line.endsWith('-o') ? ` ${file}` : ''}`;
    // A cache, or a service that is starting: only `limit=0` has a total.
    for (const body of ['[]', '{"opacObjects":[],"totalObjects":0}']) {
      museum.fault = ({ limit }) => (limit > 0 ? { body } : undefined);
      const { code, stderr } = await run(command);
      expect({ code, stderr }, body).toEqual({
        code: 6,
        stderr: expect.stringMatching(/250|empty pages before its total/),
      });
      expect(await readFile(file).catch(() => 'none')).toBe('none');
    }
  });

  it.each(['list --all -f ids', 'fields --all -f csv', 'count --no-images', 'duplicates name -f csv'])(
    'is incomplete with fewer records than the total, although the service goes on after its end: %s',
    async (line) => {
      const { museum, run, at } = await setUp(1000);
      const ids = Array.from({ length: 1000 }, (_, n) => n + 1);
      museum.fault = ({ offset, limit }) => {
        const repeated = offset === 500 ? ids.slice(400, 500) : undefined;
        const page = repeated ?? (offset === 1000 ? ids.slice(500, 550) : ids.slice(offset, offset + limit));
        const opacObjects = page.slice(0, limit).map((id) => ({ opacObjectId: id, title: `object ${id}` }));
        return { body: JSON.stringify({ opacObjects, totalObjects: 1000 }) };
      };
      const { code, stderr } = await run(`objects ${line}`);
      expect([code, stderr]).toEqual([
        6,
        expect.stringMatching(/50 of (1,000|900) records were not received/),
      ]);
      expect((await run(`objects report -o ${at('r.html')}`)).code).toBe(6);
    },
  );

  it('warns of records without fields', async () => {
    const { museum, run } = await setUp(3);
    const opacObjects = [{ opacObjectId: 1, title: 'a' }, { opacObjectId: 2 }, { opacObjectId: 3 }];
    museum.fault = () => ({ body: JSON.stringify({ opacObjects, totalObjects: 3 }) });
    const { code, stderr } = await run('objects list --all -f ndjson');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('warning: 2 of 3 records have no readable fields'),
    ]);
    expect((await run('objects list --all -f ids --view label')).stderr).toBe('');
  });
});

describe('records whose fields are not a list', () => {
  it.each([
    ['an object', { accession_no: 'X1' }],
    ['text', 'oops'],
  ])('are reported, and an export is incomplete with --strict: %s', async (_, opacObjectFieldSets) => {
    const { museum, run, at } = await setUp(3);
    const opacObjects = [1, 2, 3].map((id) => ({
      opacObjectId: id,
      title: `object ${id}`,
      opacObjectFieldSets:
        id === 2
          ? opacObjectFieldSets
          : [{ identifier: 'name', opacObjectFields: [{ value: '"opacObjectFieldSets": 1' }] }],
    }));
    museum.fault = ({ offset, limit }) => ({
      body: JSON.stringify({ opacObjects: opacObjects.slice(offset, offset + limit), totalObjects: 3 }),
    });
    const message = '1 of 3 records has no readable fields';
    const lax = await run(`objects export -o ${at('a.csv')}`);
    expect([lax.code, lax.stderr]).toEqual([0, expect.stringContaining(message)]);
    const strict = await run(`objects export --strict -o ${at('b.csv')}`);
    expect([strict.code, strict.stderr]).toEqual([6, expect.stringContaining(message)]);
  });
});

describe('verify', () => {
  it('exits with 6 for a mirror without its manifests, and with 2 for another folder', async () => {
    const { run, at } = await setUp(3);
    expect((await run(`sync ${at('m')} --kinds objects -q`)).code).toBe(0);
    await rm(at('m/objects.ndjson.gz.manifest.json'));
    const damaged = await opac(['verify', at('m')]);
    expect([damaged.code, damaged.stderr]).toEqual([6, expect.stringContaining('has no manifest')]);
    await rm(at('m/mirror.json'));
    expect((await opac(['verify', at('m')])).code).toBe(2);
    await writeFile(at('m/mirror.json'), '');
  });
});
