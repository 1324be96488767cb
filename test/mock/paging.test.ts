import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { type Body, getJson, listOf } from './requests.js';

let museum: Museum | undefined;
afterEach(() => museum?.close());

async function open(options: MuseumOptions): Promise<Museum> {
  museum = await startMuseum(options);
  return museum;
}

/** Requests a page. Returns the positions of its records in the built-in order. */
async function readPositions(parameters: string): Promise<number[]> {
  const { body } = await getJson(museum as Museum, `/opacobjects?${parameters}`);
  return listOf(body).map(({ opacObjectId }) => (Number(opacObjectId) - 20_011) / 11);
}
const countFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

describe('a page', () => {
  it('contains 20 records by default, and at most maxPageSize records', async () => {
    await open({ maxPageSize: 50 });
    expect(await readPositions('')).toEqual(countFrom(0, 20));
    expect(await readPositions('limit=1000&offset=10')).toEqual(countFrom(10, 50));
  });

  it('ignores unknown parameters that look like paging', async () => {
    await open({});
    expect(await readPositions('page=2&start=40&from=40&skip=40&size=5&limit=3')).toEqual([0, 1, 2]);
  });

  it('contains only the total for limit 0', async () => {
    expect((await getJson(await open({}), '/opacobjects?limit=0&offset=500')).body).toEqual({
      totalObjects: 163,
    });
  });

  it.each<[readonly Fault[], Body]>([
    [[], { totalObjects: 0 }],
    [[{ kind: 'empty-end' }], { opacObjects: [], totalObjects: 163 }],
  ])('contains no records past the end, with the faults %j', async (faults, expected) => {
    await open({ faults });
    expect((await getJson(museum as Museum, '/opacobjects?offset=163')).body).toEqual(expected);
  });

  it('returns 400 beyond the window', async () => {
    await open({ faults: [{ kind: 'window', size: 100 }] });
    expect(await readPositions('limit=20&offset=80')).toEqual(countFrom(80, 20));
    expect((await getJson(museum as Museum, '/opacobjects?limit=20&offset=81')).status).toBe(400);
  });

  it('returns 500 beyond the window with beyond: 500', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: '500' }] });
    const answer = await getJson(museum as Museum, '/opacobjects?limit=20&offset=81');
    expect(answer).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/window is too large/) },
    });
  });

  it('contains no records, but the true total, beyond the window with beyond: empty', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: 'empty' }] });
    const { status, body } = await getJson(museum as Museum, '/opacobjects?limit=20&offset=81');
    expect([status, body]).toEqual([200, { opacObjects: [], totalObjects: 163 }]);
  });

  it('repeats the last page beyond the window with beyond: repeat', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: 'repeat' }] });
    expect(await readPositions('limit=20&offset=140')).toEqual(countFrom(80, 20));
  });
});

describe('a paging fault', () => {
  it.each<[string, Fault, string, number[]]>([
    ['ignores the offset', { kind: 'offset-ignored' }, 'limit=3&offset=9', [0, 1, 2]],
    [
      'repeats the end of the previous page',
      { kind: 'repeats', records: 2 },
      'limit=5&offset=10',
      countFrom(8, 5),
    ],
    [
      'returns the remaining records after the total if pages repeat records',
      { kind: 'repeats', records: 2 },
      'limit=5&offset=163',
      [161, 162],
    ],
    ['ends early', { kind: 'ends-early', at: 40 }, 'limit=20&offset=40', []],
    [
      'returns all records before the early end',
      { kind: 'ends-early', at: 40 },
      'limit=20&offset=20',
      countFrom(20, 20),
    ],
    [
      'returns fewer records than requested',
      { kind: 'underfills', records: 2 },
      'limit=5&offset=10',
      countFrom(10, 3),
    ],
    [
      'returns more records than requested',
      { kind: 'overfills', records: 2 },
      'limit=5&offset=10',
      countFrom(10, 7),
    ],
  ])('%s', async (_, fault, parameters, expected) => {
    await open({ faults: [fault] });
    expect(await readPositions(parameters)).toEqual(expected);
  });

  it.each<[string, Fault, [number, number][]]>([
    [
      'inserts',
      { kind: 'missing', records: 5, first: 2 },
      [
        [158, 5],
        [158, 5],
        [163, 0],
        [163, 0],
      ],
    ],
    [
      'deletes',
      { kind: 'missing', records: 5, after: 2 },
      [
        [163, 0],
        [163, 0],
        [158, 5],
        [158, 5],
      ],
    ],
  ])('%s records between requests', async (_, fault, expected) => {
    await open({ faults: [fault] });
    const seen: [number, number][] = [];
    for (const _request of expected) {
      const { body } = await getJson(museum as Museum, '/opacobjects?limit=1');
      const first = (Number(listOf(body)[0]?.opacObjectId) - 20_011) / 11;
      seen.push([body.totalObjects as number, first]);
    }
    expect(seen).toEqual(expected);
  });

  it('shuffles the records for each request without a sort', async () => {
    await open({ faults: [{ kind: 'shuffles' }], maxPageSize: 200 });
    const first = await readPositions('limit=200');
    const second = await readPositions('limit=200');
    expect(first).not.toEqual(second);
    expect(first.toSorted((one, other) => one - other)).toEqual(countFrom(0, 163));
    expect(second.toSorted((one, other) => one - other)).toEqual(countFrom(0, 163));
    expect(await readPositions('limit=200&sort=name')).toEqual(await readPositions('limit=200&sort=name'));
  });
});

describe('a generated museum', () => {
  it('returns records of about 3 kB with different ids at any offset', async () => {
    await open({ records: 1_000_000 });
    const { body } = await getJson(museum as Museum, '/opacobjects?view=detail&limit=100&offset=999950');
    const records = listOf(body);
    expect(body.totalObjects).toBe(1_000_000);
    expect(records).toHaveLength(50);
    expect(new Set(records.map(({ opacObjectId }) => opacObjectId)).size).toBe(50);
    const size = JSON.stringify(records).length / records.length;
    expect(size).toBeGreaterThan(2700);
    expect(size).toBeLessThan(3600);
    const last = records.at(-1) as Body;
    expect((await getJson(museum as Museum, `/opacobjects/${last.opacObjectId}`)).body).toEqual(last);
  });

  it('searches its records, and accepts a sort', async () => {
    await open({ records: 1000 });
    const { body } = await getJson(museum as Museum, '/opacobjects?query=name:"no. 777"');
    expect(body).toEqual({ opacObjects: [{ opacObjectId: '1000777' }], totalObjects: 1 });
    const sorted = (await getJson(museum as Museum, '/opacobjects?sort=accession_no&limit=3')).body;
    expect(listOf(sorted)).toHaveLength(3);
    expect((await getJson(museum as Museum, '/opacpersons')).body).toEqual({ totalPersons: 0 });
  });
});
