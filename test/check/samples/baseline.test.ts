import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseBaseline, serializeBaseline } from '../../../src/check/samples/baseline.js';
import type { Census } from '../../../src/check/samples/census.js';
import { takeCensus } from '../../../src/check/samples/census.js';
import { type MuseumOptions, startMuseum } from '../../../src/mock/index.js';
import { checkMuseum, listDeviations, openMuseum } from '../check-museum.js';

async function takeCensusWith(options: MuseumOptions = {}): Promise<Census> {
  let census: Census | undefined;
  // Not openMuseum: the first census is outside of a test, and a test would close the museum.
  const museum = await startMuseum(options);
  await checkMuseum(museum, 'anonymous', {
    afterwards: async (probe) => {
      census = await takeCensus(probe);
    },
  });
  await museum.close();
  return parseBaseline(serializeBaseline(census as Census), 'baseline.json');
}

const compare = async (baseline: Census, options: MuseumOptions = {}) => {
  const run = await checkMuseum(await openMuseum(options), 'anonymous', { expectations: { baseline } });
  expect(run.report.requests).toBeLessThan(100);
  return listDeviations(run).filter((each) => each.startsWith('baseline.'));
};

const healthy = await takeCensusWith();
const objects = healthy.kinds.objects as NonNullable<Census['kinds'][string]>;
const changeObjects = (part: Partial<typeof objects>): Census => ({
  ...healthy,
  kinds: { ...healthy.kinds, objects: { ...objects, ...part } },
});

describe('a baseline', { timeout: 30_000 }, () => {
  it('is sorted, and the same for each census', async () => {
    expect(serializeBaseline(await takeCensusWith())).toBe(serializeBaseline(healthy));
    for (const names of [healthy.totals, objects.keys, objects.filled, objects.views].map(Object.keys))
      expect(names).toEqual(names.toSorted());
  });

  it('contains totals, and for each kind its keys, fields, facets and views', () => {
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
      changeObjects({
        filled: { ...objects.filled, loan_no: 40 },
        examples: { ...objects.examples, loan_no: '20011' },
      }),
      {},
      ['baseline.fields fail'],
    ],
    [
      'a field of the views is in no record',
      healthy,
      { faults: [{ kind: 'field-dropped' }] },
      ['baseline.fields fail', 'baseline.filled warn'],
    ],
    [
      'a facet type changed',
      changeObjects({ facets: { ...objects.facets, color: 'text' } }),
      {},
      ['baseline.facets fail'],
    ],
    [
      'a view vanished',
      changeObjects({ views: { ...objects.views, public: ['name'] } }),
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
      changeObjects({ filled: { ...objects.filled, inscription: 90 } }),
      {},
      ['baseline.filled warn'],
    ],
    [
      'there were many more objects',
      { ...healthy, totals: { ...healthy.totals, objects: 180 } },
      {},
      ['baseline.totals warn'],
    ],
    [
      'there were twice as many objects',
      { ...healthy, totals: { ...healthy.totals, objects: 327, venues: 18 } },
      {},
      ['baseline.totals fail'],
    ],
    [
      'there were almost twice as many objects',
      { ...healthy, totals: { ...healthy.totals, objects: 325 } },
      {},
      ['baseline.totals warn'],
    ],
    ['an endpoint fails', healthy, { faults: [{ kind: 'html', on: 'objects.views' }] }, []],
    ['there was one more record', healthy, { faults: [{ kind: 'missing', records: 1, after: 0 }] }, []],
  ])('causes only the expected failures and warnings if %s', async (_, baseline, options, finds) => {
    expect(await compare(baseline, options)).toEqual(finds);
  });
});

describe('the baseline of a kind that has no records anymore', { timeout: 30_000 }, () => {
  const withObjects = async (count: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const objectLines = Array.from({ length: count }, (_, n) => `{"opacObjectId":"${n}"}\n`);
    await writeFile(join(folder, 'objects.ndjson'), objectLines.join(''));
    await writeFile(join(folder, 'persons.ndjson'), '{"opacPersonId":"p"}\n');
    return { data: [join(folder, 'objects.ndjson'), join(folder, 'persons.ndjson')] };
  };

  it.each([1, 3, 300])('fails if there were %i records', async (count) => {
    const failures = await compare(await takeCensusWith(await withObjects(count)), await withObjects(0));
    expect(failures.filter((each) => each.endsWith('fail'))).toEqual([
      'baseline.fields fail',
      'baseline.types fail',
      'baseline.totals fail',
    ]);
  });
});

describe('the baseline of a rare field', { timeout: 30_000 }, () => {
  it.each([
    ['with a value', ['x'], []],
    ['without a value', [], ['baseline.fields fail']],
    ['without the field', undefined, ['baseline.fields fail']],
  ])('is compared with the record that had the field: %s', async (_, values, finds) => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'objects.ndjson');
    const set = (identifier: string, ...texts: readonly string[]) => ({
      identifier,
      opacObjectFields: texts.map((value) => ({ value })),
    });
    // Record 100 is not on the two pages that opac samples.
    const records = Array.from({ length: 300 }, (_, index) => ({
      opacObjectId: String(index),
      opacObjectFieldSets: [
        set('name', `Thing ${index}`),
        ...(index === 100 && values ? [set('curator_note', ...values)] : []),
      ],
    }));
    await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
    // Otherwise, the views would also contain the field.
    const options: MuseumOptions = {
      data: [file],
      faults: [{ kind: 'patched', set: { views: [] }, on: 'objects.views' }],
    };
    const now = await takeCensusWith(options);
    const own = now.kinds.objects as typeof objects;
    const earlier = {
      ...own,
      filled: { ...own.filled, curator_note: 1 },
      examples: { ...own.examples, curator_note: '100' },
    };
    expect(Object.keys(own.filled)).toEqual(['name']);
    expect(await compare({ ...now, kinds: { objects: earlier } }, options)).toEqual(finds);
  });
});

describe('parseBaseline', () => {
  it.each([
    ['{\n  "version": 1,\n  "totals": {,\n}', 'baseline.json line 3: invalid JSON'],
    ['{\n  "version": x,\n  "totals": {}\n}', 'baseline.json: invalid JSON'],
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
  ])('throws an error for %j', (text, message) => {
    expect(() => parseBaseline(text, 'baseline.json')).toThrow(message);
  });
});
