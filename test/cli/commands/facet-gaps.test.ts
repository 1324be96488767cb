/** The row `no value` of a facet: opac shows it only if the records and the counts of the service agree. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../e2e/opac.js';
import { createRecords, SmallMuseum } from '../../mirror/small-museum.js';
import { runAgainstMuseum } from '../run-against-museum.js';
import { opac } from '../run-in-process.js';

interface FacetOptions {
  readonly type?: string;
  readonly values: Readonly<Record<string, number>>;
  readonly total?: number;
}

/** Prints the chart of the facet `name` for 250 records, each with one name. */
async function printChart(
  { type = 'text', values, total }: FacetOptions,
  failsFrom = Number.POSITIVE_INFINITY,
  ...more: string[]
) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(250);
  const facetLabelValues = Object.entries(values).map(([label, value]) => ({ label, value }));
  const totalLabelValues = total ?? facetLabelValues.length;
  const facet = { facetId: 'name', facet: 'Name', facetType: type, facetLabelValues, totalLabelValues };
  const body = JSON.stringify({
    opacObjects: [],
    totalObjects: 250,
    facetsCollection: { facets: [facet], totalFacets: 1 },
  });
  museum.fault = ({ limit, offset }) => {
    if (limit === 0) return { body };
    return offset >= failsFrom ? { status: 500, body: '{}' } : undefined;
  };
  return opac(['facets', 'list', 'objects', '--base-url', museum.url, '--retries', '0', ...more], {
    columns: 80,
  });
}

describe('the row "no value" of a facet', () => {
  it('is shown if the counts agree', async () => {
    expect((await printChart({ values: { a: 200, b: 50 } })).stdout).toMatch(/^no value +0 +0\.0%$/m);
    expect((await printChart({ values: { a: 9 }, total: 99 })).stdout).toMatch(/^no value +0 +0\.0%$/m);
  });

  it.each([
    ['the service counts more than the records show', { values: { a: 251 } }],
    ['the service counts less than the records show', { values: { a: 249 } }],
    ['the dates cannot be read', { type: 'range', values: { '1800-1849': 250 } }],
  ])('is omitted if %s', async (_, facet) => {
    const { code, stdout } = await printChart(facet);
    expect([code, stdout.includes('no value')]).toEqual([0, false]);
  });

  it('is omitted with a note if records are missing', async () => {
    const { code, stdout, stderr } = await printChart({ values: { a: 250 } }, 100);
    expect([code, stdout.includes('no value')]).toEqual([0, false]);
    expect(stderr).toContain('cannot count records without a value: ');
  });

  it('is part of a page, which is not written if records are missing', async () => {
    const file = join(await createFolder(), 'facets.html');
    expect(await printChart({ values: { a: 250 } }, 100, '-o', file)).toMatchObject({ code: 5 });
    expect(await readFile(file).catch(() => 'none')).toBe('none');
    expect(await printChart({ values: { a: 250 } }, 300, '-o', file)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toContain('<th scope="row">no value</th>');
  });

  it('is part of an SVG file, with a bar of width 0', async () => {
    const file = join(await createFolder(), 'facets.svg');
    expect(
      await printChart({ values: { 'a<b & "c"': 200, ['x'.repeat(60)]: 50 } }, 300, '-o', file),
    ).toMatchObject({
      code: 0,
    });
    const svg = await readFile(file, 'utf8');
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts).toEqual([
      'Name',
      'a&lt;b &amp; &quot;c&quot;',
      '200 (80.0%)',
      `${'x'.repeat(35)}…`,
      '50 (20.0%)',
      'no value',
      '0 (0.0%)',
      '250 values in 250 records',
    ]);
    const widths = [...svg.matchAll(/<rect x[^>]*? width="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([460, 115, 0]);
    expect(await printChart({ values: { a: 250 } }, 300, '-o', file, '--columns', 'value')).toMatchObject({
      code: 2,
    });
  });

  it('is not in csv, whose columns are value and count', async () => {
    const { stdout } = await runAgainstMuseum('facets get objects production_place -f csv');
    expect(stdout.split(/\r?\n/)[0]).toBe('facetId,facetType,value,count');
    expect(stdout).not.toContain('no value');
  });
});
