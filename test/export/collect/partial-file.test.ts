/** Reads partial files: lines, their ids, and the lines of each file of a split export. */
import { describe, expect, it } from 'vitest';
import {
  joinLines,
  openPartialFile,
  readIds,
  readRecords,
  splitLines,
} from '../../../src/export/collect/partial-file.js';
import { createExportPaths } from '../../../src/export/export-paths.js';
import type { Kind } from '../../../src/service/kinds.js';
import type { AppendFile } from '../../../src/system/append-file.js';
import { withFolder } from '../export-setup.js';

const LONG = 'ā'.repeat(700_000);

async function withRecords(
  lines: readonly string[],
  use: (part: AppendFile) => Promise<void>,
): Promise<void> {
  await withFolder(async (path) => {
    const part = await openPartialFile(createExportPaths(path('o.csv')), undefined);
    for (const line of lines) {
      const bytes = Buffer.from(`<${line}>`);
      await part.append(joinLines([{ bytes, start: 1, end: bytes.length - 1 }]));
    }
    await use(part);
    await part.close();
  });
}

async function collectIds(part: AppendFile, kind: Kind): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const id of readIds(part, kind)) ids.push(id);
  return ids;
}

describe('readIds', () => {
  it('returns the ids of all records, even if they are longer than a chunk', () =>
    withRecords(
      [
        '{"opacObjectId":"a"}',
        `{"title":"${LONG}","opacObjectId":"ā"}`,
        '{"title":"without"}',
        String.raw`{"opacObject\u0049d":"escaped"}`,
        `{"opacObjectId":"${LONG}"}`,
      ],
      async (file) => {
        expect(await collectIds(file, 'objects')).toEqual(['a', 'ā', undefined, 'escaped', LONG]);
      },
    ));

  it('returns different ids for records of different kinds with the same id', () =>
    withRecords(
      ['{"opacObjectId":"1","recordType":"object"}', '{"opacPersonId":"1","recordType":"person"}'],
      async (file) => expect(new Set(await collectIds(file, 'records')).size).toBe(2),
    ));

  it('throws if it is aborted', () =>
    withRecords(['{"opacObjectId":"1"}'], async (file) => {
      const ids = readIds(file, 'objects', AbortSignal.abort(new Error('stop')));
      await expect(ids.next()).rejects.toThrow(/^stop$/);
    }));
});

it('splits the lines that were not dropped into files of two lines', () =>
  withRecords(['1', '2', '3', '4', '5'], async (file) => {
    const all = { path: file.path, start: 0, end: file.bytes, dropped: new Set([1]) };
    const texts: string[][] = [];
    for (const lines of await splitLines(all, 2)) {
      const text: string[] = [];
      for await (const group of readRecords(lines))
        text.push(...group.map(({ bytes, start, end }) => bytes.toString('utf8', start, end)));
      texts.push(text);
    }
    expect(texts).toEqual([
      ['1', '3'],
      ['4', '5'],
    ]);
  }));
