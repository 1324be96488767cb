/** A workbook of a few kilobytes can contain millions of shared strings, which need gigabytes of memory. */
import { expect, it } from 'vitest';
import { readWorkbook } from '../../../src/records/files/read-workbook.js';
import { relationshipsWorkbook, sharedStringsWorkbook } from '../zip-workbook.js';

it('reads the sheet of a workbook with shared strings', async () => {
  const { csv } = await readWorkbook(sharedStringsWorkbook(1000), 'a.xlsx');
  expect(csv).toBe('20022\n');
});

it.each([
  'sharedStrings.xml',
  'worksheets/sheet2.xml',
  'sheet1.xml',
  'worksheet&#115;/sheet2.xml',
  'worksheets/sheet&#50;.xml',
])('refuses a workbook with millions of shared strings in %s', async (name) => {
  const reading = readWorkbook(sharedStringsWorkbook(2_000_000, name), 'a.xlsx');
  await expect(reading).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('the workbook contains more than 500,000 different texts'),
  });
});

it('refuses a part that unpacks to more than a part of a workbook can have', async () => {
  const workbook = sharedStringsWorkbook(20_000_000 / 4);
  await expect(readWorkbook(workbook, 'a.xlsx')).rejects.toMatchObject({ kind: 'usage' });
  for (const end of [10, 1000, workbook.length - 20])
    await expect(readWorkbook(workbook.subarray(0, end), 'a.xlsx')).rejects.toMatchObject({ kind: 'usage' });
});

it('refuses a workbook with many relationships that unpack to much more than the file', async () => {
  for (const text of [' '.repeat(100_000_000), `<${'Target= '.repeat(2_000_000)}`]) {
    const reading = readWorkbook(relationshipsWorkbook(text, 2000), 'a.xlsx');
    await expect(reading).rejects.toMatchObject({ kind: 'usage' });
  }
});
