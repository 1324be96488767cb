import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { type Body, getJson, listOf } from './requests.js';

let museum: Museum | undefined;
afterEach(() => museum?.close());

async function open(options: MuseumOptions): Promise<Museum> {
  museum = await startMuseum(options);
  return museum;
}

/** The ids of a page, as places in the built-in order. */
async function places(parameters: string): Promise<number[]> {
  const { body } = await getJson(museum as Museum, `/opacobjects?${parameters}`);
  return listOf(body).map(({ opacObjectId }) => (Number(opacObjectId) - 20_011) / 11);
}
const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('pages', () => {
  it('hold 20 unless asked, and never more than the cap', async () => {
    await open({ maxPageSize: 50 });
    expect(await places('')).toEqual(from(0, 20));
    expect(await places('limit=1000&offset=10')).toEqual(from(10, 50));
  });

  it('ignore what only looks like paging', async () => {
    await open({});
    expect(await places('page=2&start=40&from=40&skip=40&size=5&limit=3')).toEqual([0, 1, 2]);
  });

  it('are empty with the total for limit 0', async () => {
    expect((await getJson(await open({}), '/opacobjects?limit=0&offset=500')).body).toEqual({
      totalObjects: 163,
    });
  });

  it.each<[readonly Fault[], Body]>([
    [[], { totalObjects: 0 }],
    [[{ kind: 'empty-end' }], { opacObjects: [], totalObjects: 163 }],
  ])('past the end, with %j', async (faults, expected) => {
    await open({ faults });
    expect((await getJson(museum as Museum, '/opacobjects?offset=163')).body).toEqual(expected);
  });

  it('are refused beyond the window', async () => {
    await open({ faults: [{ kind: 'window', size: 100 }] });
    expect(await places('limit=20&offset=80')).toEqual(from(80, 20));
    expect((await getJson(museum as Museum, '/opacobjects?limit=20&offset=81')).status).toBe(400);
  });

  it('are refused with 500 beyond a window that says so', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: '500' }] });
    const answer = await getJson(museum as Museum, '/opacobjects?limit=20&offset=81');
    expect(answer).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/window is too large/) },
    });
  });

  it('are none beyond a window that is silent, under the true total', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: 'empty' }] });
    const { status, body } = await getJson(museum as Museum, '/opacobjects?limit=20&offset=81');
    expect([status, body]).toEqual([200, { opacObjects: [], totalObjects: 163 }]);
  });

  it('are those of the last page again beyond a window that repeats', async () => {
    await open({ faults: [{ kind: 'window', size: 100, beyond: 'repeat' }] });
    expect(await places('limit=20&offset=140')).toEqual(from(80, 20));
  });
});

describe('faults of paging', () => {
  it.each<[string, Fault, string, number[]]>([
    ['ignores the offset', { kind: 'offset-ignored' }, 'limit=3&offset=9', [0, 1, 2]],
    ['repeats the end of the page before', { kind: 'repeats', records: 2 }, 'limit=5&offset=10', from(8, 5)],
    [
      'gives what repeating left over after the total',
      { kind: 'repeats', records: 2 },
      'limit=5&offset=163',
      [161, 162],
    ],
    ['ends early', { kind: 'ends-early', at: 40 }, 'limit=20&offset=40', []],
    ['does not end before that', { kind: 'ends-early', at: 40 }, 'limit=20&offset=20', from(20, 20)],
    ['gives less than asked', { kind: 'underfills', records: 2 }, 'limit=5&offset=10', from(10, 3)],
    ['gives more than asked', { kind: 'overfills', records: 2 }, 'limit=5&offset=10', from(10, 7)],
  ])('%s', async (_, fault, parameters, expected) => {
    await open({ faults: [fault] });
    expect(await places(parameters)).toEqual(expected);
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
  ])('%s records while being read', async (_, fault, expected) => {
    await open({ faults: [fault] });
    const seen: [number, number][] = [];
    for (const _request of expected) {
      const { body } = await getJson(museum as Museum, '/opacobjects?limit=1');
      const first = (Number(listOf(body)[0]?.opacObjectId) - 20_011) / 11;
      seen.push([body.totalObjects as number, first]);
    }
    expect(seen).toEqual(expected);
  });

  it('shuffles each request anew, unless a sort is given', async () => {
    await open({ faults: [{ kind: 'shuffles' }], maxPageSize: 200 });
    const first = await places('limit=200');
    const second = await places('limit=200');
    expect(first).not.toEqual(second);
    expect(first.toSorted((one, other) => one - other)).toEqual(from(0, 163));
    expect(second.toSorted((one, other) => one - other)).toEqual(from(0, 163));
    expect(await places('limit=200&sort=name')).toEqual(await places('limit=200&sort=name'));
  });
});

describe('a generated museum', () => {
  it('has any number of records of about 3 kB, each with its own id, anywhere', async () => {
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

  it('searches and sorts them', async () => {
    await open({ records: 1000 });
    const { body } = await getJson(museum as Museum, '/opacobjects?query=name:"no. 777"');
    expect(body).toEqual({ opacObjects: [{ opacObjectId: '1000777' }], totalObjects: 1 });
    const sorted = (await getJson(museum as Museum, '/opacobjects?sort=accession_no&limit=3')).body;
    expect(listOf(sorted)).toHaveLength(3);
    expect((await getJson(museum as Museum, '/opacpersons')).body).toEqual({ totalPersons: 0 });
  });
});
