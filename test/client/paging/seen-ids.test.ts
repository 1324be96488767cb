import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';

describe('createSeenIds', () => {
  const id = fc.oneof(
    fc.nat(50).map(String),
    fc.maxSafeNat().map(String),
    fc
      .tuple(fc.constantFrom('object:', 'person:', 'O-', '', '-', '0'), fc.nat(50))
      .map(([prefix, n]) => `${prefix}${n}`),
    fc.string(),
    fc.uuid(),
    fc.constantFrom(
      '',
      '0',
      '00',
      '007',
      '7',
      '7.0',
      '1e3',
      '9007199254740992',
      '9007199254740993',
      '-7',
      ' 7',
      '7\n',
      '\n7',
    ),
  );

  it('says of every id whether it came before, as a Set of texts would', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), (ids) => {
        const seen = createSeenIds();
        const model = new Set<string>();
        for (const each of ids) {
          expect(seen.add(each)).toBe(!model.has(each));
          model.add(each);
        }
        expect(seen.size).toBe(model.size);
      }),
    );
  });

  it('keeps a million numeric ids apart', () => {
    const seen = createSeenIds();
    for (let n = 0; n < 1_000_000; n++) seen.add(String(n * 7));
    expect(seen.size).toBe(1_000_000);
    expect(seen.add('6999993')).toBe(false);
    expect(seen.add('6999994')).toBe(true);
  });

  /** Random numbers by a seed (xorshift64*), a quarter of them again, and those next to where the tables change. */
  function* drawn(seed: bigint, bits: bigint, prefix = ''): Generator<string> {
    let state = seed;
    const earlier: string[] = [];
    for (let n = 0; n < 100_000; n++) {
      state ^= state >> 12n;
      state = BigInt.asUintN(64, state ^ (state << 25n));
      state ^= state >> 27n;
      const value = BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn) >> (64n - bits);
      const again = earlier[Number(value % BigInt(n + 1))];
      const id = n % 4 === 3 && again !== undefined ? again : `${prefix}${value}`;
      earlier.push(id);
      yield id;
    }
  }

  function* edges(): Generator<string> {
    for (const edge of [0, 2 ** 16, 2 ** 31, 2 ** 32 - 2, 2 ** 32, 2 ** 53 - 2])
      for (let by = -3; by <= 3; by++) if (edge + by >= 0) yield String(edge + by);
  }

  function* dense(): Generator<string> {
    for (let n = 0; n < 200_000; n++) yield String(n);
  }

  it.each<[string, readonly (() => Generator<string>)[]]>([
    ['of 64 bits', [() => drawn(1n, 64n), edges]],
    ['far apart', [() => drawn(2n, 49n), edges]],
    ['of 32 bits, then of more', [() => drawn(3n, 32n), edges, () => drawn(4n, 49n)]],
    ['close together, then far apart', [dense, () => drawn(5n, 31n), dense, edges, () => drawn(6n, 45n)]],
    [
      'of several kinds',
      [() => drawn(7n, 40n, 'object:'), () => drawn(7n, 40n, 'person:'), () => drawn(7n, 40n)],
    ],
  ])('keeps ids by the hundred thousand apart that are %s', (_, sources) => {
    const seen = createSeenIds();
    const model = new Set<string>();
    let wrong = 0;
    for (const source of sources)
      for (const id of source()) {
        const { size } = model;
        model.add(id);
        if (seen.add(id) !== model.size > size) wrong++;
      }
    expect({ wrong, size: seen.size }).toEqual({ wrong: 0, size: model.size });
    expect(model.size).toBeGreaterThan(60_000);
  });
});
