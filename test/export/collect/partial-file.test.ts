/** A partial file gives back what was written to it: lines, their ids, and the lines of each file of a split export. */
import { describe, expect, it } from 'vitest';
import { PartialFile, recordsIn, splitLines } from '../../../src/export/collect/partial-file.js';
import { targetOf } from '../../../src/export/target.js';
import type { Kind } from '../../../src/service/kinds.js';
import { withFolder } from '../export-setup.js';

const LONG = 'ā'.repeat(700_000);

async function withRecords(
  lines: readonly string[],
  kind: Kind,
  use: (file: PartialFile) => Promise<void>,
): Promise<void> {
  await withFolder(async (path) => {
    const file = await PartialFile.open(targetOf(path('o.csv')), kind, undefined);
    for (const line of lines) {
      const bytes = Buffer.from(`<${line}>`);
      await file.append([{ id: 'not asked for', bytes, start: 1, end: bytes.length - 1 }]);
    }
    await use(file);
    await file.close();
  });
}

async function idsOf(file: PartialFile): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const id of file.ids()) ids.push(id);
  return ids;
}

describe('the ids of a partial file', () => {
  it('are those of its records, in pieces that cut no character', () =>
    withRecords(
      [
        '{"opacObjectId":"a"}',
        `{"title":"${LONG}","opacObjectId":"ā"}`,
        '{"title":"without"}',
        String.raw`{"opacObject\u0049d":"escaped"}`,
        `{"opacObjectId":"${LONG}"}`,
      ],
      'objects',
      async (file) => {
        expect(await idsOf(file)).toEqual(['a', 'ā', undefined, 'escaped', LONG]);
        expect(file.count).toBe(5);
      },
    ));

  it('of several kinds have the kind before them', () =>
    withRecords(
      ['{"opacObjectId":"1","recordType":"object"}', '{"opacPersonId":"1","recordType":"person"}'],
      'records',
      async (file) => expect(new Set(await idsOf(file)).size).toBe(2),
    ));

  it('are read until that is interrupted', () =>
    withRecords(['{"opacObjectId":"1"}'], 'objects', async (file) => {
      const ids = file.ids(AbortSignal.abort(new Error('stop')));
      await expect(ids.next()).rejects.toThrow(/^stop$/);
    }));
});

it('a split file has the lines that are kept, so many in each', () =>
  withRecords(['1', '2', '3', '4', '5'], 'objects', async (file) => {
    await file.part.flush();
    const all = { path: file.part.path, start: 0, end: file.part.bytes, dropped: new Set([1]) };
    const texts: string[][] = [];
    for (const lines of await splitLines(all, 2)) {
      const text: string[] = [];
      for await (const group of recordsIn(lines))
        text.push(...group.map(({ bytes, start, end }) => bytes.toString('utf8', start, end)));
      texts.push(text);
    }
    expect(texts).toEqual([
      ['1', '3'],
      ['4', '5'],
    ]);
  }));
