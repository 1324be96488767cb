/** `npm run faults`: runs every fault of the museum with every family of commands, and prints one table. */
import { writeSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { CELLS, runCells } from '../faults/matrix.js';
import { skipWaits } from '../faults/skip-waits.js';

beforeAll(skipWaits);

/** `OPAC_FAULTS=gzip npm run faults` runs only the cells whose fault or family contains "gzip" in its name. */
const chosen = CELLS.filter(({ fault, family }) =>
  `${fault} × ${family}`.includes(process.env.OPAC_FAULTS ?? ''),
);

it('ends each cell of the matrix as documented', async () => {
  const wrong: string[] = [];
  const marks = new Map<string, Map<string, string>>();
  await runCells(chosen, ({ fault, family }, problem) => {
    const row = marks.get(fault) ?? new Map<string, string>();
    marks.set(fault, row.set(family, problem === undefined ? '✓' : '✗'));
    if (problem === undefined) return;
    wrong.push(`${fault} × ${family}: ${problem}`);
    writeSync(1, `${wrong.at(-1)}\n`);
  });
  writeSync(1, `${tableOf(marks)}\n${chosen.length} cells, ${wrong.length} wrong\n`);
  expect(chosen.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

/** Returns a table with one line per fault and one column per family. Numbers in the first line stand for the families. */
function tableOf(marks: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const families = [...new Set(CELLS.map(({ family }) => family))];
  const numbers = families.map((_, index) => String(index + 1).padStart(3)).join('');
  const rows = [...marks].map(
    ([fault, row]) =>
      `${fault.padEnd(42)}${families.map((family) => (row.get(family) ?? '·').padStart(3)).join('')}`,
  );
  const legend = families.map((family, index) => `${index + 1} ${family}`).join(', ');
  return [''.padEnd(42) + numbers, ...rows, '', legend].join('\n');
}
