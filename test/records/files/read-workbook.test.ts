import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../../../src/records/files/read-workbook.js';
import { spacesWorkbook } from '../zip-workbook.js';

describe('a workbook', () => {
  it('is read', async () => {
    expect(await readWorkbook(spacesWorkbook(1), 'a.xlsx')).toEqual({
      csv: '20022\n',
      isOneOfSeveral: false,
    });
  });

  it.each([
    ['states', 600 * 1024 * 1024],
    ['states in 64 bits', 2 ** 33],
    ['does not state', 0],
  ])('is refused if it %s a size beyond the limit', async (_, size) => {
    await expect(readWorkbook(spacesWorkbook(600, size), 'a.xlsx')).rejects.toThrow(
      '"a.xlsx" is larger than 512 MB when decompressed',
    );
  });

  it('is not read further after the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const read = readWorkbook(spacesWorkbook(50), 'a.xlsx', stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(read).rejects.toBe(reason);
  });
});
