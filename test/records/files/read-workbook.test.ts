import { describe, expect, it } from 'vitest';
import { collectWorkbook, readWorkbook } from '../../../src/records/files/read-workbook.js';
import { createWorkbookWithNumber, createWorkbookWithSpaces } from '../zip-workbook.js';

describe('the reader of workbooks', () => {
  it('returns the rows as CSV', async () => {
    expect(await readWorkbook(createWorkbookWithSpaces(1), 'a.xlsx')).toEqual({
      csv: '20022\n',
      isOneOfSeveral: false,
    });
  });

  it('refuses a number beyond the range of Excel', async () => {
    expect((await readWorkbook(createWorkbookWithNumber('12.5'), 'a.xlsx')).csv).toBe('12.5\n');
    await expect(readWorkbook(createWorkbookWithNumber('9'.repeat(400)), 'a.xlsx')).rejects.toThrow(
      'too large',
    );
  });

  it('stops at an abort signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const reading = readWorkbook(createWorkbookWithSpaces(50), 'a.xlsx', controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(reading).rejects.toBe(reason);
  });

  it('stops at 256 MB when it collects the bytes of a workbook', async () => {
    let pieces = 0;
    const zeros = Buffer.alloc(1024 * 1024);
    async function* createPieces() {
      for (; pieces < 1000; pieces++) yield zeros;
    }
    await expect(collectWorkbook(createPieces())).rejects.toThrow('the workbook is larger than 256 MB');
    expect(pieces).toBe(256);
  });
});
