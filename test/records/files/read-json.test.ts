import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readJson } from '../../../src/records/files/read-json.js';
import { MAX_ITEMS } from '../../../src/records/files/read-pieces.js';

async function readAll(text: Buffer, pieceLength: number): Promise<{ text: string; line: number }[]> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.subarray(at, at + pieceLength));
  const found: { text: string; line: number }[] = [];
  for await (const records of readJson(pieces, 'f'))
    for (const { bytes, start, end, line } of records) {
      expect(text.subarray(start, end).equals(bytes)).toBe(true);
      found.push({ text: bytes.toString(), line });
    }
  return found;
}

describe('readJson', () => {
  const record = fc
    .tuple(fc.nat(), fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([id, rest]) => ({ opacObjectId: id + 1, rest }));

  it('finds records and their first lines in pieces of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record),
        fc.boolean(),
        fc.integer({ min: 3, max: 50 }),
        async (list, indented, length) => {
          const texts = list.map((each) => JSON.stringify(each, null, indented ? 2 : 0));
          const text = indented ? `\uFEFF[${texts.join(',\r\n')}]` : texts.join('\n');
          let line = 1;
          const expected = texts.map((each) => {
            const found = { text: each, line };
            line += each.split('\n').length;
            return found;
          });
          expect(await readAll(Buffer.from(text), length)).toEqual(expected);
        },
      ),
    );
  });

  it('finds the records of consecutive list responses', async () => {
    const list = (...ids: number[]) =>
      JSON.stringify(
        { totalObjects: 9, opacObjects: ids.map((opacObjectId) => ({ opacObjectId })) },
        null,
        1,
      );
    const found = await readAll(Buffer.from(`${list(1, 2)}\n${list()}\n${list(3)}`), 7);
    expect(found.map(({ text, line }) => [JSON.parse(text).opacObjectId, line])).toEqual([
      [1, 4],
      [2, 7],
      [3, 19],
    ]);
  });

  it('refuses text that ends within a record, and reports the first line of the record', async () => {
    await fc.assert(
      fc.asyncProperty(record, fc.nat(), fc.integer({ min: 1, max: 50 }), async (value, cut, length) => {
        const bytes = Buffer.from(JSON.stringify(value, null, 1));
        const text = Buffer.concat([
          Buffer.from('{"opacObjectId":1}\n'),
          bytes.subarray(0, 1 + (cut % (bytes.length - 1))),
        ]);
        await expect(readAll(text, length)).rejects.toThrow(
          /"f" is incomplete: it ends in line 2|"f", line 2/,
        );
      }),
    );
  });
});

/** Counts the bytes that a task searches for a byte. */
async function countSearchedBytes(task: () => Promise<unknown>): Promise<number> {
  let searched = 0;
  const { indexOf } = Buffer.prototype;
  const spy = vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from) {
    const found = indexOf.call(this, value, from as number);
    searched += (found < 0 ? this.length : found) - Number(from ?? 0);
    return found;
  });
  await task().finally(() => spy.mockRestore());
  return searched;
}

describe.each([
  ['a list response', (items: string) => `{"opacObjects":[${items}]}`],
  ['an array', (items: string) => `[${items}]`],
])('readJson with %s on one line', (_, format) => {
  const create = (count: number) =>
    Buffer.from(format(Array.from({ length: count }, (_, id) => `{"opacObjectId":"${id}"}`).join()));

  it('searches for line breaks in at most twice as many bytes as the text contains', async () => {
    const text = create(1000);
    const searched = await countSearchedBytes(() => readAll(text, text.length));
    expect(searched).toBeLessThanOrEqual(2 * text.length);
  });

  it('returns groups of limited size, and pauses for signals between them', async () => {
    const count = 13 * MAX_ITEMS + 7;
    let pauses = 0;
    let isDone = false;
    const countPause = () => {
      pauses++;
      if (!isDone) setImmediate(countPause);
    };
    setImmediate(countPause);
    onTestFinished(() => {
      isDone = true;
    });
    const ids: string[] = [];
    for await (const records of readJson([create(count)], 'f')) {
      expect(records.length).toBeLessThanOrEqual(MAX_ITEMS);
      for (const { id } of records) ids.push(id);
    }
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => String(id)));
    expect(pauses).toBeGreaterThanOrEqual(13);
  });
});
