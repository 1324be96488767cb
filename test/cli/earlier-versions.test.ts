/** Files of other versions: opac reads those of an earlier version, or refuses them and does not change them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { opac } from './run-in-process.js';

/** A manifest of five ids, with the keys that the first version wrote. */
const MANIFEST = {
  format: 1,
  tool: 'opac 0.1.0',
  command: 'opac objects export -f ids --limit 5 -o old.ids',
  job: {
    deployment: 'http://127.0.0.1:8795',
    kind: 'objects',
    query: [['view', 'detail']],
    format: 'ids',
    flat: false,
    split: 0,
    offset: 0,
    limit: 5,
  },
  complete: true,
  reasons: [],
  warnings: [],
  files: [
    {
      name: 'old.ids',
      bytes: 30,
      sha256: 'ce45a560ffc3fee96fd03dd21d820ab27b8556feeb1d845ccad7370ef3a96f90',
      records: 5,
    },
  ],
  started: '2026-11-22T03:21:36.248Z',
  finished: '2026-11-22T03:21:36.721Z',
  elapsed: 205,
  resumed: 0,
  totals: { first: 163, last: 163, drift: [{ offset: 0, total: 163 }] },
  received: 5,
  records: 5,
  duplicates: 0,
  withoutId: 0,
  gaps: [],
  notFound: [],
  columns: [],
  formulas: 0,
  pages: [[0, 5, 0]],
};

/** A checkpoint with the keys of the first version. The export of ids was killed after two pages. */
const createCheckpoint = (deployment: string, format: number) => ({
  format,
  job: { ...MANIFEST.job, deployment, limit: null },
  started: '2026-11-22T03:22:22.510Z',
  next: 40,
  bytes: 240,
  headBytes: 0,
  idsBytes: 320,
  columns: [],
  widths: [],
  splits: [],
  formulas: 0,
  notFound: [],
  tally: {
    received: 40,
    written: 40,
    duplicates: 0,
    withoutId: 0,
    drift: [{ offset: 0, total: 163 }],
    elapsed: 2647,
    resumed: 0,
  },
  pages: [
    [0, 20, 0],
    [20, 20, 0],
  ],
});

describe('a manifest', () => {
  it.each([
    ['is read if the first version wrote it', 1, 0, 'complete; 5 records, exported 2026-11-22T03:21:36.721Z'],
    [
      'is refused if a later version wrote it',
      2,
      2,
      'a newer version of opac wrote it (format 2, this version reads up to 1)',
    ],
  ])('%s', async (_, format, code, message) => {
    const file = join(await createTemporaryFolder(), 'old.ids');
    await writeFile(file, '20011\n20022\n20033\n20044\n20055\n');
    await writeFile(`${file}.manifest.json`, JSON.stringify({ ...MANIFEST, format }));
    const result = await opac(['verify', file]);
    expect(result.code).toBe(code);
    expect(result.stdout + result.stderr).toContain(message);
  });
});

describe('a checkpoint', () => {
  it.each([
    [
      'is refused and not changed if the first version wrote it',
      1,
      'another version of opac wrote it (format 1',
    ],
    [
      'is refused and not changed if a later version wrote it',
      3,
      'a newer version of opac wrote it (format 3',
    ],
  ])('%s', async (_, format, message) => {
    const museum = await startMuseum();
    onTestFinished(() => museum.close());
    const ids = Array.from({ length: 40 }, (_, n) => String(20_000 + n));
    const file = join(await createTemporaryFolder(), 'old.ids');
    await writeFile(`${file}.part`, ids.map((id) => `${id}\n`).join(''));
    await writeFile(`${file}.part.ids`, ids.map((id) => `${JSON.stringify(id)}\n`).join(''));
    await writeFile(`${file}.part.json`, JSON.stringify(createCheckpoint(museum.url, format)));
    const words = ['objects', 'export', '-f', 'ids', '-o', file, '--base-url', museum.url];
    for (const more of [[], ['--resume']]) {
      const refused = await opac([...words, ...more]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(await readFile(`${file}.part`, 'utf8')).toHaveLength(240);
    }
    expect((await opac([...words, '--force'])).code).toBe(0);
  });
});

describe('profiles.json', () => {
  const profiles = { museum: { baseUrl: 'https://museum.example', scheme: 'anonymous' } };

  it('is read without a format, and gets one with the next change', async () => {
    const folder = await createTemporaryFolder();
    const file = join(folder, 'profiles.json');
    await writeFile(file, JSON.stringify({ current: 'museum', profiles }), { mode: 0o600 });
    const environment = { OPAC_CONFIG_DIR: folder };
    expect((await opac(['profiles', 'list', '-f', 'ids'], { environment })).stdout).toBe('museum\n');
    await opac(['profiles', 'set', 'museum', 'rate', '5'], { environment });
    const settings = { rate: '5' };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      format: 1,
      current: 'museum',
      profiles: { museum: { ...profiles.museum, settings } },
    });
  });

  it.each([
    { format: 2, profiles },
    { format: 2, profiles: [] },
  ])('is refused and not changed if a later version wrote it: %j', async (contents) => {
    const folder = await createTemporaryFolder();
    const file = join(folder, 'profiles.json');
    await writeFile(file, JSON.stringify(contents), { mode: 0o600 });
    const { code, stderr } = await opac(['profiles', 'use', 'museum'], {
      environment: { OPAC_CONFIG_DIR: folder },
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('(format 2, this version reads up to 1); update opac'),
    });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(contents);
  });
});
