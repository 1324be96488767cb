/** A workbook of a few kilobytes can contain gigabytes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkbookWithRows, createWorkbookWithSpaces } from '../records/zip-workbook.js';
import { createFolder, opac } from './opac.js';

it.each([
  ['a list', (file: string) => ['objects', 'list', '--mock', '--external-id', `@${file}`]],
  ['a file to compare', (file: string) => ['diff', file, file]],
])('stops at --deadline while it reads %s', { timeout: 20_000 }, async (_, words) => {
  const file = join(await createFolder(), 'a.xlsx');
  await writeFile(file, createWorkbookWithSpaces(2000));
  expect(await opac([...words(file), '--deadline', '1s'])).toMatchObject({ code: 5, stdout: '' });
});

it('refuses a sheet with more rows than Excel can have', { timeout: 60_000 }, async () => {
  const file = join(await createFolder(), 'a.xlsx');
  await writeFile(file, createWorkbookWithRows(1_048_577));
  expect(await opac(['objects', 'get', '--mock', `@${file}`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the sheet has more than 1,048,576 rows; save it as CSV UTF-8'),
  });
});
