import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../src/system/split-lines.js';

async function readLines(pieces: readonly string[]): Promise<string[]> {
  async function* each() {
    yield* pieces;
  }
  const lines: string[] = [];
  for await (const line of splitLines(each())) lines.push(line);
  return lines;
}

describe('splitLines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a\n', '\n', 'b'],
      ['a', '', 'b'],
    ],
    [
      ['a', 'b\nc'],
      ['ab', 'c'],
    ],
    [['"a\u2028b\u2029c\rd"\n'], ['"a\u2028b\u2029c\rd"']],
    [[], []],
  ])('splits %j into %j', async (pieces, lines) => {
    expect(await readLines(pieces)).toEqual(lines);
  });

  it('returns the same lines for all divisions of the text into chunks', async () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') }));
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        expect(await readLines(pieces)).toEqual(await readLines([pieces.join('')]));
      }),
    );
  });
});
