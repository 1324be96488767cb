import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../src/cli/output/terminal/table.js';
import { displayWidth } from '../../../src/cli/output/terminal/text.js';
import { parseColumn } from '../../../src/service/records/columns.js';
import { readRecord } from '../../../src/service/records/record.js';
import { anyScreen, createTerminal, expectToFit, formatApproved, nastyText, SCREENS } from './screens.js';

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
    await expect(formatApproved(`${text}\n\n${note ?? '(no note)'}`)).toMatchFileSnapshot(
      `approved/table-${name}.txt`,
    );
  });

  it('uses only the width that the values need', () => {
    const { text } = renderTable(
      { columns: [{ name: 'id' }], rows: [['192938'], ['7']] },
      createTerminal(80),
    );
    expect(text).toBe('id\n──────\n192938\n7');
  });

  it('returns a note with the number of omitted columns', () => {
    const columns = Array.from({ length: 12 }, (_, index) => ({ name: `a_long_field_name_${index}` }));
    const { text, note } = renderTable({ columns, rows: [columns.map(() => 'value')] }, createTerminal(80));
    expect(text.split('\n')[0]).toBe(
      'a_long_field_name…  a_long_field_name…  a_long_field_name_2  a_long_field_name_3',
    );
    expect(note).toBe('… and 8 more columns (use --columns or -f card)');
  });

  it('returns an empty text without rows', () => {
    expect(renderTable({ columns: [{ name: 'id' }], rows: [] }, createTerminal(80)).text).toBe('');
  });

  it('fits any terminal with any text, in one line per row', () => {
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

  it('aligns the next column after text of any width', () => {
    fc.assert(
      fc.property(fc.array(nastyText, { minLength: 1, maxLength: 5 }), (texts) => {
        const rows = texts.map((text) => [text, '|']);
        const { text } = renderTable({ columns: [{ name: 'a' }, { name: 'b' }], rows }, createTerminal(60));
        const starts = text
          .split('\n')
          .slice(2)
          .map((line) => displayWidth(line.slice(0, -1)));
        expect(new Set(starts).size).toBe(1);
      }),
    );
  });

  it('draws all rows of a long table', () => {
    const rows = Array.from({ length: 250 }, (_, index) => [String(index), 'x'.repeat(index % 40)]);
    const lines = renderTable(
      { columns: [{ name: 'id' }, { name: 'x' }], rows },
      createTerminal(80),
    ).text.split('\n');
    expect(lines).toHaveLength(252);
    expect(lines[251]).toBe('249  xxxxxxxxx');
  });
});
