/** Sliced exports from limited or faulty services. An export is complete, or its reasons report the missing records. */
import { describe, expect, it } from 'vitest';
import { type ExportSetup, withService } from '../../export-setup.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

const WINDOW = 60;
const createNumbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Creates records with these fields by number. The text order of the ids is their numeric order. */
const createRecords = (count: number, fields: (n: number) => Omit<SmallRecord, 'id'>): SmallRecord[] =>
  createNumbers(count).map(
    (n) => ({ id: [String(100_000 + n * 7)], ...fields(n) }) as unknown as SmallRecord,
  );

/** Exports all records, and checks that the file contains no id twice. */
async function exportIds(traits: Omit<Traits, 'window'>, then?: (setup: ExportSetup) => Promise<void>) {
  const service = await startSmallService({ window: WINDOW, ...traits });
  let result: { ids: string[]; reasons: readonly string[]; terms: string[] } | undefined;
  await withService(service, async (setup) => {
    const options = { pageSize: 10, window: WINDOW, checkpointEvery: 60_000 };
    const { complete, reasons, manifest } = await setup.run('out.ids', { format: 'ids', ...options });
    const text = await setup.text(complete ? 'out.ids' : 'out.incomplete.ids');
    const ids = text.split('\n').slice(0, -1);
    expect(new Set(ids).size).toBe(ids.length);
    expect([complete, manifest.records]).toEqual([reasons.length === 0, ids.length]);
    result = { ids, reasons, terms: (manifest.plan?.slices ?? []).map(({ term = '' }) => term) };
    await then?.(setup);
  });
  return result as NonNullable<typeof result>;
}

const getIds = (records: readonly SmallRecord[]) => records.map(({ id }) => id[0]);
/** Returns no fields. If records have fields and the service supports NOT, opac can slice by these fields. */
const createNoFields = () => ({});
const exactCount = (_: string, __: string, count: number) => count;

describe('export from a service with range queries', () => {
  it('is sliced by ranges of ids if records have no fields', async () => {
    const records = createRecords(230, createNoFields);
    const { ids, reasons, terms } = await exportIds({ records, ranges: true, sorts: ['opacObjectId'] });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(getIds(records));
    expect(terms.length).toBeGreaterThan(3);
    expect(terms.every((term) => /opacObjectId:[[{].* TO .*[\]}]/.test(term))).toBe(true);
  });

  it('is sliced by ranges of another field if the service does not sort by ids', async () => {
    const records = createRecords(230, (n) => ({ accession_no: [`A${10_000 + ((n * 37) % 230)}`] }));
    const { ids, reasons, terms } = await exportIds({ records, ranges: true, sorts: ['accession_no'] });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(getIds(records));
    expect(terms.every((term) => /accession_no:[[{].* TO .*[\]}]/.test(term))).toBe(true);
  });

  it('reports missing records if ranges compare text, but the service sorts numbers', async () => {
    const records = createRecords(230, (n) => ({ accession_no: [String((n * 37) % 230)] }));
    const traits = { ranges: true, sorts: ['accession_no'], numeric: true, mostValues: 1 };
    const { ids, reasons } = await exportIds({ records, ...traits });
    expect(ids.length + countMissing(reasons)).toBe(230);
    expect(reasons).not.toEqual([]);
  });
});

