import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spacesWorkbook } from '../records/zip-workbook.js';
import { ended, newFolder, start } from './opac.js';

it.each([
  ['a list', (file: string) => ['objects', 'list', '--mock', '--external-id', `@${file}`]],
  ['a file to compare', (file: string) => ['diff', file, file]],
])('ends with 130 at SIGINT while it reads %s', async (_, words) => {
  const file = join(await newFolder(), 'a.xlsx');
  await writeFile(file, spacesWorkbook(500));
  const child = start(words(file));
  setTimeout(() => child.kill('SIGINT'), 1500);
  expect(await ended(child)).toMatchObject({ code: 130, stdout: '' });
});
