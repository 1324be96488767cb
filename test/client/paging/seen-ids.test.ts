import { expect, it } from 'vitest';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';

it('tells which ids are new, as texts', () => {
  const seen = createSeenIds();
  const ids = ['7', '07', '7.0', ' 7', '', '9007199254740992', '9007199254740993', '__proto__', '7', ''];
  expect(ids.map((id) => seen.add(id))).toEqual([...Array(8).fill(true), false, false]);
  expect(seen.size).toBe(8);
});
