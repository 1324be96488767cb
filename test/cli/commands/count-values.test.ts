/** `opac facets get` with a column that the service does not count: opac counts the values in the records. */
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { opac } from '../run-in-process.js';

interface SentRecord {
  readonly opacObjectFieldSets: readonly {
    readonly identifier: string;
    readonly opacObjectFields: readonly { readonly value: string }[];
  }[];
  readonly imagesCollection?: {
    readonly images: readonly {
      readonly imageAttributes?: readonly { readonly key: string; readonly value: string }[];
    }[];
  };
}

/** Counts what the museum sends, without the code of opac. */
function countRecords(records: readonly SentRecord[], read: (record: SentRecord) => readonly string[]) {
  const counts: Record<string, number> = {};
  for (const record of records)
    for (const value of new Set(read(record).filter(Boolean))) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

async function run(line: string) {
  const museum = await startMuseum({ maxPageSize: 1000 });
  try {
    const response = await fetch(`${museum.url}/api/v3/opacobjects?view=detail&limit=1000`);
    const { opacObjects } = (await response.json()) as { opacObjects: readonly SentRecord[] };
    const outcome = await opac([...line.split(' '), '--base-url', museum.url]);
    const rows = outcome.code === 0 && line.includes('-f json') ? JSON.parse(outcome.stdout) : undefined;
    return { ...outcome, records: opacObjects, facet: rows?.[0] ?? rows };
  } finally {
    await museum.close();
  }
}

const toCounts = (facet: { facetLabelValues: readonly { label: string; value: number }[] }) =>
  Object.fromEntries(facet.facetLabelValues.map(({ label, value }) => [label, value]));

describe('facets get', () => {
  it('counts a field that is not a facet, most frequent values first', async () => {
    const { records, facet, stderr } = await run('facets get objects production_role -f json');
    const expected = countRecords(records, ({ opacObjectFieldSets }) =>
      opacObjectFieldSets
        .filter(({ identifier }) => identifier === 'production_role')
        .flatMap(({ opacObjectFields }) => opacObjectFields.map(({ value }) => value)),
    );
    expect(Object.keys(expected).length).toBeGreaterThan(2);
    expect(toCounts(facet)).toEqual(expected);
    const sizes = facet.facetLabelValues.map(({ value }: { value: number }) => value);
    expect(sizes).toEqual(sizes.toSorted((one: number, other: number) => other - one));
    expect(stderr).toContain('the service does not count "production_role"');
  });

  it('counts the rights of images', async () => {
    const { records, facet } = await run('facets get objects image@copyright -f json');
    const expected = countRecords(records, ({ imagesCollection }) =>
      (imagesCollection?.images ?? []).flatMap(({ imageAttributes = [] }) =>
        imageAttributes.filter(({ key }) => key === 'copyright').map(({ value }) => value),
      ),
    );
    expect(Object.keys(expected)).not.toEqual([]);
    expect(toCounts(facet)).toEqual(expected);
  });

  it('counts only the records of the search, and the records without a value', async () => {
    const { stdout } = await run(
      'facets get objects image@copyright --where classification=Photographs -f table',
    );
    expect(stdout).toMatch(/^image@copyright\n\d+ values in \d+ records\n/);
    expect(stdout).toMatch(/^no value .* 17 +53\.1%$/m);
  });

  it.each([
    ['clasification', 'unknown facet of objects "clasification"; did you mean "classification"?'],
    ['copyright', 'unknown facet of objects "copyright"; did you mean "image@copyright"?'],
    ['nosuch', 'unknown facet of objects "nosuch"; choose from classification,'],
  ])('refuses %s without reading all records', async (name, message) => {
    const { code, stderr } = await run(`facets get objects ${name}`);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('reading');
  });
});
