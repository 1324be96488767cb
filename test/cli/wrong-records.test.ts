/** Services that return other records than opac requested. Exit 0 would be wrong. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../e2e/opac.js';
import { createRecords, SmallMuseum } from '../mirror/small-museum.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

async function setUp(records: number) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(records);
  const folder = await createFolder();
  const run = (line: string) => opac([...line.split(' '), '--base-url', museum.url, '--retries', '0']);
  return { museum, folder, run, at: (name: string) => join(folder, name) };
}

describe('a page with a record of another kind', () => {
  it.each([
    ['only', (n: number) => ({ opacPersonId: String(n) })],
    ['with slug', (n: number) => ({ slug: `p-${n}`, opacPersonId: String(n), opacPersonFieldSets: [] })],
  ])('makes an export, a list and a mirror fail: %s', async (_, createPerson) => {
    const { museum, run, at } = await setUp(300);
    museum.fault = ({ offset, limit, isStub }) => {
      if (offset !== 100 || limit !== 100 || isStub) return undefined;
      const opacObjects = [
        ...createRecords(99, '2020-01-01', 101).map(({ id }) => ({ opacObjectId: id, slug: `s-${id}` })),
        createPerson(200),
      ];
      return { body: JSON.stringify({ opacObjects, totalObjects: 300 }) };
    };
    for (const line of [
      `objects export -o ${at('a.ndjson')} -q`,
      `objects export -o ${at('b.ndjson')} -q --strict`,
      `sync ${at('mirror')} --kinds objects -q`,
    ])
      expect([line, (await run(line)).code]).toEqual([line, 6]);
    expect((await run('objects list --all -f ids')).code).toBeGreaterThan(0);
  });

  it('is valid in a search of all kinds', async () => {
    expect((await runAgainstMuseum('records count')).stdout).toBe('215\n');
    expect((await runAgainstMuseum('records list --all -f ids')).stdout.trim().split('\n')).toHaveLength(215);
  });
});

describe('a service that ignores a list of ids', () => {
  const museum = { faults: [{ kind: 'external-ids-ignored' }] } as const;
  const message = 'the service may ignore the list';

  it('causes a warning, and exit code 6 with --strict', async () => {
    for (const line of ['list -f ids', 'count', 'export -f ids -o -']) {
      const words = `objects ${line} --external-id 20022,20033`;
      const lenient = await runAgainstMuseum(words, { museum });
      expect([line, lenient.code, lenient.stderr]).toEqual([line, 0, expect.stringContaining(message)]);
      const strict = await runAgainstMuseum(`${words} --strict`, { museum });
      expect([line, strict.code, strict.stderr]).toEqual([line, 6, expect.stringContaining(message)]);
    }
  });

  it('causes exit code 6 with --strict if it returns fewer, different records', async () => {
    const { museum: small, run } = await setUp(3);
    small.before = () => {};
    small.fault = ({ offset }) => ({
      body: JSON.stringify({
        opacObjects: offset === 0 ? ['7', '8', '9'].map((id) => ({ opacObjectId: id, slug: id })) : [],
        totalObjects: 3,
      }),
    });
    for (const line of ['objects list -f ids', 'objects export -f ids -o -']) {
      const { code, stderr } = await run(`${line} --strict --external-id 1,2,3,4,5`);
      expect([line, code, stderr]).toEqual([
        line,
        6,
        expect.stringContaining('opac cannot tell which entries'),
      ]);
    }
  });
});

describe('a service that ignores a filter', () => {
  it.each([
    ['images-filter-ignored', '--has-images'],
    ['facet-filter-ignored', '--facet classification=Photographs'],
    ['facet-filter-ignored', '--facet collections=Pictures'],
    ['collections-ignored', '--collection Pictures'],
  ] as const)('causes a warning, and exit code 6 with --strict: %s with %s', async (fault, filter) => {
    const museum = { faults: [{ kind: fault }] };
    const message = 'do not match the filter of the search';
    for (const line of ['list --all -f ids', 'count', 'export -f ids -o -']) {
      const words = `objects ${line} ${filter}`;
      const lenient = await runAgainstMuseum(words, { museum });
      expect([line, lenient.code, lenient.stderr]).toEqual([line, 0, expect.stringContaining(message)]);
      const strict = await runAgainstMuseum(`${words} --strict`, { museum });
      expect([line, strict.code, strict.stderr]).toEqual([line, 6, expect.stringContaining(message)]);
      const normal = await runAgainstMuseum(`${words} --strict`);
      expect([line, normal.code, normal.stderr]).toEqual([line, 0, expect.not.stringContaining(message)]);
    }
  });

  it('causes exit code 6 with --resume --strict if only the first run received wrong records', async () => {
    const { museum, run, at } = await setUp(300);
    const isLast = (id: number) => id > 200;
    const page = (offset: number, limit: number) => ({
      body: JSON.stringify({
        opacObjects: createRecords(Math.min(limit, 300 - offset), '2020-01-01', offset + 1).map(({ id }) => ({
          opacObjectId: id,
          slug: id,
          opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: id }] }],
          ...(isLast(Number(id)) && { imagesCollection: { images: [{ imageId: id }], totalImages: 1 } }),
        })),
        totalObjects: 300,
      }),
    });
    let isDown = true;
    museum.fault = ({ offset, limit }) => (offset >= 200 && isDown ? { status: 403 } : page(offset, limit));
    const line = `objects export --has-images --page-size 100 --concurrency 1 -o ${at('a.ndjson')}`;
    expect((await run(line)).code).toBeGreaterThan(0);
    isDown = false;
    const { code, stderr } = await run(`${line} --resume --strict`);
    expect([code, stderr]).toEqual([6, expect.stringContaining('200 of 300 records do not match')]);
  });

  it('causes a warning in sync', async () => {
    const museum = { faults: [{ kind: 'collections-ignored' }] } as const;
    const folder = join(await createFolder(), 'mirror');
    const line = `sync ${folder} --kinds objects --query 'collections:"4"'`;
    const { code, stderr } = await runAgainstMuseum(line, { museum });
    expect([code, stderr]).toEqual([0, expect.stringContaining('objects: 86 of 163 records do not match')]);
    const all = await runAgainstMuseum(
      `sync ${folder}-2 --kinds objects --query "collections:4 OR collections:1"`,
    );
    expect([all.code, all.stderr]).toEqual([0, '']);
  });

  it('is not reported wrongly for a view without the field, or for a range', async () => {
    for (const line of [
      'objects list --all -f ids --has-images --view label',
      'objects list --all -f ids --facet classification=Photographs --view label',
      'objects list --all -f ids --facet production_date=1850-1899',
      'objects list --all -f ids --facet color=limegreen',
    ]) {
      const { code, stderr } = await runAgainstMuseum(`${line} --strict`);
      expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining('do not match')]);
    }
  });
});

it('prints no warning for a list of values if the records do not contain the field', async () => {
  const file = join(await createFolder(), 'values.txt');
  await writeFile(file, 'Photographs\n');
  for (const line of ['list --all -f ids', 'export -f ids -o -']) {
    const words = `objects ${line} --view label --strict --where classification=@${file}`;
    const { code, stdout, stderr } = await runAgainstMuseum(words);
    expect([line, code, stdout.trim().split('\n').length]).toEqual([line, 0, 32]);
    expect(stderr).not.toContain('may ignore the list');
  }
});

it('exits with 6 if the service fails after more records than its total', async () => {
  const { museum, run, at } = await setUp(300);
  museum.fault = ({ offset, limit, isStub }) => {
    if (isStub || limit === 0) return undefined;
    if (offset >= 300) return { status: 500 };
    const opacObjects = createRecords(Math.min(limit, 100), '2020-01-01', offset + 1).map(({ id }) => ({
      opacObjectId: id,
      slug: id,
    }));
    return { body: JSON.stringify({ opacObjects, totalObjects: 299 }) };
  };
  for (const line of [`objects export -q -o ${at('a.ids')}`, 'objects list --all -q -f ids'])
    expect([line, (await run(line)).code]).toEqual([line, 6]);
});

it('exits with 6 if the service fails at the end of a total that is too low', async () => {
  const { museum, run, at } = await setUp(300);
  museum.fault = ({ offset, limit, isStub }) => {
    if (isStub || limit === 0) return undefined;
    if (offset >= 200) return { status: 500 };
    const opacObjects = createRecords(Math.min(limit, 100), '2020-01-01', offset + 1).map(({ id }) => ({
      opacObjectId: id,
      slug: id,
    }));
    return { body: JSON.stringify({ opacObjects, totalObjects: 200 }) };
  };
  for (const line of [
    `objects export -q -o ${at('a.ids')}`,
    'objects list --all -q -f ids',
    `sync ${at('mirror')} --kinds objects -q`,
  ])
    expect([line, (await run(line)).code]).toEqual([line, 6]);
});

it('omits a record without an id from a list of ids, and prints a warning', async () => {
  const { museum, run } = await setUp(2);
  museum.fault = ({ offset }) => ({
    body: JSON.stringify({
      opacObjects: offset === 0 ? [{ opacObjectId: '1', slug: 'a' }, { slug: 'b' }] : [],
      totalObjects: 2,
    }),
  });
  const { stdout, stderr } = await run('objects list --all -f ids');
  expect([stdout, stderr]).toEqual(['1\n', expect.stringContaining('warning: 1 record without an id')]);
});

it('reads a CSV file with 200,000 empty lines as a table', async () => {
  const { at } = await setUp(0);
  await writeFile(at('a.csv'), `id,title\n${'\n'.repeat(200_000)}1,x\n`);
  await writeFile(at('b.csv'), 'id,title\n1,y\n');
  const { code, stdout } = await opac(['diff', at('a.csv'), at('b.csv'), '-f', 'ids']);
  expect([code, stdout]).toEqual([0, '1\n']);
});
