import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../src/cli/output/terminal/table.js';
import { displayWidth } from '../../../src/cli/output/terminal/text.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { readRecord } from '../../../src/service/records/record.js';
import { anyScreen, approvable, expectToFit, nastyText, SCREENS, screen } from './screens.js';

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/opacobjects-detail.json', import.meta.url), 'utf8'),
);
const record = readRecord(sample.opacObjects[0], 'objects');
const COLUMNS = ['id', 'title', 'maker_name', 'production_date', 'brief_desc', 'image.count'];
const OBJECTS = {
  columns: COLUMNS.map((name) => ({ name, align: name === 'image.count' ? 'right' : 'left' }) as const),
  rows: [
    COLUMNS.map((name) => parseColumn(name).values(record).join('; ')),
    [
      '7',
      '大英博物館のガラス標本',
      'William Blake',
      'c. 1800',
      'Te A\u0304tiawa\nka\u0304kahu 👩‍👩‍👧‍👦',
      '1,204',
    ],
    ['1045', 'Cloak', '', '', '\u001b[31mred\u001b[0m', '0'],
  ],
};

describe('renderTable', () => {
  it.each(SCREENS)('draws objects as approved: %s', async (name, terminal) => {
    const { text, note } = renderTable(OBJECTS, terminal);
    await expect(approvable(`${text}\n\n${note ?? '(no note)'}`)).toMatchFileSnapshot(
      `approved/table-${name}.txt`,
    );
  });

  it('takes no more width than it needs', () => {
    const { text } = renderTable({ columns: [{ name: 'id' }], rows: [['192938'], ['7']] }, screen(80));
    expect(text).toBe('id\n──────\n192938\n7');
  });

  it('says how many columns it left out', () => {
    const columns = Array.from({ length: 12 }, (_, index) => ({ name: `a_long_field_name_${index}` }));
    const { text, note } = renderTable({ columns, rows: [columns.map(() => 'value')] }, screen(80));
    expect(text.split('\n')[0]).toBe(
      'a_long_field_name…  a_long_field_name…  a_long_field_name_2  a_long_field_name_3',
    );
    expect(note).toBe('… and 8 more columns (use --columns or -f card)');
  });

  it('draws nothing without rows', () => {
    expect(renderTable({ columns: [{ name: 'id' }], rows: [] }, screen(80)).text).toBe('');
  });

  it('fits any terminal with any text, its columns below each other', () => {
    const table = fc.integer({ min: 1, max: 9 }).chain((length) =>
      fc.record({
        columns: fc.array(
          fc.record({
            name: nastyText,
            align: fc.constantFrom(undefined, 'left' as const, 'right' as const),
          }),
          { minLength: length, maxLength: length },
        ),
        rows: fc.array(fc.array(nastyText, { maxLength: length }), { maxLength: 4 }),
      }),
    );
    fc.assert(
      fc.property(table, anyScreen, (content, terminal) => {
        const { text } = renderTable(content, terminal);
        expectToFit(text, terminal);
        expect(text === '' ? 0 : text.split('\n').length - 2).toBe(content.rows.length);
      }),
    );
  });

  it('keeps columns in line beside scripts of every width', () => {
    fc.assert(
      fc.property(fc.array(nastyText, { minLength: 1, maxLength: 5 }), (texts) => {
        const rows = texts.map((text) => [text, '|']);
        const { text } = renderTable({ columns: [{ name: 'a' }, { name: 'b' }], rows }, screen(60));
        const starts = text
          .split('\n')
          .slice(2)
          .map((line) => displayWidth(line.slice(0, -1)));
        expect(new Set(starts).size).toBe(1);
      }),
    );
  });

  it('draws long tables in the same columns throughout', () => {
    const rows = Array.from({ length: 250 }, (_, index) => [String(index), 'x'.repeat(index % 40)]);
    const lines = renderTable({ columns: [{ name: 'id' }, { name: 'x' }], rows }, screen(80)).text.split(
      '\n',
    );
    expect(lines).toHaveLength(252);
    expect(lines[251]).toBe('249  xxxxxxxxx');
  });
});
