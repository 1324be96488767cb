/** A sample of `npm run faults`: each fault at each time (first request, all requests, later requests) once, and each family of commands once. */
import { beforeAll, expect, it } from 'vitest';
import { CELLS, type Cell, runCells } from '../faults/matrix.js';
import { skipWaits } from '../faults/skip-waits.js';

beforeAll(skipWaits);

/** Cells of which each has a fault or a family that no one before it has; a fault meets the families in turn. */
function sampled(): readonly Cell[] {
  const faults = new Set<string>();
  const families = new Set<string>();
  const turned = CELLS.map((cell, index) => ({ cell, turn: (index * 7919) % CELLS.length }));
  return turned
    .sort((one, other) => one.turn - other.turn)
    .map(({ cell }) => cell)
    .filter(({ fault, family }) => {
      const isNew = !faults.has(fault) || !families.has(family);
      faults.add(fault);
      families.add(family);
      return isNew;
    });
}

it('end as the documents promise', { timeout: 120_000 }, async () => {
  const cells = sampled();
  expect(new Set(cells.map(({ family }) => family))).toEqual(new Set(CELLS.map(({ family }) => family)));
  const wrong: string[] = [];
  await runCells(cells, ({ fault, family }, found) => {
    if (found !== undefined) wrong.push(`${fault} × ${family}: ${found}`);
  });
  expect(wrong).toEqual([]);
});
