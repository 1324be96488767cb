import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DateCensus } from '../../../src/service/records/date-figures.js';
import { hasOverlap, readDateRange } from '../../../src/service/records/date-range.js';
import { parseDateText } from '../../../src/service/records/date-text.js';
import { readRecord } from '../../../src/service/records/record.js';

const formatRange = (text: string) => {
  const range = parseDateText(text);
  return range && `${range.from ?? ''}..${range.to ?? ''}`;
};

describe('date range', () => {
  it.each([
    ['1861', '1861..1861'],
    ['c. 1861–72', '1861..1872'],
    ['1790–1', '1790..1791'],
    ['?1798', '1798..1798'],
    ['c.1817–18', '1817..1818'],
    ['c.1798–1800', '1798..1800'],
    ['c1840', '1840..1840'],
    ['c1840-c1850', '1840..1850'],
    ['ca1840', '1840..1840'],
    ['1st half of 19th century', '1800..1849'],
    ['[c.1850]', '1850..1850'],
    ['published 1843', '1843..1843'],
    ['signed 1845', '1845..1845'],
    ['1845 (?)', '1845..1845'],
    ['19th C.', '1800..1899'],
    ['late 18th c. - 1810', '1766..1810'],
    ['1828, reprinted 1874', '1828..1828'],
    ['1845 (exhibited 1846)', '1845..1845'],
    ['1861 or 1862', '1861..1862'],
    ['1797 or 98–1863', '1797..1863'],
    ['1845/6', '1845..1846'],
    ['from 1840 to 1850', '1840..1850'],
    ['before 1900', '..1900'],
    ['after c.1830', '1830..'],
    ['1836 or later', '1836..'],
    ['born 1935', '1935..'],
    ['1920s', '1920..1929'],
    ['early 1920s', '1920..1923'],
    ['late 19th century', '1866..1899'],
    ['mid-19th century', '1833..1866'],
    ['first half of the 19th century', '1800..1849'],
    ['late 18th-early 19th century', '1766..1833'],
    ['1800s', '1800..1899'],
    ['500 BC', '-500..-500'],
    ['300–200 BCE', '-300..-200'],
    ['5th century BC', '-499..-400'],
    ['500 BC or later', '-500..'],
    ['before 300 B.C.', '..-300'],
    ['AD 50–100', '50..100'],
    ['3 May 1845', '1845..1845'],
    ['May–June 1845', '1845..1845'],
    ['1845-05-03', '1845..1845'],
  ])('reads %s as %s', (text, years) => {
    expect(formatRange(text)).toBe(years);
  });

  it.each([
    ...['', 'date not known', 'n.d.', '163', '7636', '3rd', '12.5 x 1845', '1851–1849', '100 BC–AD 50'],
    ...['1975, printed 1992', 'mayan 1500', 'marble 1845', '1845 a', 'c.18799–1802', 'Salon of 1845'],
    `1${' or 1845'.repeat(10_000)}`,
  ])('is unknown for a text without clear years (case %#)', (text) => {
    expect(parseDateText(text)).toBeUndefined();
  });

  it('prefers the years of attributes, unless they are missing or in the wrong order', () => {
    const attributes = new Map([
      ['earliest_date', '1835-01-01Z'],
      ['latest_date', '1836-12-31Z'],
    ]);
    expect(readDateRange({ value: '1935', attributes })).toEqual({ from: 1835, to: 1836 });
    attributes.delete('latest_date');
    expect(readDateRange({ value: '1935', attributes })).toEqual({ from: 1835, to: 1935 });
    // The earliest year is later than the year in the text, so the attributes are wrong.
    expect(readDateRange({ value: '1735', attributes })).toEqual({ from: 1735, to: 1735 });
  });

  it('overlaps a range that contains at least one of its years', () => {
    const range = { from: 1840, to: 1850 };
    expect(
      [{ to: 1840 }, { from: 1850 }, { from: 1800, to: 1900 }].every((each) => hasOverlap(each, range)),
    ).toBe(true);
    expect([{ to: 1839 }, { from: 1851 }].some((each) => hasOverlap(each, range))).toBe(false);
  });
});

describe('DateCensus of real date texts', () => {
  it('finds the years of the attributes in at least 95 %, and different years in at most 1 %', () => {
    const lines = readFileSync('test/fixtures/date-texts.tsv', 'utf8').trim().split('\n').slice(2);
    const census = new DateCensus();
    for (const [n, line] of lines.entries()) {
      const [value, ...years] = line.split('\t');
      const keys = ['earliest_date', 'latest_date'];
      const attributes = years.map((year, index) => ({ key: keys[index], value: year }));
      const fields = [{ value, opacObjectFieldAttributes: attributes }];
      const sets = [{ identifier: 'made', opacObjectFields: fields }];
      census.add(readRecord({ opacObjectId: String(n), opacObjectFieldSets: sets }, 'objects'));
    }
    const [figures] = census.list();
    expect(figures?.compared).toBe(lines.length);
    expect(figures?.equalPercent).toBeGreaterThanOrEqual(95);
    expect(figures?.differentPercent).toBeLessThanOrEqual(1);
  });
});
