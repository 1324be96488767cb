import fc from 'fast-check';
import { expect, it } from 'vitest';
import { skipUnescaped } from '../../../src/records/json/skip-json.js';

/** Bytes near the limits of the plain bytes, and any other bytes. */
const byte = fc.oneof(
  fc.constantFrom(0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0x9f, 0xa2, 0xdc, 0xff),
  fc.integer({ min: 0, max: 255 }),
);

it('stops at the first quote, backslash or control character, at any position', () => {
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 24 }),
      fc.nat(12),
      fc.nat(3),
      fc.nat(3),
      (others, plain, before, at) => {
        // Like a page, `bytes` is part of a larger buffer.
        const bytes = Buffer.from([...Array(before), ...Array(plain).fill(0x61), ...others]).subarray(before);
        let expected = at;
        while (expected < bytes.length && isPlain(bytes[expected] ?? 0)) expected++;
        expect(skipUnescaped(bytes, at)).toBe(expected);
      },
    ),
    { numRuns: 2000 },
  );
});

function isPlain(value: number): boolean {
  return value >= 0x20 && value !== 0x22 && value !== 0x5c;
}

it('skips exactly the bytes that JSON strings can contain without escapes', () => {
  for (let value = 0; value < 256; value++) {
    const text = String.fromCharCode(value);
    const isAllowed = value >= 0x80 || canParse(`"${text}"`);
    expect(skipUnescaped(Buffer.from(`aaaa${text}aaa`, 'latin1'), 0)).toBe(isAllowed ? 8 : 4);
    expect(skipUnescaped(Buffer.from(text, 'latin1'), 0)).toBe(isAllowed ? 1 : 0);
  }
});

function canParse(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
