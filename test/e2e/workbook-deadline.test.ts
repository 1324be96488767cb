/** A workbook of a few kilobytes can contain gigabytes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spacesWorkbook } from '../records/zip-workbook.js';
import { newFolder, opac } from './opac.js';

it.each([
  ['a list', (file: string) => ['objects', 'list', '--mock', '--external-id', `@${file}`]],
  ['a file to compare', (file: string) => ['diff', file, file]],
])('--deadline ends the reading of %s', { timeout: 20_000 }, async (_, words) => {
  const file = join(await newFolder(), 'a.xlsx');
  await writeFile(file, spacesWorkbook(2000));
  expect(await opac([...words(file), '--deadline', '1s'])).toMatchObject({ code: 5, stdout: '' });
});
