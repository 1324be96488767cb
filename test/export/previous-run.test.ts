/** The columns that an export reuses from the earlier export at its target. */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createExportPaths } from '../../src/export/export-paths.js';
import { readPreviousExport } from '../../src/export/previous-run.js';
import { CSV } from '../../src/records/cells/dialect.js';
import { RECORD_COLUMN_NAMES } from '../../src/service/records/columns.js';
import { EMPTY_MANIFEST } from './empty-manifest.js';
import { withFolder } from './export-setup.js';

const SPEC = {
  deployment: 'https://museum.example',
  kind: 'objects',
  query: [['query', 'a']],
  format: 'csv',
  columns: 'found',
} as const;
const SHAPE = { chosen: undefined, dialect: CSV };
const COLUMNS = [...RECORD_COLUMN_NAMES, 'maker', 'date'];

const FILE = { name: 'o.csv', bytes: 1, sha256: '', records: 1 };
const MANIFEST = { ...EMPTY_MANIFEST, job: SPEC, files: [FILE], columns: COLUMNS };

interface Before {
  readonly name?: string;
  readonly file?: string | undefined;
  readonly manifest?: object | undefined;
  readonly spec?: object;
  readonly formatOptions?: object;
}

async function readColumns({ name = 'o.csv', file = '', manifest, spec, formatOptions }: Before) {
  let columns: readonly string[] = [];
  await withFolder(async (path) => {
    if (file !== undefined) await writeFile(path(name), file);
    if (manifest) await writeFile(path(`${name}.manifest.json`), JSON.stringify(manifest));
    const target = createExportPaths(path(name));
    ({ columns } = await readPreviousExport(target, { ...SPEC, ...spec }, { ...SHAPE, ...formatOptions }));
  });
  return columns;
}

describe('readPreviousExport', () => {
  it.each<[string, Before]>([
    ['of the same search', { manifest: MANIFEST }],
    ['of the same search with other options', { manifest: { ...MANIFEST, job: { ...SPEC, multi: 'json' } } }],
  ])('returns the columns of an earlier export %s', async (_, before) => {
    expect(await readColumns(before)).toEqual(COLUMNS);
  });

  it.each<[string, Before]>([
    ['the earlier file is empty and has no manifest', {}],
    ['the new export selects columns', { manifest: MANIFEST, formatOptions: { chosen: [] } }],
    ['the new export is not a table', { manifest: MANIFEST, formatOptions: { dialect: undefined } }],
    ['the deployment differs', { manifest: MANIFEST, spec: { deployment: 'https://other.example' } }],
    ['the kind differs', { manifest: MANIFEST, spec: { kind: 'persons' } }],
    ['the query differs', { manifest: MANIFEST, spec: { query: [['query', 'b']] } }],
    ['the option for columns differs', { manifest: MANIFEST, spec: { columns: 'all' } }],
    [
      'the earlier files are missing',
      { manifest: { ...MANIFEST, files: [{ ...MANIFEST.files[0], name: 'gone.csv' }] } },
    ],
    ['the earlier manifest lists no files', { manifest: { ...MANIFEST, files: [] } }],
    ['the earlier columns lack standard columns', { manifest: { ...MANIFEST, columns: ['id', 'maker'] } }],
    ['the earlier file has no manifest', { file: `${COLUMNS.join(',')}\n` }],
    ['there is no earlier export', { file: undefined }],
  ])('returns no columns if %s', async (_, before) => {
    expect(await readColumns(before)).toEqual([]);
  });
});
