/** Rows that were written before later columns were found. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { padRows } from '../../../src/export/files/row-padding.js';
import { withFolder } from '../export-setup.js';

interface Given {
  readonly widths: readonly (readonly [number, number])[];
  readonly width: number;
  readonly start?: number;
  readonly end?: number;
}

async function padded(text: string, { start = 0, end = text.length, ...rest }: Given): Promise<string> {
  let result = '';
  await withFolder(async (path) => {
    await writeFile(path('part'), text);
    for await (const piece of padRows({ path: path('part'), start, end, delimiter: ',', ...rest }))
      result += piece.toString('latin1');
  });
  return result;
}

it.each<[string, string, Given, string]>([
  ['of the same width stay', 'a,b\nc,d\n', { widths: [[0, 2]], width: 2 }, 'a,b\nc,d\n'],
  ['without widths stay', 'a\nb\n', { widths: [], width: 0 }, 'a\nb\n'],
  ['that are narrower get cells', 'a\nb\n', { widths: [[0, 1]], width: 3 }, 'a,,\nb,,\n'],
  [
    'get as many as each lacks',
    'a\nb,c\nd,e,f\n',
    {
      widths: [
        [0, 1],
        [2, 2],
        [6, 3],
      ],
      width: 3,
    },
    'a,,\nb,c,\nd,e,f\n',
  ],
  ['with CRLF get them before it', 'a\r\nb\r\n', { widths: [[0, 1]], width: 2 }, 'a,\r\nb,\r\n'],
  [
    'keep line breaks in quotes',
    '"a\n""\r\n"\n"b"\n',
    { widths: [[0, 1]], width: 2 },
    '"a\n""\r\n",\n"b",\n',
  ],
  ['end without a line end', 'a\nb\r', { widths: [[0, 1]], width: 2 }, 'a,\nb\r'],
  [
    'of a part of the file are those alone',
    'head\na\nb,c\nd,e\n',
    {
      widths: [
        [0, 1],
        [7, 2],
      ],
      width: 2,
      start: 5,
      end: 11,
    },
    'a,\nb,c\n',
  ],
  ['of none are none', 'a\n', { widths: [[0, 1]], width: 2, start: 2 }, ''],
])('rows %s', async (_, text, given, rows) => {
  expect(await padded(text, given)).toBe(rows);
});

it('rows over several pieces that are read are padded alike', async () => {
  const piece = 1 << 20;
  // The line end of the second row lies in two pieces, and so does a quoted cell.
  const first = `${'x'.repeat(piece - 1)}\r\n`;
  const second = `"${'y\n'.repeat(piece / 2)}"\r\n`;
  const rows = await padded(first + second, { widths: [[0, 1]], width: 2 });
  expect(rows === `${first.slice(0, -2)},\r\n${second.slice(0, -2)},\r\n`).toBe(true);
});

it('a file that is shorter than was written is said to be so', async () => {
  await expect(padded('a\n', { widths: [[0, 1]], width: 1, end: 3 })).rejects.toThrow(
    'the part file is shorter than was written',
  );
});
