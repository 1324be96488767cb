/** The paths of the files of an export, and the targets that opac refuses. */
import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  assertWritable,
  createExportPaths,
  incompletePath,
  splitPath,
} from '../../../src/export/export-paths.js';
import { formatAgeWarning } from '../../../src/export/verify/completeness.js';
import { withFolder } from '../export-setup.js';

it.each([
  ['o.csv', 'o-001.csv', 'o.incomplete.csv'],
  ['d.x/o.csv.gz', 'd.x/o-001.csv.gz', 'd.x/o.incomplete.csv.gz'],
  ['o', 'o-001', 'o.incomplete'],
  ['.o', '.o-001', '.o.incomplete'],
])('splits %s into %s, and uses %s for an incomplete export', (path, first, incomplete) => {
  expect([splitPath(path, 1), incompletePath(path)]).toEqual([first, incomplete]);
  expect(splitPath(path, 1234)).toBe(first.replace('001', '1234'));
});

it('places the files of the export next to the target', () => {
  const target = createExportPaths('d/o.csv.gz', 7);
  expect(target).toEqual({
    path: 'd/o.csv.gz',
    folder: 'd',
    compression: expect.anything(),
    split: 7,
    partialFile: 'd/o.csv.gz.part',
    checkpoint: 'd/o.csv.gz.part.json',
    lock: 'd/o.csv.gz.lock',
  });
});

it.runIf(process.platform !== 'win32')('refuses a folder and a device (needs /dev)', () =>
  withFolder(async (path) => {
    await mkdir(path('o.csv'));
    await expect(assertWritable(createExportPaths(path('o.csv')))).rejects.toMatchObject({
      kind: 'internal',
      message: `cannot write "${path('o.csv')}": it is a folder`,
      hint: 'name a file in this folder',
    });
    await expect(assertWritable(createExportPaths('/dev/null'))).rejects.toMatchObject({
      kind: 'usage',
      message: '"/dev/null" is not a regular file',
      hint: 'write to standard output with -o -',
    });
    await assertWritable(createExportPaths(path('new.csv')));
  }),
);

const STARTED = '2026-01-01T12:00:00.000Z';
const HOUR = 3_600_000;

it.each([
  [24, undefined],
  [25, 'a day'],
  [47, 'a day'],
  [48, '2 days'],
  [-99, undefined],
])('reports the age of a partial file that started %i hours ago: %s', (hours, age) => {
  const now = Date.parse(STARTED) + hours * HOUR;
  expect(formatAgeWarning(STARTED, now)).toBe(
    age && `opac received the first records ${age} before the last ones: the first run was on 2026-01-01`,
  );
  expect(formatAgeWarning('some time', now)).toBeUndefined();
});
