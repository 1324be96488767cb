import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/client/parse-json.js';
import { cellOf, FoundColumns } from '../../src/export/found-columns.js';
import type { Cell } from '../../src/export/multi.js';
import { textOf } from '../../src/export/octets.js';
import { parsePage } from '../../src/export/parsed-page.js';
import { column, columnNames, RECORD_COLUMN_NAMES } from '../../src/service/columns.js';
import { readRecord } from '../../src/service/record.js';
import { anyRecord, printJson } from './record-arbitrary.js';

const decoded = (cell: Cell): Cell => (typeof cell === 'string' ? textOf(cell) : cell.map(textOf));

/** Table and columns by the lean way. */
function walk(pages: readonly Buffer[], columns = new FoundColumns('objects')) {
  const rows = pages.flatMap((bytes) => {
    const page = parsePage(bytes, 'objects');
    if (!page) throw new Error('no list');
    return page.records.map((record) => {
      const cells = [...columns.cells(record)];
      return page.spelling === 'octets' ? cells.map(decoded) : cells;
    });
  });
  return { names: columns.names, rows };
}

/** The same by the normal form. */
function read(pages: readonly Buffer[]) {
  const records = pages.flatMap((bytes) => {
    const { opacObjects } = parseJson(bytes) as { opacObjects: object[] };
    return opacObjects.map((raw) => readRecord(raw, 'objects'));
  });
  const names: string[] = [...RECORD_COLUMN_NAMES];
  const rows = records.map((record) => {
    for (const name of columnNames(record)) if (!names.includes(name)) names.push(name);
    return names.map((name) => cellOf(column(name).values(record)));
  });
  return { names, rows };
}

const pages = fc.array(
  fc
    .tuple(fc.array(anyRecord, { maxLength: 4 }), fc.constantFrom('plain' as const, 'ascii' as const))
    .map(([opacObjects, how]) => Buffer.from(printJson({ opacObjects }, how))),
  { maxLength: 3 },
);

describe('columns as they come', () => {
  it('agree with the normal form on any records', () => {
    fc.assert(
      fc.property(pages, (some) => {
        expect(walk(some)).toEqual(read(some));
      }),
      { numRuns: 300 },
    );
  });

  it('go on from their names', () => {
    fc.assert(
      fc.property(pages, pages, (before, after) => {
        const { names } = walk(before);
        const whole = walk([...before, ...after]);
        const rest = walk(after, new FoundColumns('objects', names));
        expect(rest.names).toEqual(whole.names);
        expect(rest.rows).toEqual(whole.rows.slice(whole.rows.length - rest.rows.length));
      }),
    );
  });
});
