import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openKeptIndex } from '../../../src/cli/from/kept-index.js';
// @ts-expect-error: a script of the bench, without types.
import { recordOf } from '../../bench/records.js';
import { randomSearches } from '../random-searches.js';
import { opac } from '../run-in-process.js';

/** Test files share their modules: those that others have loaded have the file system without what is watched here. */
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('node:fs');
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

/** The files that were read whole, which nothing else opens as a stream. */
const readWhole = vi.hoisted(() => [] as string[]);
/** Nothing can be written to files that are open. */
const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const createReadStream: typeof fs.createReadStream = (path, options) => {
    readWhole.push(String(path));
    return fs.createReadStream(path, options);
  };
  const writeSync = (...to: Parameters<typeof fs.writeSync>) => {
    if (disk.isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    return fs.writeSync(...to);
  };
  return { ...fs, createReadStream, writeSync };
});

const handles = vi.hoisted(() => [] as { readonly fd: number }[]);
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const open = async (...of: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...of);
    handles.push(handle);
    return handle;
  };
  return { ...fs, open };
});

const LINES = Array.from({ length: 450 }, (_, n) => JSON.stringify(recordOf(n)));

let folder: string;
let cache: string;
let plain: string;
let compressed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-kept-'));
  [cache, plain, compressed] = [
    join(folder, 'cache'),
    join(folder, 'plain.ndjson'),
    join(folder, 'ō.json.gz'),
  ];
  await writeFile(compressed, gzipSync(`[${LINES.join(',\n')}]`, { level: 0 }));
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  await rm(cache, { recursive: true, force: true });
  await writeFile(plain, `${LINES.join('\n')}\n`);
  readWhole.length = 0;
  // Files that changed within the last two seconds are not kept.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
});
afterEach(() => {
  vi.useRealTimers();
  // A closed handle has none.
  expect(handles.splice(0).filter(({ fd }) => fd !== -1)).toEqual([]);
});

const run = (words: readonly string[], ...files: readonly string[]) =>
  opac([...words, '--from', ...files], { environment: { OPAC_CONFIG_DIR: folder } });
const without = (words: readonly string[], ...files: readonly string[]) =>
  opac([...words, '--from', ...files], { environment: { OPAC_CONFIG_DIR: folder, OPAC_CACHE: 'no' } });

const SEARCH = ['objects', 'list', 'glass', '--sort', 'name', '-f', 'ndjson'];

async function indexes(): Promise<string[]> {
  const names = (await readdir(cache)).filter((name) => name.startsWith('records-'));
  return names.map((name) => join(cache, name));
}

async function keptIndex(): Promise<string> {
  await run(SEARCH, plain);
  const [index = '', ...others] = await indexes();
  expect(others).toEqual([]);
  readWhole.length = 0;
  return index;
}

describe('the second command on the same files', () => {
  it('gives the same bytes, and reads none of them whole', async () => {
    for (const path of [plain, compressed]) {
      const expected = await without(SEARCH, path);
      expect(expected.stdout).toContain('opacObjectId');
      expect(await run(SEARCH, path), path).toEqual(expected);
      readWhole.length = 0;
      for (const words of [
        ...randomSearches(LINES, 'objects', 12),
        ['objects', 'get', '1000100', '1000009'],
        ['objects', 'get', '7'],
        ['facets', 'list', 'objects', '-f', 'json'],
        ['objects', 'fields', '--all', '-f', 'json'],
        ['collections', 'list', '-f', 'json'],
        ['imagelabels', 'list', '-f', 'json'],
        ['images', 'list', '-f', 'json'],
        ['relationships', 'list', 'objects', '-f', 'json'],
        ['persons', 'list'],
      ]) {
        const kept = await run(words, path);
        // What no search narrows is converted as it is read.
        if (words[1] !== 'export') expect(readWhole, words.join(' ')).toEqual([]);
        expect(kept, words.join(' ')).toEqual(await without(words, path));
        readWhole.length = 0;
      }
    }
  }, 30_000);

  it('is answered from one index for all of them, that only the user can read', async () => {
    const persons = join(folder, 'persons.ndjson');
    await writeFile(persons, '{"opacPersonId":"1"}');
    for (const words of [SEARCH, ['records', 'count']])
      expect(await run(words, plain, persons)).toEqual(await without(words, plain, persons));
    const [index = '', ...others] = await indexes();
    expect(others).toEqual([]);
    expect((await lstat(index)).mode & 0o777).toBe(0o600);
    expect((await lstat(cache)).mode & 0o777).toBe(0o700);
  });

  it('may be made by two commands at once', async () => {
    const expected = await without(SEARCH, plain);
    expect(await Promise.all([run(SEARCH, plain), run(SEARCH, plain)])).toEqual([expected, expected]);
    expect(await indexes()).toHaveLength(1);
  });
});

