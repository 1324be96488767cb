import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FacetRow, type FacetType, renderFacet } from '../../../src/cli/output/charts/facets.js';
import { parseHexDigits, renderSwatch } from '../../../src/cli/output/terminal/styles.js';
import { anyScreen, createTerminal, expectToFit, formatApproved, nastyText, SCREENS } from './screens.js';

const TEXT: FacetRow[] = [
  { label: 'Decorative Arts', count: 1873 },
  { label: 'European Decorative Arts, with a label that goes on and on', count: 940 },
  { label: 'ガラス', count: 12 },
  { label: 'Photographs', count: 1 },
  { label: 'Unknown', count: 0 },
];
const RANGE: FacetRow[] = [
  { label: '1900-1950', count: 40 },
  { label: '1850-1900', count: 220 },
  { label: '-50-1850', count: 102 },
];
const COLOR: FacetRow[] = [
  { label: 'light steel blue', count: 40, hex: 'b0c4de' },
  { label: 'FF6347', count: 17 },
  { label: 'no colour at all', count: 3 },
];

describe('renderFacet with all types', () => {
  it.each(SCREENS)('draws charts as approved: %s', async (name, terminal) => {
    const drawn = [
      renderFacet({ facetType: 'text', rows: TEXT }, terminal),
      renderFacet({ facetType: 'range', rows: RANGE }, terminal, 400),
      renderFacet({ facetType: 'color', rows: COLOR }, terminal),
    ];
    await expect(formatApproved(drawn.join('\n\n'))).toMatchFileSnapshot(`approved/charts-${name}.txt`);
  });

  const anyCount = fc.oneof(
    fc.nat(10_000_000),
    fc.constantFrom(0, 1, -5, 10_000_000, 1e21, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE),
  );
  const anyHex = fc.option(fc.constantFrom('b0c4de', '#FF6347', 'nothing', ''), { nil: undefined });
  const anyRow = fc.record({ label: nastyText, count: anyCount, hex: anyHex });

  it('fits any terminal with any rows, in one line per row', () => {
    const types = fc.constantFrom<FacetType>('text', 'range', 'color');
    fc.assert(
      fc.property(types, fc.array(anyRow, { maxLength: 6 }), anyScreen, (facetType, rows, terminal) => {
        const drawn = renderFacet({ facetType, rows }, terminal);
        expectToFit(drawn, terminal);
        if (rows.length > 0) expect(drawn.split('\n')).toHaveLength(rows.length);
      }),
    );
  });
});

describe('renderFacet', () => {
  it.each([
    ['one row', [5]],
    ['all equal', [7, 7, 7]],
  ])('draws the full bar for the largest count: %s', (_, counts) => {
    const rows = counts.map((each) => ({ label: 'a', count: each }));
    const lines = renderFacet({ facetType: 'text', rows }, createTerminal(40)).split('\n');
    expect(lines.filter((line) => /^a {2}█{25,} {2}/.test(line))).toHaveLength(counts.length);
  });

  it('draws a bar for each count above 0, and none for 0 and NaN', () => {
    const rows = [1_000_000, 1, 0, Number.NaN].map((each) => ({ label: 'a', count: each }));
    const lines = renderFacet({ facetType: 'text', rows }, createTerminal(60)).split('\n');
    expect(lines.map((line) => /[█▏]/.test(line))).toEqual([true, true, false, false]);
  });

  it('omits the bar and shortens the label if there is not enough space', () => {
    const rows = [{ label: 'Decorative Arts', count: 10_000_000 }];
    expect(renderFacet({ facetType: 'text', rows }, createTerminal(20))).toBe('Decorat…  10,000,000');
  });

  it('returns an empty text without rows', () => {
    expect(renderFacet({ facetType: 'text', rows: [] }, createTerminal(80))).toBe('');
  });
});

describe('renderSwatch', () => {
  it.each([
    [16777216, '\u001b[48;2;176;196;222m  \u001b[49m'],
    [256, '\u001b[48;5;152m  \u001b[49m'],
    [16, ''],
    [0, ''],
  ] as const)('returns for a terminal with %i colours: %j', (colors, block) => {
    expect(renderSwatch('#B0C4DE', { colors })).toBe(block);
  });

  it.each(['', 'red', '12345', '1234567', '\u001b[1m'])(
    'returns two spaces for the invalid colour %j',
    (hex) => {
      expect(parseHexDigits(hex)).toBeUndefined();
      expect(renderSwatch(hex, { colors: 256 })).toBe('  ');
    },
  );
});
