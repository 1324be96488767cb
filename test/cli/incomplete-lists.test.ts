/** Lists of services that fail, or that return damaged records. Exit 0 would be wrong, and a complete file must stay. */
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../e2e/opac.js';
import { createRecords, SmallMuseum } from '../mirror/small-museum.js';
import { opac } from './run-in-process.js';

async function setUp(records: number) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(records);
  const folder = await createFolder();
  const run = (line: string) => opac([...line.split(' '), '--base-url', museum.url, '--retries', '0']);
  return { museum, run, at: (name: string) => join(folder, name) };
}

/** Makes the lists of venues and records empty. */
function offerOnlyObjects(museum: SmallMuseum): void {
  museum.other = (path) => {
    const [, kind = ''] = /opac(venue|record)s$/i.exec(path.split('?')[0] ?? '') ?? [];
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`;
    return kind === '' ? undefined : { status: 200, body: `{"opac${name}":[],"total${name}":0}` };
  };
}

describe('list -o and get -o', () => {
  it.each(['ids', 'csv', 'json', 'xlsx'])(
    'keep a complete file if records are missing: %s',
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

  it('write the records that were found, if ids were not found', async () => {
    const { run, at } = await setUp(3);
    expect((await run(`objects get 1 999 -f ids -o ${at('found.ids')}`)).code).toBe(3);
    expect(await readFile(at('found.ids'), 'utf8')).toBe('1\n');
  });
});

describe('a list', () => {
  it.each([
    ...['list --all -f ids', 'fields --all', 'count --no-images', 'report -o', 'duplicates name'],
    ...['export -o', 'export --strict -o', 'export -f ndjson -o', 'sync'],
  ])('is incomplete if all pages are empty, although limit=0 returns a total: %s', async (line) => {
    const { museum, run, at } = await setUp(250);
    const file =
      line === 'sync' ? at('m') : at('o.html').replace('html', line.startsWith('export') ? 'csv' : 'html');
    const command =
      line === 'sync'
        ? `sync ${file} --kinds objects`
        : `objects ${line}${line.endsWith('-o') ? ` ${file}` : ''}`;
    // A cache or a starting service may return the total only for `limit=0`.
    for (const body of ['[]', '{"opacObjects":[],"totalObjects":0}']) {
      museum.fault = ({ limit }) => (limit > 0 ? { body } : undefined);
      const { code, stderr } = await run(command);
      expect({ code, stderr }, body).toEqual({
        code: 6,
        stderr: expect.stringMatching(/250|empty pages before the end of the list/),
      });
      expect(await readFile(file).catch(() => 'none')).toBe('none');
    }
  });

  it.each(['list --all -f ids', 'fields --all -f csv', 'count --no-images', 'duplicates name -f csv'])(
    'is incomplete if records are missing, although more records follow after the total: %s',
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

  it('is complete in an export if one page repeats the first page, but not in list --all', async () => {
    const { museum, run, at } = await setUp(500);
    let repeats = 1;
    const ids = Array.from({ length: 500 }, (_, n) => n + 1);
    museum.fault = ({ offset, limit }) => {
      const start = offset === 300 && limit === 100 && repeats-- > 0 ? 0 : offset;
      const opacObjects = ids
        .slice(start, start + limit)
        .map((id) => ({ opacObjectId: id, title: `object ${id}` }));
      return { body: JSON.stringify({ opacObjects, totalObjects: 500 }) };
    };
    const { code, stderr } = await run(`objects export -o ${at('a.ids')}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('100 duplicate records dropped')]);
    expect((await readFile(at('a.ids'), 'utf8')).split('\n').length).toBe(501);
    repeats = 1;
    const list = await run('objects list --all -f ids');
    expect([list.code, list.stderr]).toEqual([
      6,
      expect.stringContaining('100 of 500 records were not received'),
    ]);
  });

  it.each(['{}', '{"opacObjects":[]}'])(
    'is incomplete if a service without totals returns an empty page: %s',
    async (body) => {
      const { museum, run, at } = await setUp(505);
      const ids = Array.from({ length: 505 }, (_, n) => n + 1);
      museum.fault = ({ offset, limit }) => {
        const opacObjects = ids
          .slice(offset, offset + limit)
          .map((id) => ({ opacObjectId: id, title: `${id}` }));
        return { body: offset === 200 && limit > 1 ? body : JSON.stringify({ opacObjects }) };
      };
      for (const line of ['list --all -f ids', `export -o ${at('a.ndjson')}`]) {
        const { code, stderr } = await run(`objects ${line}`);
        expect({ line, code, stderr }).toEqual({ line, code: 6, stderr: expect.any(String) });
      }
    },
  );

  it.each(['', '--strict', '--window 200'])(
    'is incomplete if the service limits its total to its window: export %s',
    async (options) => {
      const { museum, run, at } = await setUp(505);
      const ids = Array.from({ length: 505 }, (_, n) => n + 1);
      museum.fault = ({ offset, limit }) => {
        if (offset + limit > 200) return { status: 400, body: '{"message":"Result window is too large"}' };
        const opacObjects = ids
          .slice(offset, offset + limit)
          .map((id) => ({ opacObjectId: id, title: `${id}` }));
        return { body: JSON.stringify({ opacObjects, totalObjects: 200 }) };
      };
      const { code, stderr } = await run(`objects export -o ${at('a.ndjson')} ${options}`.trim());
      expect({ code, stderr }).toEqual({
        code: 6,
        stderr: expect.stringContaining('the total may be a limit'),
      });
      expect((await run('objects list --all -f ids')).code).toBe(6);
      expect((await run(`sync ${at('m')} --kinds objects`)).code).toBe(6);
      offerOnlyObjects(museum);
      const check = await run('check --only paging');
      expect([check.code, check.stdout]).toEqual([7, expect.stringContaining('a total of all objects')]);
    },
  );

  it('causes a warning if the service does not state a total', async () => {
    const { museum, run, at } = await setUp(500);
    const opacObjects = Array.from({ length: 300 }, (_, n) => ({ opacObjectId: n + 1, title: `${n}` }));
    museum.fault = ({ offset, limit }) => ({
      body: JSON.stringify({ opacObjects: opacObjects.slice(offset, offset + limit) }),
    });
    const message = 'warning: the service does not state a total, so records may be missing';
    const list = await run('objects list --all -f ids');
    expect([list.code, list.stderr]).toEqual([0, expect.stringContaining(message)]);
    const { code, stderr } = await run(`objects export -o ${at('a.ndjson')}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining(message)]);
    const opacObjectFieldSets = [{ identifier: 'name', opacObjectFields: [{ value: 'a' }] }];
    museum.fault = ({ offset, limit }) => ({
      body: JSON.stringify({
        opacObjects: opacObjects
          .slice(offset, offset + limit)
          .map((each) => ({ ...each, opacObjectFieldSets })),
      }),
    });
    // A comparison of all ids confirms the list.
    const strict = await run(`objects export --strict -o ${at('b.ndjson')}`);
    expect([strict.code, strict.stderr]).toEqual([0, expect.not.stringContaining('total')]);
  });

  it.each([300, 350])(
    'is incomplete if the total is a limit, or pages that exceed it are empty (%i records)',
    async (size) => {
      const { museum, run, at } = await setUp(size);
      const opacObjects = Array.from({ length: size }, (_, n) => ({ opacObjectId: n + 1, title: `${n}` }));
      const total = 300;
      // Pages that begin within the limit are complete, or empty if they end beyond it.
      for (const isEmptied of [true, false]) {
        museum.fault = ({ offset, limit }) => {
          const isBeyond = offset >= total || (isEmptied && offset + limit > total);
          const page = isBeyond ? [] : opacObjects.slice(offset, offset + limit);
          return { body: JSON.stringify({ opacObjects: page, totalObjects: total }) };
        };
        const expected = size === total && !isEmptied ? 0 : 6;
        expect((await run('objects list --all -f ids')).code).toBe(expected);
        expect((await run(`objects export --force -o ${at('a.ndjson')}`)).code).toBe(expected);
      }
    },
  );

  it('fails check if a page of 100 records repeats one of them', async () => {
    const { museum, run } = await setUp(250);
    const records = Array.from({ length: 250 }, (_, n) => ({ opacObjectId: n + 1, title: `${n}` }));
    offerOnlyObjects(museum);
    for (const isRepeated of [false, true]) {
      museum.fault = ({ offset, limit }) => {
        const page = records.slice(offset, offset + Math.min(limit, 100));
        const opacObjects = page.map((record, n) => (isRepeated && n === 70 ? page[69] : record));
        return { body: JSON.stringify({ opacObjects, totalObjects: 250 }) };
      };
      const { stdout } = await run('check --only paging -f json');
      const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string }[] };
      const found = checks.find(({ id }) => id === 'paging.repeats')?.verdict;
      expect(found).toBe(isRepeated ? 'fail' : 'pass');
    }
  });

  it('reports the records missing from --limit, not from the total', async () => {
    const { museum, run } = await setUp(900);
    museum.fault = ({ offset }) =>
      offset >= 400 ? { body: '{"opacObjects":[],"totalObjects":900}' } : undefined;
    const { code, stderr } = await run('objects list --limit 500 -f ids');
    expect([code, stderr]).toEqual([6, expect.stringContaining('100 of 500 records were not received')]);
  });

  it('causes a warning if records have no fields', async () => {
    const { museum, run, at } = await setUp(3);
    const opacObjectFieldSets = [{ identifier: 'name', opacObjectFields: [{ value: 'a' }] }];
    const opacObjects = [
      { opacObjectId: 1, opacObjectFieldSets },
      { opacObjectId: 2, title: 'b' },
      { opacObjectId: 3 },
    ];
    museum.fault = () => ({ body: JSON.stringify({ opacObjects, totalObjects: 3 }) });
    const { code, stderr } = await run('objects list --all -f ndjson');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning: 2 of 3 records have no fields, fewer images than stated, or parts that opac cannot read',
      ),
    ]);
    const view = await run('objects list --all -f ids --view label');
    expect(view.stderr).toBe('');
    const strict = await run(`objects export --strict --view label -o ${at('a.csv')}`);
    expect([strict.code, strict.stderr]).toEqual([
      6,
      expect.stringContaining('1 of 3 records has no fields'),
    ]);
  });
});

describe('records with fields that opac cannot read', () => {
  it.each([
    ['an object', { accession_no: 'X1' }],
    ['text', 'oops'],
    ['a set without an identifier', [{ opacObjectFields: [{ value: 'X1' }] }]],
    ['a set with an empty identifier', [{ identifier: '', opacObjectFields: [{ value: 'X1' }] }]],
    ['a set of text', ['X1']],
    ['values that are an object', [{ identifier: 'accession_no', opacObjectFields: { value: 'X1' } }]],
    ['a value under another key', [{ identifier: 'accession_no', opacObjectFields: [{ text: 'X1' }] }]],
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
    const message = '1 of 3 records has no fields, fewer images than stated, or parts that opac cannot read';
    const lax = await run(`objects export -o ${at('a.csv')}`);
    expect([lax.code, lax.stderr]).toEqual([0, expect.stringContaining(message)]);
    const strict = await run(`objects export --strict -o ${at('b.csv')}`);
    expect([strict.code, strict.stderr]).toEqual([6, expect.stringContaining(message)]);
    expect((await run('objects list --all -f csv')).stderr).toContain(message);
  });

  it.each(['imagesCollection', 'relationshipsCollection'])('are reported: %s', async (key) => {
    const { museum, run, at } = await setUp(3);
    const list = key === 'imagesCollection' ? 'images' : 'relationships';
    for (const part of [['x'], { [list]: { imageId: '1' } }]) {
      const opacObjects = [{ opacObjectId: 1, title: 'one', [key]: part }];
      museum.fault = ({ offset, limit }) => ({
        body: JSON.stringify({ opacObjects: opacObjects.slice(offset, offset + limit), totalObjects: 1 }),
      });
      const { code, stderr } = await run(`objects export --force --strict -o ${at('a.csv')}`);
      expect([code, stderr]).toEqual([
        6,
        expect.stringContaining('1 of 1 record has no fields, fewer images than stated, or parts'),
      ]);
    }
  });

  it('are reported if a record has fewer images than it states', async () => {
    const { museum, run, at } = await setUp(3);
    const opacObjectFieldSets = [{ identifier: 'name', opacObjectFields: [{ value: 'a' }] }];
    const opacObjects = [[], [{ imageId: '1' }]].map((images, n) => ({
      opacObjectId: n + 1,
      opacObjectFieldSets,
      imagesCollection: { images, totalImages: 1 },
    }));
    museum.fault = () => ({ body: JSON.stringify({ opacObjects, totalObjects: 2 }) });
    const message = '1 of 2 records has no fields, fewer images than stated';
    expect((await run('objects list --all -f csv')).stderr).toContain(message);
    expect((await run('objects list --all -f csv --view label')).stderr).toBe('');
    const strict = await run(`objects export --strict -o ${at('a.csv')}`);
    expect([strict.code, strict.stderr]).toEqual([6, expect.stringContaining(message)]);
  });

  it('do not include empty values', async () => {
    const { museum, run, at } = await setUp(3);
    const sets = [null, {}, { identifier: '' }, { identifier: 'a', opacObjectFields: null }];
    const values = [
      null,
      {},
      { value: null },
      { value: 0 },
      { value: ['x'] },
      'text',
      { opacObjectFieldAttributes: [] },
    ];
    const opacObjectFieldSets = [...sets, { identifier: 'name', opacObjectFields: values }];
    const others = { imagesCollection: null, relationshipsCollection: { relationships: null } };
    const opacObjects = [{ opacObjectId: 1, title: 'one', opacObjectFieldSets, ...others }];
    museum.fault = ({ offset, limit }) => ({
      body: JSON.stringify({ opacObjects: opacObjects.slice(offset, offset + limit), totalObjects: 1 }),
    });
    const { code, stderr } = await run(`objects export --strict -o ${at('a.csv')}`);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('cannot read')]);
  });
});

describe('values that a format cannot contain', () => {
  it.each([
    ['csv', '\\ud800', 'half of a surrogate pair'],
    ['parquet', '\\ud800', '2 values contain half of a surrogate pair'],
    ['xlsx', 'x'.repeat(40_000), 'cut to 32,767 characters'],
  ])('are a warning, and an export is incomplete with --strict: %s', async (ending, value, message) => {
    const { museum, run, at } = await setUp(3);
    const record = `{"opacObjectId":1,"title":"one","opacObjectFieldSets":[{"identifier":"name","opacObjectFields":[{"value":"${value}"}]}]}`;
    museum.fault = ({ offset, limit }) => ({
      body: `{"opacObjects":[${offset === 0 && limit > 0 ? record : ''}],"totalObjects":1}`,
    });
    const file = at(`a.${ending}`);
    const lax = await run(`objects export -o ${file}`);
    expect([lax.code, lax.stderr]).toEqual([0, expect.stringContaining(message)]);
    const before = await readFile(file);
    const strict = await run(`objects export --strict -o ${file}`);
    expect([strict.code, strict.stderr]).toEqual([6, expect.stringContaining(message)]);
    expect(strict.stderr).toContain('run it without --strict');
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await run(`objects export --strict -f ${ending} -o ${at('b.out')}`)).code).toBe(6);
    expect((await run(`objects export --strict -f ndjson -o ${at('b.ndjson')}`)).code).toBe(0);
  });
});

describe('get --by', () => {
  it('reports an unknown field instead of a missing column of the file', async () => {
    const { run, at } = await setUp(3);
    await writeFile(at('list.csv'), 'Accession number,Note\nA1,x\n');
    const { code, stderr } = await run(`objects get @${at('list.csv')} --by no_such_field`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown field "no_such_field"')]);
  });
});

describe('captions', () => {
  it('have no HTML with --plain-text, in tables and in flat JSON', async () => {
    const { museum, run } = await setUp(1);
    const imagesCollection = { images: [{ imageId: '1', caption: '<p>A &amp; B</p>' }], totalImages: 1 };
    const opacObjects = [{ opacObjectId: 1, title: 'one', imagesCollection }];
    museum.fault = ({ offset, limit }) => ({
      body: JSON.stringify({ opacObjects: opacObjects.slice(offset, offset + limit), totalObjects: 1 }),
    });
    for (const format of ['-f csv --columns id,image.caption', '-f ndjson --flat']) {
      const { stdout } = await run(`objects export ${format} --plain-text`);
      expect(stdout).toContain('A & B');
      expect(stdout).not.toContain('<p>');
    }
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

it.each([
  {},
  { slug: 'a', imagesCollection: { images: [{ imageId: 1 }] }, opacObjectFieldSets: [] },
  { slug: 'a'.repeat(300), opacObjectFieldSets: null },
  { opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: '' }] }] },
  { error: 'timeout reading record' },
])(
  'keeps the mirror, and fails sync --strict and export --strict, if a page has no fields: %j',
  async (rest) => {
    const { museum, run, at } = await setUp(250);
    expect((await run(`sync ${at('m')} --kinds objects -q`)).code).toBe(0);
    const before = await readFile(at('m/objects.ndjson.gz'));
    const opacObjects = Array.from({ length: 100 }, (_, n) => ({ opacObjectId: n + 101, ...rest }));
    museum.fault = ({ offset, limit, isStub }) =>
      offset === 100 && limit > 1 && !isStub
        ? { body: JSON.stringify({ opacObjects, totalObjects: 250 }) }
        : undefined;
    const { code, stderr } = await run(`sync ${at('m')} --kinds objects --strict`);
    expect([code, stderr]).toEqual([6, expect.stringContaining('100 of 250 records have no fields')]);
    expect((await readFile(at('m/objects.ndjson.gz'))).equals(before)).toBe(true);
    expect((await run(`sync ${at('m')} --kinds objects`)).code).toBe(0);
    const exported = await run(`objects export --strict -o ${at('a.csv')}`);
    expect([exported.code, exported.stderr]).toEqual([
      6,
      expect.stringContaining('100 of 250 records have no fields'),
    ]);
  },
);

it('reads UTF-8 that is labelled as another charset', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json; charset=iso-8859-1');
    response.end('{"opacObjects":[{"opacObjectId":1,"title":"Pūtōrino"}],"totalObjects":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const line = `objects list --columns title -f csv --limit 1 --base-url http://127.0.0.1:${port}`;
  expect((await opac(line.split(' '))).stdout).toBe('title\nPūtōrino\n');
});

it.runIf(process.platform !== 'win32')('gives a change log the mode 600 of the snapshot', async () => {
  const { museum, run, at } = await setUp(3);
  expect((await run(`sync ${at('m')} --kinds objects -q`)).code).toBe(0);
  await chmod(at('m/objects.ndjson.gz'), 0o600);
  museum.records.objects = createRecords(4);
  expect((await run(`sync ${at('m')} --kinds objects -q`)).code).toBe(0);
  const [log = ''] = await readdir(at('m/changes'));
  expect((await stat(at(`m/changes/${log}`))).mode & 0o777).toBe(0o600);
});

it('repeats the request for ids of export --strict if a response is not a list', async () => {
  const { museum, at } = await setUp(250);
  let responses = 0;
  museum.fault = ({ isStub }) =>
    isStub && responses++ % 3 === 1 ? { body: '{"message":"busy"}' } : undefined;
  const line = `objects export --strict -o ${at('a.ids')} --base-url ${museum.url} --retries 2`;
  expect(await opac(line.split(' '))).toMatchObject({ code: 0 });
  expect(responses).toBeGreaterThan(3);
});
