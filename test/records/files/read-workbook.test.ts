import { describe, expect, it } from 'vitest';
import { collectWorkbook, readWorkbook } from '../../../src/records/files/read-workbook.js';
import { numberWorkbook, spacesWorkbook } from '../zip-workbook.js';

describe('a workbook', () => {
  it('is read', async () => {
    expect(await readWorkbook(spacesWorkbook(1), 'a.xlsx')).toEqual({
      csv: '20022\n',
      isOneOfSeveral: false,
    });
  });

  it('with a number beyond the range of Excel is refused', async () => {
    expect((await readWorkbook(numberWorkbook('12.5'), 'a.xlsx')).csv).toBe('12.5\n');
    await expect(readWorkbook(numberWorkbook('9'.repeat(400)), 'a.xlsx')).rejects.toThrow('too large');
  });

  it('is not read further after the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const read = readWorkbook(spacesWorkbook(50), 'a.xlsx', stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(read).rejects.toBe(reason);
  });

  it('is not collected beyond its limit, whatever a compressed file becomes', async () => {
    let pieces = 0;
    const zeros = Buffer.alloc(1024 * 1024);
    async function* bomb() {
      for (; pieces < 1000; pieces++) yield zeros;
    }
    await expect(collectWorkbook(bomb())).rejects.toThrow('the workbook is larger than 256 MB');
    expect(pieces).toBe(256);
  });
});
