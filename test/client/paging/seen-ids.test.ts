import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
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

  /** Throws when the work does not end, on any machine: a table without an empty slot is searched for ever. */
  function within<T>(timeout: number, work: () => T): T {
    return runInNewContext('work()', { work }, { timeout }) as T;
  }

  /** How many are said to be new, and new again. */
  function counts(numbers: readonly number[]): { first: number; again: number } {
    const seen = createSeenIds();
    const added = () => numbers.filter((number) => seen.add(String(number))).length;
    return within(300_000, () => ({ first: added(), again: added() }));
  }

  const upTo = (size: number, number: (n: number) => number) =>
    Array.from({ length: size }, (_, n) => number(n));

  it.each<[string, number[]]>([
    ['lower 32 bits', upTo(100_000, (n) => n * 2 ** 32 + 4711)],
    ['upper bits', upTo(100_000, (n) => 2 ** 49 + n * 4099)],
    ['lower 16 bits', upTo(60_000, (n) => n * 2 ** 16)],
  ])('keeps ids apart that have the same %s', (_, numbers) => {
    expect(counts(numbers)).toEqual({ first: numbers.length, again: 0 });
  });

  it('finds a free slot for ids that all want the same ones', () => {
    const alike = upTo(200_000, (n) => n * 65_537 + 2 ** 20).filter((number) => firstSlot(number) % 2 === 0);
    expect(alike.length).toBeGreaterThan(80_000);
    expect(counts(alike)).toEqual({ first: alike.length, again: 0 });
  });

  /** Where the search for a number of up to 32 bits begins, in a table of any size up to 2^17. */
  function firstSlot(number: number): number {
    const hash = Math.imul(number + 1, 0x9e3779b1);
    return hash ^ (hash >>> 15);
  }

  const CHUNK_WORDS = 2048;

  it.each([
    ['below 2^32', 2 ** 12, 4],
    ['above', 2 ** 32, 8],
  ])('grows when three quarters are full, for numbers %s', (_, step, slotBytes) => {
    const made: number[] = [];
    const watched = <T extends typeof Uint32Array | typeof Float64Array>(type: T): T =>
      new Proxy(type, {
        construct(target, [length]: [number]) {
          if (length !== CHUNK_WORDS) made.push(length * target.BYTES_PER_ELEMENT);
          return new target(length);
        },
      });
    vi.stubGlobal('Uint32Array', watched(Uint32Array));
    vi.stubGlobal('Float64Array', watched(Float64Array));
    const seen = createSeenIds();
    const sizes = [3072, 3073, 6144, 6145].map((size) => {
      for (let n = seen.size; n < size; n++) seen.add(String(n * step));
      return Math.max(...made) / slotBytes;
    });
    vi.unstubAllGlobals();
    expect(sizes).toEqual([4096, 8192, 8192, 16_384]);
  });
});
