/** Finds exported files that were compressed or renamed, and their manifests. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  describeRenamedFile,
  findExportedFile,
  findManifestByContent,
  findManifestOfUncompressed,
} from '../../../src/export/verify/find-exported-file.js';
import { EMPTY_MANIFEST } from '../empty-manifest.js';
import { withFolder } from '../export-setup.js';

const FILE = {
  name: 'o.csv',
  bytes: 3,
  sha256: createHash('sha256').update('id\n').digest('hex'),
  records: 0,
};

it('finds a file at its original path, or compressed next to it', () =>
  withFolder(async (path) => {
    const findPath = async () => {
      const { path: place, added } = await findExportedFile(path('.'), FILE);
      return [place.slice(path('.').length + 1), added !== undefined];
    };
    expect(await findPath()).toEqual(['o.csv', false]);
    await writeFile(path('o.csv.gz'), '');
    expect(await findPath()).toEqual(['o.csv.gz', true]);
    await writeFile(path('o.csv'), '');
    expect(await findPath()).toEqual(['o.csv', false]);
  }));

it.each([
  ['a.csv.gz', 'o.csv', true],
  ['a.csv', 'o.csv', false],
  ['a.csv.gz', 'o.csv.gz', false],
  ['a.csv', 'o.csv.gz', false],
])('detects if %s, exported as %s, was compressed after the export: %s', (path, name, isAdded) => {
  const place = describeRenamedFile(path, { ...FILE, name });
  expect([place.path, place.added !== undefined]).toEqual([path, isAdded]);
});

it.each([
  ['d/o.csv.gz', 'd/o.csv.manifest.json'],
  ['o.csv.zst', 'o.csv.manifest.json'],
  ['o.csv', undefined],
  ['o.gz.csv', undefined],
])('finds for %s the manifest %s', (path, manifest) => {
  expect(findManifestOfUncompressed(path)).toBe(manifest);
});

it('finds a manifest by the content of its only file', () =>
  withFolder(async (path) => {
    const write = (name: string, files: unknown) =>
      writeFile(path(name), JSON.stringify({ ...EMPTY_MANIFEST, files }));
    await writeFile(path('new.csv'), 'id\n');
    await writeFile(path('new.csv.gz'), gzipSync('id\n'));
    await writeFile(path('cut.csv.gz'), gzipSync('id\n').subarray(0, 12));
    await writeFile(path('other.csv'), 'ix\n');
    await write('a.manifest.json', [FILE, FILE]);
    await write('b.manifest.json', []);
    await write('c.manifest.json', 7);
    await write('d.json', [FILE]);
    expect(await findManifestByContent(path('new.csv'))).toBeUndefined();
    await write('e.manifest.json', [FILE]);
    for (const name of ['new.csv', 'new.csv.gz'])
      expect(await findManifestByContent(path(name))).toBe(path('e.manifest.json'));
    await mkdir(path('folder'));
    for (const name of ['other.csv', 'cut.csv.gz', 'folder', 'none.csv'])
      expect(await findManifestByContent(path(name)), name).toBeUndefined();
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(findManifestByContent(path('new.csv'), stopped)).rejects.toThrow('stopped');
  }));
