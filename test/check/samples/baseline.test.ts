import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseBaseline, serializeBaseline } from '../../../src/check/samples/baseline.js';
import type { Census } from '../../../src/check/samples/census.js';
import { takeCensus } from '../../../src/check/samples/census.js';
import { type MuseumOptions, startMuseum } from '../../../src/mock/index.js';
import { checkMuseum, deviating, openMuseum } from '../check-museum.js';

async function censusOf(options: MuseumOptions = {}): Promise<Census> {
  let census: Census | undefined;
  // Taken before the first test, so the museum cannot be closed by one.
  const museum = await startMuseum(options);
  await checkMuseum(museum, 'anonymous', {
    afterwards: async (probe) => {
      census = await takeCensus(probe);
    },
  });
  await museum.close();
  return parseBaseline(serializeBaseline(census as Census), 'baseline.json');
}

const compared = async (baseline: Census, options: MuseumOptions = {}) => {
  const run = await checkMuseum(await openMuseum(options), 'anonymous', { expectations: { baseline } });
  expect(run.report.requests).toBeLessThan(100);
  return deviating(run).filter((each) => each.startsWith('baseline.'));
};

const healthy = await censusOf();
const objects = healthy.kinds.objects as NonNullable<Census['kinds'][string]>;
const changed = (part: Partial<typeof objects>): Census => ({
  ...healthy,
  kinds: { ...healthy.kinds, objects: { ...objects, ...part } },
});

describe('a baseline', { timeout: 30_000 }, () => {
  it('is sorted, and the same each time', async () => {
    expect(serializeBaseline(await censusOf())).toBe(serializeBaseline(healthy));
    for (const names of [healthy.totals, objects.keys, objects.filled, objects.views].map(Object.keys))
      expect(names).toEqual(names.toSorted());
  });

  it('counts fields, keys, facets, views, collections and totals', () => {
    expect(healthy.totals).toEqual({ objects: 163, persons: 43, records: 215, venues: 9 });
    expect(objects).toMatchObject({
      sampled: 100,
      keys: { opacObjectId: 'string', opacObjectFieldSets: 'array' },
      filled: { accession_no: 100, prov_person: 0 },
      facets: { color: 'color', production_date: 'range' },
    });
    expect(Object.keys(objects.views)).toEqual(['advancedsearch', 'detail', 'label']);
  });

  it.each<[string, Census, MuseumOptions, string[]]>([
    ['nothing changed', healthy, {}, []],
    ['a field appeared', healthy, { faults: [{ kind: 'field-added' }] }, ['baseline.fields fail']],
    ['a key appeared', healthy, { faults: [{ kind: 'roles-collection' }] }, ['baseline.types fail']],
    ['ids are numbers now', healthy, { idType: 'number' }, ['baseline.types fail']],
    [
      'a field vanished',
      changed({
        filled: { ...objects.filled, loan_no: 40 },
        examples: { ...objects.examples, loan_no: '20011' },
      }),
      {},
      ['baseline.fields fail'],
    ],
    [
      'a field that views still name is in no record',
      healthy,
      { faults: [{ kind: 'field-dropped' }] },
      ['baseline.fields fail', 'baseline.filled warn'],
    ],
    [
      'a facet type changed',
      changed({ facets: { ...objects.facets, color: 'text' } }),
      {},
      ['baseline.facets fail'],
    ],
    [
      'a view vanished',
      changed({ views: { ...objects.views, public: ['name'] } }),
      {},
      ['baseline.views fail'],
    ],
    [
      'a collection vanished',
      { ...healthy, collections: { ...healthy.collections, 99: 'Toys' } },
      {},
      ['baseline.collections warn'],
    ],
    [
      'a field is filled less often',
      changed({ filled: { ...objects.filled, inscription: 90 } }),
      {},
      ['baseline.filled warn'],
    ],
    [
      'there were far more',
      { ...healthy, totals: { ...healthy.totals, objects: 180 } },
      {},
      ['baseline.totals warn'],
    ],
    [
      'there were twice as many',
      { ...healthy, totals: { ...healthy.totals, objects: 327, venues: 18 } },
      {},
      ['baseline.totals fail'],
    ],
    [
      'there were a little less than twice as many',
      { ...healthy, totals: { ...healthy.totals, objects: 325 } },
      {},
      ['baseline.totals warn'],
    ],
    [
      'an endpoint fails, which is no change',
      healthy,
      { faults: [{ kind: 'html', on: 'objects.views' }] },
      [],
    ],
    ['one record more', healthy, { faults: [{ kind: 'missing', records: 1, after: 0 }] }, []],
  ])('%s', async (_, baseline, options, finds) => {
    expect(await compared(baseline, options)).toEqual(finds);
  });
});

