/** A sample of `npm run faults`: each fault at each time (first, all or later requests), and each family of commands. */
import { beforeAll, expect, it } from 'vitest';
import { CELLS, type Cell, runCells } from '../faults/matrix.js';
import { skipWaits } from '../faults/skip-waits.js';

beforeAll(skipWaits);

/** Selects the cells with a new fault or family, in a mixed order, so that faults meet different families. */
function selectCells(): readonly Cell[] {
  const faults = new Set<string>();
  const families = new Set<string>();
  const mixed = CELLS.map((cell, index) => ({ cell, position: (index * 7919) % CELLS.length }));
  return mixed
    .sort((one, other) => one.position - other.position)
    .map(({ cell }) => cell)
    .filter(({ fault, family }) => {
      const isNew = !faults.has(fault) || !families.has(family);
      faults.add(fault);
      families.add(family);
      return isNew;
    });
}

it('ends with the documented result for each fault and family of the sample', {
  timeout: 120_000,
}, async () => {
  const cells = selectCells();
  expect(new Set(cells.map(({ family }) => family))).toEqual(new Set(CELLS.map(({ family }) => family)));
  const wrong: string[] = [];
  await runCells(cells, ({ fault, family }, found) => {
    if (found !== undefined) wrong.push(`${fault} × ${family}: ${found}`);
  });
  expect(wrong).toEqual([]);
});
