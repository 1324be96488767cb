/** The fault matrix. Each cell is a fault of the museum and a family of commands. */
import { checkFailure, checkHarmless, checkPaging } from './cell.js';
import { FAMILIES } from './families.js';
import { FAILURES, FORMS, HARMLESS, PAGING } from './faults.js';
import { hasMidway } from './rule.js';

export interface Cell {
  readonly fault: string;
  readonly family: string;
  /** Returns what is wrong; undefined if the cell is correct. */
  readonly run: () => Promise<string | undefined>;
}

const failures = FAILURES.flatMap((row) =>
  (row.forms ?? FORMS).flatMap((form) =>
    FAMILIES.filter((family) => form !== 'midway' || hasMidway(family)).map((family) => ({
      fault: `${row.name}, ${form}`,
      family: family.name,
      run: () => checkFailure(row, form, family),
    })),
  ),
);

const harmless = HARMLESS.flatMap((row) =>
  FAMILIES.filter(({ type }) => type !== 'login').map((family) => ({
    fault: row.name,
    family: family.name,
    run: () => checkHarmless(row, family),
  })),
);

const paging = PAGING.flatMap((row) =>
  FAMILIES.filter(({ lists }) => lists).map((family) => ({
    fault: row.name,
    family: family.name,
    run: () => checkPaging(row, family),
  })),
);

export const CELLS: readonly Cell[] = [...failures, ...harmless, ...paging];

/** More concurrent cells would not be faster. They would delay all responses, and so hide faults that are delays. */
const AT_ONCE = 4;

/** Runs the cells, and calls `onEnd` when a cell ends. */
export async function runCells(
  cells: readonly Cell[],
  onEnd: (cell: Cell, found: string | undefined) => void,
): Promise<void> {
  const rest = cells.values();
  const work = async () => {
    for (const cell of rest) onEnd(cell, await cell.run());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