describe('a kind of which nothing is left', { timeout: 30_000 }, () => {
  const withObjects = async (count: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const objectLines = Array.from({ length: count }, (_, n) => `{"opacObjectId":"${n}"}\n`);
    await writeFile(join(folder, 'objects.ndjson'), objectLines.join(''));
    await writeFile(join(folder, 'persons.ndjson'), '{"opacPersonId":"p"}\n');
    return { data: [join(folder, 'objects.ndjson'), join(folder, 'persons.ndjson')] };
  };

  it.each([1, 3, 300])('fails where there were %i', async (count) => {
    const failures = await compared(await censusOf(await withObjects(count)), await withObjects(0));
    expect(failures.filter((each) => each.endsWith('fail'))).toEqual([
      'baseline.fields fail',
      'baseline.types fail',
      'baseline.totals fail',
    ]);
  });
});

describe('a field that few records have', { timeout: 30_000 }, () => {
  it.each([
    ['there', ['x'], []],
    ['there without a value', [], ['baseline.fields fail']],
    ['not there', undefined, ['baseline.fields fail']],
  ])('is looked for in the record that had it: %s', async (_, values, finds) => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'objects.ndjson');
    const set = (identifier: string, ...texts: readonly string[]) => ({
      identifier,
      opacObjectFields: texts.map((value) => ({ value })),
    });
    // Number 100 is on neither of the two pages that are looked at.
    const records = Array.from({ length: 300 }, (_, index) => ({
      opacObjectId: String(index),
      opacObjectFieldSets: [
        set('name', `Thing ${index}`),
        ...(index === 100 && values ? [set('curator_note', ...values)] : []),
      ],
    }));
    await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
    // Views would name it as well.
    const options: MuseumOptions = {
      data: [file],
      faults: [{ kind: 'patched', set: { views: [] }, on: 'objects.views' }],
    };
    const now = await censusOf(options);
    const own = now.kinds.objects as typeof objects;
    const kept = {
      ...own,
      filled: { ...own.filled, curator_note: 1 },
      examples: { ...own.examples, curator_note: '100' },
    };
    expect(Object.keys(own.filled)).toEqual(['name']);
    expect(await compared({ ...now, kinds: { objects: kept } }, options)).toEqual(finds);
  });
});

describe('a broken baseline', () => {
  it.each([
    ['{\n  "version": 1,\n  "totals": {,\n}', 'baseline.json line 3: invalid JSON'],
    ['[]', 'it is not a JSON object'],
    ['{"version": 2}', 'its version is 2, not 1'],
    ['{"version": 1, "totals": {}, "collections": {}}', '"kinds" is missing or invalid'],
    [
      '{"version": 1, "totals": {}, "collections": {}, "kinds": {"objekts": {}}}',
      'unknown kind of record "objekts"',
    ],
    [
      '{"version": 1, "totals": {}, "collections": {}, "kinds": {"objects": {"keys": {}}}}',
      '"filled" of objects is missing',
    ],
  ])('%s', (text, message) => {
    expect(() => parseBaseline(text, 'baseline.json')).toThrow(message);
  });
});
