/** `npm run faults`: every fault of the museum with every family of commands, as one table. */
import { writeSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { CELLS, runCells } from '../faults/matrix.js';
import { skipWaits } from '../faults/skip-waits.js';

beforeAll(skipWaits);

/** `OPAC_FAULTS=gzip npm run faults`: only the cells whose fault or family has that in its name. */
const chosen = CELLS.filter(({ fault, family }) =>
  `${fault} × ${family}`.includes(process.env.OPAC_FAULTS ?? ''),
);

it('end as the documents promise', async () => {
  const wrong: string[] = [];
  const marks = new Map<string, Map<string, string>>();
  await runCells(chosen, ({ fault, family }, found) => {
    const row = marks.get(fault) ?? new Map<string, string>();
    marks.set(fault, row.set(family, found === undefined ? '✓' : '✗'));
    if (found === undefined) return;
    wrong.push(`${fault} × ${family}: ${found}`);
    writeSync(1, `${wrong.at(-1)}\n`);
  });
  writeSync(1, `${tableOf(marks)}\n${chosen.length} cells, ${wrong.length} wrong\n`);
  expect(chosen.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

/** A line a fault, a mark a family; the families are numbered below. */
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
