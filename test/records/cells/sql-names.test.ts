/** Converts column headers to names for databases. */
import { expect, it } from 'vitest';
import { toSqlNames } from '../../../src/records/cells/sql-names.js';

const LONG = 'x'.repeat(70);

it.each([
  [
    ['id', 'image.count', 'a[0]@b'],
    ['id', 'image_count', 'a_0_b'],
  ],
  [
    ['Título', 'MÂKER  name'],
    ['titulo', 'maker_name'],
  ],
  [
    ['1st', '_a_', '名'],
    ['_1st', 'a', 'field'],
  ],
  [
    ['order', 'Condition', 'values', 'order_', 'ordering'],
    ['order_', 'condition_', 'values_', 'order__2', 'ordering'],
  ],
  [
    ['a b', 'a-b', 'A.B', 'a_b_2'],
    ['a_b', 'a_b_2', 'a_b_3', 'a_b_2_2'],
  ],
  [
    [LONG, LONG],
    ['x'.repeat(63), `${'x'.repeat(61)}_2`],
  ],
  [
    Array.from({ length: 11 }, () => LONG).slice(0, 11),
    [
      'x'.repeat(63),
      ...Array.from({ length: 8 }, (_, n) => `${'x'.repeat(61)}_${n + 2}`),
      `${'x'.repeat(60)}_10`,
      `${'x'.repeat(60)}_11`,
    ],
  ],
])('converts the headers %j', (headers, names) => {
  expect(toSqlNames(headers)).toEqual(names);
});

it('creates different names for 100,000 equal headers', () => {
  const names = toSqlNames(Array.from({ length: 100_000 }, () => '名'));
  expect(new Set(names).size).toBe(100_000);
  expect(names.at(-1)).toBe('field_100000');
});