/** Returns the number of records that the reasons report as missing. */
function countMissing(reasons: readonly string[]): number {
  const counts = reasons.map((reason) => {
    const [, from, to] = /^records (\d+) to (\d+) of/.exec(reason) ?? [];
    if (from !== undefined) return Number(to) - Number(from) + 1;
    return Number(/^(\d+) (?:records|of \d+ records)/.exec(reason)?.[1] ?? Number.NaN);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const MAKERS = 12;
const createMaker = (n: number) => ({ maker: [`Maker ${n % MAKERS}`] });
const createSomeMakers = (n: number) => (n % 20 === 0 ? createNoFields() : createMaker(n));

describe.each(['refused', 'dropped'] as const)('export from a service with NOT %s', (not) => {
  it('is complete if every record has a value', async () => {
    const records = createRecords(230, createMaker);
    const { ids, reasons } = await exportIds({ records, not, facet: exactCount });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(getIds(records));
  });

  it('reports records without a value as missing', async () => {
    const records = createRecords(230, createSomeMakers);
    const { ids, reasons } = await exportIds({ records, not, facet: exactCount });
    expect(reasons).toEqual([expect.stringContaining('12 records without a value of maker')]);
    expect(ids.sort()).toEqual(getIds(records.filter(({ maker }) => maker)));
  });

  it('contains each record once if slices overlap', async () => {
    const records = createRecords(230, (n) => ({
      ...createNoFields(),
      maker: [`Maker ${n % 12}`, `Maker ${(n + 5) % 7}`],
    }));
    const { ids, reasons } = await exportIds({ records, not, facet: exactCount });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(getIds(records));
  });
});

describe('export from a service with wrong facets', () => {
  it.each<[string, NonNullable<Traits['facet']>]>([
    ['counts that are ten times too high', (_, __, count) => count * 10],
    ['counts of 1', () => 1],
    ['only one value', (_, value, count) => (value === 'Maker 3' ? count : undefined)],
    ['only every second value', (_, value, count) => (Number(value.split(' ')[1]) % 2 ? count : undefined)],
    ['counts of 0', () => 0],
    ['negative counts', (_, __, count) => -count],
  ])('is complete with %s', async (_, facet) => {
    const records = createRecords(230, createSomeMakers);
    const { ids, reasons } = await exportIds({ records, facet });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(getIds(records));
  });
});

it('reports records beyond the window as missing without facets, sort orders and values', async () => {
  const records = createRecords(230, createNoFields);
  const { ids, reasons } = await exportIds({ records });
  expect(ids).toEqual(getIds(records.slice(0, WINDOW)));
  expect(reasons).toEqual(['170 records beyond the window are missing: no slice contains these records']);
});

it('reads both ends of the only sort order, and reports the records between them as missing', async () => {
  const records = createRecords(230, createNoFields);
  const { ids, reasons } = await exportIds({ records, sorts: ['opacObjectId'] });
  expect([ids.length, countMissing(reasons)]).toEqual([2 * WINDOW, 230 - 2 * WINDOW]);
});

it('reads both ends of several sort orders, and reports all other records as missing', async () => {
  const createValue = (prefix: string, number: number) => [`${prefix}${String(number).padStart(3, '0')}`];
  const records = createRecords(230, (n) => ({
    title: createValue('T', (n * 37) % 230),
    year: createValue('Y', (n * 101) % 230),
  }));
  const { ids, reasons } = await exportIds({ records, not: 'refused', sorts: ['title', 'year'] });
  const isAtAnEnd = (field: string) => (record: SmallRecord) => {
    const place = Number(record[field]?.[0]?.slice(1));
    return place < WINDOW || place >= 230 - WINDOW;
  };
  const reached = records.filter((each) => isAtAnEnd('title')(each) || isAtAnEnd('year')(each));
  expect(ids.sort()).toEqual(getIds(reached));
  expect([reached.length > 2 * WINDOW, countMissing(reasons)]).toEqual([true, 230 - reached.length]);
});

describe('export from a service that refuses pages within a slice', () => {
  it('skips and reports the refused range, and reads it when it is resumed', async () => {
    const records = createRecords(230, createMaker);
    let isHealed = false;
    const refuses = (query: string, offset: number) =>
      !isHealed && /^maker:.*"Maker 3"/.test(query) && offset >= 20;
    const { ids, reasons } = await exportIds({ records, facet: exactCount, refuses }, async (setup) => {
      isHealed = true;
      const options = { pageSize: 10, window: WINDOW, checkpointEvery: 60_000, resume: true };
      const { complete } = await setup.run('out.ids', { format: 'ids', ...options });
      expect(complete).toBe(true);
      expect((await setup.text('out.ids')).split('\n').slice(0, -1).sort()).toEqual(getIds(records));
    });
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/^records 21 to \d+ of maker:.*Maker 3/);
    expect(ids.length + countMissing(reasons)).toBe(230);
  });
});
