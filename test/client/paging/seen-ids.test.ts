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
});