describe('files that have changed', () => {
  it('are read again, also with the same size, time, begin and end', async () => {
    await keptIndex();
    const { atime, mtime } = await lstat(plain);
    const text = await readFile(plain, 'utf8');
    const middle = text.indexOf('"name"', text.length / 2);
    await writeFile(plain, `${text.slice(0, middle)}"eman"${text.slice(middle + 6)}`);
    await utimes(plain, atime, mtime);
    const fields = ['objects', 'fields', '--all', '-f', 'csv'];
    const changed = await run(fields, plain);
    expect(changed.stdout).toContain('eman');
    expect(changed).toEqual(await without(fields, plain));
    expect(await indexes()).toHaveLength(1);
  });

  it('are not kept in the moment of the change, which may not be the last', async () => {
    vi.useRealTimers();
    await writeFile(plain, LINES.join('\n'));
    expect((await run(SEARCH, plain)).code).toBe(0);
    expect(await indexes()).toEqual([]);
  });

  it('say so when they change under a command', async () => {
    await keptIndex();
    const index = await openKeptIndex([plain], cache, undefined);
    index?.assertUnchanged();
    await appendFile(plain, '{"opacObjectId":"9"}\n');
    expect(() => index?.assertUnchanged()).toThrow(`"${plain}" changed while it was read`);
    await index?.close();
  });

  it('name what is wrong with them as without an index', async () => {
    for (const [line, words] of [
      ['{"opacObjectId":"9", nothing}', SEARCH],
      ['{"opacObjectId":"9", nothing}', ['objects', 'count']],
      ['{"opacObjectId":"1000001"}', SEARCH],
      ['{"opacObjectId":"9"', SEARCH],
    ] as const) {
      await writeFile(plain, `${LINES.join('\n')}\n${line}`);
      expect(await run(words, plain), line).toEqual(await without(words, plain));
    }
    expect(await indexes()).toEqual([]);
  });
});

describe('an index that is none', () => {
  it('is made again: of any other content', async () => {
    const index = await keptIndex();
    const whole = await readFile(index);
    const expected = await without(SEARCH, plain);
    const flipped = (at: number) => whole.with(at, (whole[at] as number) ^ 1);
    const others = [
      Buffer.alloc(0),
      Buffer.from('null'.padStart(64)),
      whole.subarray(0, whole.length - 100),
      whole.subarray(1),
      Buffer.concat([whole, whole.subarray(0, 7)]),
      ...Array.from({ length: 16 }, (_, n) => flipped(Math.floor((n * (whole.length - 1)) / 15))),
    ];
    for (const [number, other] of others.entries()) {
      await writeFile(index, other);
      expect(await run(SEARCH, plain), String(number)).toEqual(expected);
      expect(await run(['objects', 'count'], plain), String(number)).toMatchObject({
        code: 0,
        stdout: '450\n',
      });
    }
  }, 30_000);

  it('is made again: a link, a file of others, a folder', async () => {
    const index = await keptIndex();
    const expected = await without(SEARCH, plain);
    const elsewhere = join(folder, 'elsewhere');
    for (const plant of [
      async () => {
        await rename(index, elsewhere);
        await symlink(elsewhere, index);
      },
      () => chmod(index, 0o666),
    ]) {
      await plant();
      readWhole.length = 0;
      expect(await run(SEARCH, plain)).toEqual(expected);
      expect(readWhole).toEqual([plain]);
      const found = await lstat(index);
      expect({ isFile: found.isFile(), mode: found.mode & 0o777 }).toEqual({ isFile: true, mode: 0o600 });
    }
    await rm(index);
    await mkdir(index);
    expect(await run(SEARCH, plain)).toEqual(expected);
  });

  it.each([
    ['a link to a folder', () => symlink(tmpdir(), cache)],
    ['a folder that others can write to', () => mkdir(cache).then(() => chmod(cache, 0o777))],
    ['a file', () => writeFile(cache, '')],
  ])('is not written where the folder is %s', async (_, make) => {
    await make();
    const before = await readdir(tmpdir());
    expect(await run(SEARCH, plain)).toEqual(await without(SEARCH, plain));
    const after = await readdir(tmpdir());
    expect(after.filter((name) => name.startsWith('records-') && !before.includes(name))).toEqual([]);
  });

  it('is not left on a full disk', async () => {
    const expected = await without(SEARCH, plain);
    disk.isFull = true;
    expect(await run(SEARCH, plain)).toEqual(expected);
    disk.isFull = false;
    expect(await indexes()).toEqual([]);
    expect(await run(SEARCH, plain)).toEqual(expected);
    expect(await indexes()).toHaveLength(1);
  });

  it('is not made of small files, nor with OPAC_CACHE=no', async () => {
    const small = join(folder, 'small.ndjson');
    await writeFile(small, LINES.slice(0, 9).join('\n'));
    await run(SEARCH, small);
    expect(await indexes()).toEqual([]);
    await rm(cache, { recursive: true });
    await without(SEARCH, plain);
    await expect(readdir(cache)).rejects.toThrow('ENOENT');
    const { code, stderr } = await opac(['objects', 'count', '--from', plain], {
      environment: { OPAC_CACHE: 'off' },
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('invalid value "off" for OPAC_CACHE'),
    });
  });
});

it('removes the indexes used longest ago when they are too large together, and what killed processes left', async () => {
  await mkdir(cache, { mode: 0o700 });
  const [old, older, part, other] = [
    'records-1.index',
    'records-2.index',
    'records-3.index.7.ab',
    'mine',
  ].map((name) => join(cache, name)) as [string, string, string, string];
  for (const [age, path] of [old, older, part, other].entries()) {
    await writeFile(path, '');
    const time = new Date(Date.now() - (age + 2) * 3_600_000);
    // Sparse: takes no room.
    if (path !== part) await truncate(path, 1_500_000_000);
    await utimes(path, time, time);
  }
  await run(SEARCH, plain);
  const names = await readdir(cache);
  expect(names).toContain('records-1.index');
  expect(names).toContain('mine');
  expect(names.filter((name) => name.startsWith('records-'))).toHaveLength(2);
});
