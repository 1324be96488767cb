/** The charts of a report. Rows add up to the number of records, unless records count in several rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CollectionFigures } from '../../../src/service/records/collection-figures.js';
import { readRecord } from '../../../src/service/records/record.js';

const record = (fields: Readonly<Record<string, readonly string[]>>) =>
  readRecord({
    opacObjectId: '1',
    opacObjectFieldSets: Object.entries(fields).map(([identifier, values]) => ({
      identifier,
      opacObjectFields: values.map((value) => ({ value })),
    })),
  });

function createChart(title: string, all: readonly Readonly<Record<string, readonly string[]>>[]) {
  const figures = new CollectionFigures([]);
  figures.add(all.map(record));
  const found = figures.charts.find((each) => each.title === title);
  return { ...found, rows: found?.rows.map(({ label, count }) => [label, count]) };
}

describe('a chart', () => {
  it('counts dates by the decade of their first year, with rows for unknown and missing dates', () => {
    const dates = [['1849'], ['c.1845–52'], ['before 1900'], ['date not known'], [], ['']];
    expect(
      createChart(
        'Decade',
        dates.map((production_date) => ({ production_date })),
      ),
    ).toMatchObject({
      rows: [
        ['1840s', 2],
        ['unknown date', 2],
        ['no value', 2],
      ],
      records: 6,
      inSeveralRows: 0,
    });
  });

  it('counts a record once in each row, also in the row of other values', () => {
    const makers = [...Array(16).keys()].map((n) => [`maker ${n}`, `maker ${n}`]);
    const found = createChart('Maker', [
      { maker_name: ['maker 0', 'rare 1', 'rare 2'] },
      ...[...makers, ...makers].map((maker_name) => ({ maker_name })),
      { maker_name: ['rare 1', 'rare 3'] },
    ]);
    expect(found.rows?.slice(0, 2)).toEqual([
      ['maker 0', 3],
      ['maker 1', 2],
    ]);
    expect(found.rows?.slice(-2)).toEqual([
      ['other (4)', 4],
      ['no value', 0],
    ]);
    expect(found.inSeveralRows).toBe(1);
  });

  it('combines early years into one row', () => {
    const years = [...Array(50).keys()].map((n) => ({ acquisition_year: [String(1950 + n)] }));
    expect(createChart('Year of acquisition', years).rows?.slice(0, 2)).toEqual([
      ['before 1960', 10],
      ['1960', 1],
    ]);
  });

  it('has rows that add up to the number of records, unless records count in several rows', () => {
    const text = fc.oneof(
      fc.constantFrom('', '?', '[]', 'NaN', 'unknown date', '1850', 'c.1860', '300'),
      fc.string(),
    );
    const fields = fc.record({ maker_name: fc.array(text), production_date: fc.array(text) });
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 40 }), (all) => {
        const figures = new CollectionFigures([]);
        for (const each of all) figures.add([record(each)]);
        for (const { rows, records, inSeveralRows } of figures.charts) {
          expect(records).toBe(all.length);
          const sum = rows.reduce((total, { count }) => total + count, 0);
          if (inSeveralRows === 0) expect(sum).toBe(records);
          else expect(sum).toBeGreaterThanOrEqual(records + inSeveralRows);
        }
      }),
    );
  });
});
