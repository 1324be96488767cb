/** Slices of services that understand ranges, or no NOT, that miscount, overlap or refuse: whole, or named what is missing. */
import { describe, expect, it } from 'vitest';
import { type ExportSetup, withService } from '../../export-setup.js';
import { type SmallRecord, startSmallService, type Traits } from './small-service.js';

const WINDOW = 60;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Records with these fields by number; ids in the order of text. */
const recordsOf = (count: number, fields: (n: number) => Omit<SmallRecord, 'id'>): SmallRecord[] =>
  upTo(count).map((n) => ({ id: [String(100_000 + n * 7)], ...fields(n) }) as unknown as SmallRecord);

/** Exports all of it; the ids in the file are different ones, whatever else holds. */
async function exported(traits: Omit<Traits, 'window'>, then?: (setup: ExportSetup) => Promise<void>) {
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

const idsOf = (records: readonly SmallRecord[]) => records.map(({ id }) => id[0]);
/** Nothing but an id: by fields that they have, records are told apart wherever NOT is understood. */
const bare = () => ({});
const right = (_: string, __: string, count: number) => count;

describe('a service that understands ranges', () => {
  it('is sliced by ranges of ids, where records have nothing in common', async () => {
    const records = recordsOf(230, bare);
    const { ids, reasons, terms } = await exported({ records, ranges: true, sorts: ['opacObjectId'] });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(idsOf(records));
    expect(terms.length).toBeGreaterThan(3);
    expect(terms.every((term) => /opacObjectId:[[{].* TO .*[\]}]/.test(term))).toBe(true);
  });

  it('is sliced by ranges of another field, where it does not sort by ids', async () => {
    const records = recordsOf(230, (n) => ({ accession_no: [`A${10_000 + ((n * 37) % 230)}`] }));
    const { ids, reasons, terms } = await exported({ records, ranges: true, sorts: ['accession_no'] });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(idsOf(records));
    expect(terms.every((term) => /accession_no:[[{].* TO .*[\]}]/.test(term))).toBe(true);
  });

  it('as text, and sorts as numbers, is not believed: what is missing is named', async () => {
    const records = recordsOf(230, (n) => ({ accession_no: [String((n * 37) % 230)] }));
    const traits = { ranges: true, sorts: ['accession_no'], numeric: true, mostValues: 1 };
    const { ids, reasons } = await exported({ records, ...traits });
    expect(ids.length + missingIn(reasons)).toBe(230);
    expect(reasons).not.toEqual([]);
  });
});

/** The records that reasons say are missing. */
function missingIn(reasons: readonly string[]): number {
  const counts = reasons.map((reason) => {
    const [, from, to] = /^records (\d+) to (\d+) of/.exec(reason) ?? [];
    if (from !== undefined) return Number(to) - Number(from) + 1;
    return Number(/^(\d+) (?:records|of \d+ records)/.exec(reason)?.[1] ?? Number.NaN);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const MAKERS = 12;
const made = (n: number) => ({ maker: [`Maker ${n % MAKERS}`] });
const someUnmade = (n: number) => (n % 20 === 0 ? bare() : made(n));

describe.each(['refused', 'dropped'] as const)('a service to which NOT is %s', (not) => {
  it('is got whole where every record has a value', async () => {
    const records = recordsOf(230, made);
    const { ids, reasons } = await exported({ records, not, facet: right });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(idsOf(records));
  });

  it('has records without a value, which are named', async () => {
    const records = recordsOf(230, someUnmade);
    const { ids, reasons } = await exported({ records, not, facet: right });
    expect(reasons).toEqual([expect.stringContaining('12 records without a value of maker')]);
    expect(ids.sort()).toEqual(idsOf(records.filter(({ maker }) => maker)));
  });

  it('gives each record once where slices overlap', async () => {
    const records = recordsOf(230, (n) => ({
      ...bare(),
      maker: [`Maker ${n % 12}`, `Maker ${(n + 5) % 7}`],
    }));
    const { ids, reasons } = await exported({ records, not, facet: right });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(idsOf(records));
  });
});

describe('facets that are wrong', () => {
  it.each<[string, NonNullable<Traits['facet']>]>([
    ['ten times as many', (_, __, count) => count * 10],
    ['one of each', () => 1],
    ['all the same value', (_, value, count) => (value === 'Maker 3' ? count : undefined)],
    ['every second value', (_, value, count) => (Number(value.split(' ')[1]) % 2 ? count : undefined)],
    ['none', () => 0],
    ['negative', (_, __, count) => -count],
  ])('%s: all is got and proven', async (_, facet) => {
    const records = recordsOf(230, someUnmade);
    const { ids, reasons } = await exported({ records, facet });
    expect(reasons).toEqual([]);
    expect(ids.sort()).toEqual(idsOf(records));
  });
});

it('with neither facets, nor an order, nor values in common, what is beyond the window is named', async () => {
  const records = recordsOf(230, bare);
  const { ids, reasons } = await exported({ records });
  expect(ids).toEqual(idsOf(records.slice(0, WINDOW)));
  expect(reasons).toEqual(['170 records beyond the window are missing: no slice contains these records']);
});

it('with an order alone, both ends of it are read, and what is between them is named', async () => {
  const records = recordsOf(230, bare);
  const { ids, reasons } = await exported({ records, sorts: ['opacObjectId'] });
  expect([ids.length, missingIn(reasons)]).toEqual([2 * WINDOW, 230 - 2 * WINDOW]);
});

it('with several orders, both ends of each are read, and what none of them reaches is named', async () => {
  const numbered = (prefix: string, number: number) => [`${prefix}${String(number).padStart(3, '0')}`];
  const records = recordsOf(230, (n) => ({
    title: numbered('T', (n * 37) % 230),
    year: numbered('Y', (n * 101) % 230),
  }));
  const { ids, reasons } = await exported({ records, not: 'refused', sorts: ['title', 'year'] });
  const isAtAnEnd = (field: string) => (record: SmallRecord) => {
    const place = Number(record[field]?.[0]?.slice(1));
    return place < WINDOW || place >= 230 - WINDOW;
  };
  const reached = records.filter((each) => isAtAnEnd('title')(each) || isAtAnEnd('year')(each));
  expect(ids.sort()).toEqual(idsOf(reached));
  expect([reached.length > 2 * WINDOW, missingIn(reasons)]).toEqual([true, 230 - reached.length]);
});

describe('a service that refuses in the middle of a slice', () => {
  it('is read around it, the stretch is named, and a resumed run gets it', async () => {
    const records = recordsOf(230, made);
    let isHealed = false;
    const refuses = (query: string, offset: number) =>
      !isHealed && /^maker:.*"Maker 3"/.test(query) && offset >= 20;
    const { ids, reasons } = await exported({ records, facet: right, refuses }, async (setup) => {
      isHealed = true;
      const options = { pageSize: 10, window: WINDOW, checkpointEvery: 60_000, resume: true };
      const { complete } = await setup.run('out.ids', { format: 'ids', ...options });
      expect(complete).toBe(true);
      expect((await setup.text('out.ids')).split('\n').slice(0, -1).sort()).toEqual(idsOf(records));
    });
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/^records 21 to \d+ of maker:.*Maker 3/);
    expect(ids.length + missingIn(reasons)).toBe(230);
  });
});
