import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonLossless } from '../../src/service/parse-json.js';

describe('parseJsonLossless', () => {
  it('returns the same as JSON.parse for JSON without integers above 2^53', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        // The results differ only for numbers that are written as long integers.
        fc.pre(!/(?<![\d.])-?\d{16,}(?![\d.e])/.test(text));
        expect(parseJsonLossless(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('returns an integer above 2^53 as text with all its digits', () => {
    const text = '{"id":9007199254740993,"neg": -12345678901234567890,"list":[9007199254740993, 1]}';
    expect(parseJsonLossless(Buffer.from(text))).toEqual({
      id: '9007199254740993',
      neg: '-12345678901234567890',
      list: ['9007199254740993', 1],
    });
  });

  it('does not change safe integers, decimals, exponents and digits inside strings', () => {
    const text =
      '{"a":9007199254740991,"b":0.1234567890123456789,"c":1234567890123456789e2,"d":"x, 9007199254740993 \\" 9007199254740993","e":9007199254740993}';
    const { e, ...others } = JSON.parse(text);
    expect(parseJsonLossless(Buffer.from(text))).toEqual({ ...others, e: '9007199254740993' });
    expect(e).toBe(9007199254740992);
  });

  it('ignores a BOM', () => {
    expect(parseJsonLossless(Buffer.from('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['[9007199254740993]', ['9007199254740993']],
    ['{"a"\n:\n9007199254740993}', { a: '9007199254740993' }],
    // A safe integer with sixteen digits.
    ['[1234567890123456]', [1234567890123456]],
    ['[9007199254740991,9007199254740992]', [9007199254740991, '9007199254740992']],
    [
      '[9007199254740993.5,-12345678901234567e0,1E16]',
      [9007199254740994, Number('-12345678901234567'), 1e16],
    ],
    ['["\\\\",9007199254740993]', ['\\', '9007199254740993']],
    ['{"n":1e400}', { n: '1e400' }],
    ['[-1.5E+999, 1e0400,1e308, 0.5]', ['-1.5E+999', '1e0400', 1e308, 0.5]],
    ['["a\uFEFF"]', ['a\uFEFF']],
  ])('reads %s', (text, value) => {
    expect(parseJsonLossless(Buffer.from(text))).toEqual(value);
  });

  it('reads numbers and texts of millions of characters', () => {
    const [digits, escapes] = ['1'.repeat(1e7), '\\n'.repeat(1e7)];
    const { n, m, s } = parseJsonLossless(`{"n":${digits},"m":-${digits},"s":"${escapes}"}`) as Record<
      string,
      string
    >;
    expect([n === digits, m === `-${digits}`, s?.length]).toEqual([true, true, 1e7]);
  });

  it.each(['12345678901234567-8', '--12345678901234567', '012345678901234567', '[12345678901234567'])(
    'refuses %s',
    (text) => expect(() => parseJsonLossless(text)).toThrow(SyntaxError),
  );

  it('refuses an object with many keys, but not a list of objects', () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`;
    expect(() => parseJsonLossless(object(100_001))).toThrow('an object of more than 100000 keys');
    expect(parseJsonLossless(`[${object(90_000)},${object(90_000)}]`)).toHaveLength(2);
  });

  it('returns thousands of long integers as texts', () => {
    const numbers = Array.from({ length: 12_345 }, (_, n) => `${n + 1}12345678901234567890`);
    expect(parseJsonLossless(`[${numbers.join(', ')}]`)).toEqual(numbers);
  });

  it('refuses millions of values in a list, but accepts millions of commas in a text', () => {
    expect(() => parseJsonLossless(`[${'1,'.repeat(2_000_001)}1]`)).toThrow('more than 2000000 values');
    const text = ' ,'.repeat(2_000_001);
    expect(parseJsonLossless(JSON.stringify({ text }))).toEqual({ text });
  });

  it('refuses 1,000,000 objects in a list before they use memory', () => {
    const list = (count: number) => `[${Array(count).fill('{}').join()}]`;
    expect(parseJsonLossless(list(999_999))).toHaveLength(999_999);
    const before = process.memoryUsage().heapUsed;
    expect(() => parseJsonLossless(list(1_000_000))).toThrow('more than 1000000 objects and lists');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  });

  it('accepts 512 levels of nesting, and refuses 513', () => {
    const nested = (open: string, close: string, depth: number) =>
      Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect(() => parseJsonLossless(nested(open, close, 512))).not.toThrow();
      expect(() => parseJsonLossless(nested(open, close, 513))).toThrow('nested deeper than 512 levels');
    }
  });

  it.each([
    ['brackets side by side', `[${Array(600).fill('[{}]').join()}]`],
    ['brackets in text', JSON.stringify('[{'.repeat(600))],
    ['millions of brackets in text', JSON.stringify('[{'.repeat(1_000_000))],
    ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(600)}`)],
    ['text that ends with a backslash', `["\\\\"${',[]'.repeat(600)}]`],
  ])('accepts %s', (_, text) => {
    expect(parseJsonLossless(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['', '{', '{"a":1}}', '{"a":1', '<html>', '{"a":9007199254740993'])('refuses %j', (text) => {
    expect(() => parseJsonLossless(Buffer.from(text))).toThrow(SyntaxError);
  });
});
