import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded, linesOf } from '../../src/system/lines.js';

async function linesIn(pieces: readonly string[]): Promise<string[]> {
  async function* each() {
    yield* pieces;
  }
  const lines: string[] = [];
  for await (const line of linesOf(each())) lines.push(line);
  return lines;
}

describe('linesOf', () => {
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
  ])('%j is %j', async (pieces, lines) => {
    expect(await linesIn(pieces)).toEqual(lines);
  });

  it('gives the same however the text is cut', async () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') }));
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        expect(await linesIn(pieces)).toEqual(await linesIn([pieces.join('')]));
      }),
    );
  });
});

describe('decoded', () => {
  async function textsOf(...pieces: readonly Buffer[]): Promise<string[]> {
    async function* each() {
      yield* pieces;
    }
    const texts: string[] = [];
    for await (const text of decoded(each())) texts.push(text);
    return texts;
  }

  it.each([
    ['', ''],
    ['Māori 🦑', 'Māori 🦑'],
    ['\ufeffa\ufeffb', 'a\ufeffb'],
    [Buffer.from('61ff62', 'hex'), 'a\ufffdb'],
    [Buffer.from('61f09fa6', 'hex'), 'a\ufffd'],
  ])('reads %j as %j, however it is cut', async (content, text) => {
    const bytes = Buffer.from(content);
    expect((await textsOf(bytes)).join('')).toBe(text);
    expect((await textsOf(...[...bytes].map((byte) => Buffer.from([byte])))).join('')).toBe(text);
  });

  it('gives large pieces in texts that V8 frees early', async () => {
    const text = `${'x'.repeat(32_766)}🦑${'y'.repeat(40_000)}`;
    const texts = await textsOf(Buffer.from(text));
    expect(texts.join('') === text).toBe(true);
    expect(texts.map(({ length }) => length)).toEqual([32_766, 32_768, 7234, 0]);
  });
});
