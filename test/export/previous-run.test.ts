/** What an export takes over from the one that stands at its target. */
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

async function takenOver({ name = 'o.csv', file = '', manifest, spec, formatOptions }: Before) {
  let columns: readonly string[] = [];
  await withFolder(async (path) => {
    if (file !== undefined) await writeFile(path(name), file);
    if (manifest) await writeFile(path(`${name}.manifest.json`), JSON.stringify(manifest));
    const target = createExportPaths(path(name));
    ({ columns } = await readPreviousExport(target, { ...SPEC, ...spec }, { ...SHAPE, ...formatOptions }));
  });
  return columns;
}

describe('the columns of the export before', () => {
  it.each<[string, Before]>([
    ['of the same search', { manifest: MANIFEST }],
    ['with other options', { manifest: { ...MANIFEST, job: { ...SPEC, multi: 'json' } } }],
  ])('stay %s', async (_, given) => {
    expect(await takenOver(given)).toEqual(COLUMNS);
  });

  it.each<[string, Before]>([
    ['there is none', {}],
    ['columns are chosen', { manifest: MANIFEST, formatOptions: { chosen: [] } }],
    ['it is no table', { manifest: MANIFEST, formatOptions: { dialect: undefined } }],
    ['it is of another deployment', { manifest: MANIFEST, spec: { deployment: 'https://other.example' } }],
    ['it is of another kind', { manifest: MANIFEST, spec: { kind: 'persons' } }],
    ['it is of another query', { manifest: MANIFEST, spec: { query: [['query', 'b']] } }],
    ['it has other columns', { manifest: MANIFEST, spec: { columns: 'all' } }],
    [
      'its files are gone',
      { manifest: { ...MANIFEST, files: [{ ...MANIFEST.files[0], name: 'gone.csv' }] } },
    ],
    ['it has no files', { manifest: { ...MANIFEST, files: [] } }],
    ['they are not all of a record', { manifest: { ...MANIFEST, columns: ['id', 'maker'] } }],
    ['it has no manifest', { file: `${COLUMNS.join(',')}\n` }],
    ['the file is not there', { file: undefined }],
  ])('do not where %s', async (_, given) => {
    expect(await takenOver(given)).toEqual([]);
  });
});
