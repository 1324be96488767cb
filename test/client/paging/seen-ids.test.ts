import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';

it('returns true for each new id, and compares ids as text', () => {
  const seen = createSeenIds();
  const ids = ['7', '07', '7.0', ' 7', '', '9007199254740992', '9007199254740993', '__proto__', '7', ''];
  expect(ids.map((id) => seen.add(id))).toEqual([...Array(8).fill(true), false, false]);
  expect(seen.size).toBe(8);
});

it('gives the same results as a Set of texts', () => {
  const number = fc.oneof(fc.nat(100), fc.nat(2 ** 31), fc.nat(10 ** 12)).map(String);
  fc.assert(
    fc.property(fc.array(fc.oneof(number, fc.string()), { maxLength: 200 }), (ids) => {
      const [seen, expected] = [createSeenIds(), new Set<string>()];
      for (const id of ids) expect(seen.add(id)).toBe(expected.size < expected.add(id).size);
      expect(seen.size).toBe(expected.size);
    }),
  );
});
