/** Manifests and checkpoints that others wrote: a wrong one is said to be wrong, by its place, and costs no record. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECKPOINT_FORMAT, readCheckpoint } from '../../src/export/run/checkpoint.js';
import { opac } from '../cli/run-in-process.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-foreign-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a manifest', () => {
  it.each<[string, (manifest: Record<string, unknown>) => unknown]>([
    ['files', ({ files: _, ...rest }) => rest],
    [
      'files',
      (manifest) => ({
        ...manifest,
        files: [{ name: '../../etc/passwd', bytes: 1, sha256: '', records: 1 }],
      }),
    ],
    ['files', (manifest) => ({ ...manifest, files: [null] })],
    ['files', (manifest) => ({ ...manifest, files: [{ name: 'o.csv', bytes: -5, sha256: '', records: 1 }] })],
    ['job', (manifest) => ({ ...manifest, job: null })],
    ['reasons', (manifest) => ({ ...manifest, complete: false, reasons: 7 })],
    ['totals', (manifest) => ({ ...manifest, totals: [] })],
    ['records', (manifest) => ({ ...manifest, records: '3' })],
  ])('with wrong %s is a mistake of usage, by its place', async (place, change) => {
    const target = join(await newFolder(), 'o.csv');
    expect((await opac(['objects', 'export', '--mock', '-o', target, '--limit', '3'])).code).toBe(0);
    const path = `${target}.manifest.json`;
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify(change(manifest)));
    const { code, stderr } = await opac(['verify', target]);
    expect(stderr).toContain(`its "${place}" is damaged`);
    expect(code).toBe(2);
  });
});

describe('a checkpoint', () => {
  const job = { deployment: 'https://m.example', kind: 'objects', query: [], format: 'csv' };
  const right = {
    format: CHECKPOINT_FORMAT,
    job,
    started: '2026-01-01T00:00:00.000Z',
    next: 5,
    bytes: 100,
    headBytes: 0,
    idsBytes: 10,
    columns: ['id'],
    widths: [[0, 1]],
    splits: [],
    formulas: 0,
    notFound: [],
    tally: {},
    pages: [[0, 5, 0]],
  };
  const read = async (checkpoint: unknown) => {
    const path = join(await newFolder(), 'o.csv.part.json');
    await writeFile(path, JSON.stringify(checkpoint));
    return readCheckpoint(path, job);
  };

  it('of the right shape is read', async () => {
    expect(await read(right)).toEqual(right);
  });

  it.each<[string, unknown]>([
    ['bytes', -5],
    ['bytes', 1.5],
    ['next', '5'],
    ['idsBytes', null],
    ['columns', 'id'],
    ['widths', [[0]]],
    ['splits', [-1]],
    ['pages', [{}]],
    ['job', null],
    ['notFound', [7]],
  ])('with wrong %s is refused', async (place, value) => {
    await expect(read({ ...right, [place]: value })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(`its "${place}" is damaged`),
    });
  });
});
