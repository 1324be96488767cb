import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/client/errors/parse-json.js';
import { readPage } from '../../../src/export/json/page-records.js';
import { FoundColumns } from '../../../src/export/table/found-columns.js';
import { cellOf } from '../../../src/export/table/row.js';
import { column, columnNames, RECORD_COLUMN_NAMES } from '../../../src/service/records/columns.js';
import { readRecord } from '../../../src/service/records/record.js';
import { anyRecord, printJson, printMessily } from './record-arbitrary.js';

/** What UTF-8 cannot hold is U+FFFD in a file. */
function inUtf8<T extends string | readonly string[]>(cell: T): string | string[] {
  return typeof cell === 'string'
    ? Buffer.from(cell).toString()
    : cell.map((text) => Buffer.from(text).toString());
}

/** Table and columns by the lean way. */
function walk(pages: readonly Buffer[], columns = new FoundColumns('objects')) {
  const rows: (string | string[])[][] = [];
  for (const bytes of pages) {
    const page = readPage(bytes, 'objects', 0, (answer, at, ids) => {
      const end = columns.scan(answer, at, ids);
      if (end >= 0) rows.push(columns.names.map((_, number) => inUtf8(columns.row.cell(number))));
      return end;
    });
    expect(page?.isScanned).toBe(true);
  }
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
    return names.map((name) => inUtf8(cellOf(column(name).values(record))));
  });
  return { names, rows };
}

const page = fc
  .tuple(fc.array(anyRecord, { maxLength: 4 }), fc.constantFrom('plain', 'ascii', 'messy'), fc.nat())
  .map(([opacObjects, how, seed]) => {
    // The answer itself is spelt in order: the scanner declines others as a whole.
    const records = opacObjects.map((each) =>
      how === 'messy' ? printMessily(each, seed) : printJson(each, how === 'ascii' ? 'ascii' : 'plain'),
    );
    return Buffer.from(`{"opacObjects":[${records}],"totalObjects":9}`);
  });
const pages = fc.array(page, { maxLength: 3 });

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
