/** A workbook of a few kilobytes can contain millions of shared strings, which need gigabytes of memory. */
import { expect, it } from 'vitest';
import { readWorkbook } from '../../../src/records/files/read-workbook.js';
import { createWorkbookWithRelationships, createWorkbookWithSharedStrings } from '../zip-workbook.js';

it('reads the sheet of a workbook with shared strings', async () => {
  const { csv } = await readWorkbook(createWorkbookWithSharedStrings(1000), 'a.xlsx');
  expect(csv).toBe('20022\n');
});

it.each([
  'sharedStrings.xml',
  'worksheets/sheet2.xml',
  'sheet1.xml',
  'worksheet&#115;/sheet2.xml',
  'worksheets/sheet&#50;.xml',
])('refuses a workbook with millions of shared strings in %s', async (name) => {
  const reading = readWorkbook(createWorkbookWithSharedStrings(2_000_000, name), 'a.xlsx');
  await expect(reading).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('the workbook contains more than 500,000 different texts'),
  });
});

it('refuses a workbook with a part that is too large, and truncated copies of it', async () => {
  const workbook = createWorkbookWithSharedStrings(20_000_000 / 4);
  await expect(readWorkbook(workbook, 'a.xlsx')).rejects.toMatchObject({ kind: 'usage' });
  for (const end of [10, 1000, workbook.length - 20])
    await expect(readWorkbook(workbook.subarray(0, end), 'a.xlsx')).rejects.toMatchObject({ kind: 'usage' });
});

it('refuses too many texts also in a ZIP64 file and in a ZIP file with a misleading comment', async () => {
  const workbook = createWorkbookWithSharedStrings(2_000_000);
  const comment = Buffer.from(`PK\x05\x06${'\0'.repeat(16)}`, 'latin1');
  const commented = Buffer.concat([workbook, comment]);
  commented.writeUInt16LE(comment.length, workbook.length - 2);
  const zip64 = Buffer.from(workbook);
  zip64.writeUInt16LE(0, workbook.length - 12);
  zip64.writeUInt32LE(0xffffffff, workbook.length - 10);
  for (const file of [commented, zip64])
    await expect(readWorkbook(file, 'a.xlsx')).rejects.toMatchObject({
      message: expect.stringContaining('more than 500,000 different texts'),
    });
});

it('refuses a workbook with many relationship files that are large after decompression', async () => {
  for (const text of [' '.repeat(100_000_000), `<${'Target= '.repeat(2_000_000)}`, '<'.repeat(100_000_000)]) {
    const reading = readWorkbook(createWorkbookWithRelationships(text, 2000), 'a.xlsx');
    await expect(reading).rejects.toMatchObject({ kind: 'usage' });
  }
});
