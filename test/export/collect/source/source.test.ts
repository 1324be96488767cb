/** The passes over a search: the first, places where records moved up, and a sorted one where the order is not stable. */
import { describe, expect, it } from 'vitest';
import { createSeenIds } from '../../../../src/client/paging/seen-ids.js';
import type { Drift } from '../../../../src/export/collect/source/drift.js';
import { SECOND_PASS, sortedQuery } from '../../../../src/export/collect/source/second-pass.js';
import { searchSource } from '../../../../src/export/collect/source/source.js';
import { type Script, withScript } from './scripted-service.js';

interface Run {
  readonly offset?: number;
  readonly limit?: number;
  readonly pageSize?: number;
  /** What earlier runs took, and where they ended. */
  readonly from?: {
    readonly offset: number;
    readonly ids: string;
    readonly duplicates?: number;
    readonly drift?: readonly Drift[];
  };
}

/** `-` is a record without an id. */
const list = (ids: string, totalObjects: number) => ({
  totalObjects,
  opacObjects: [...ids].map((id) => (id === '-' ? { slug: 'x' } : { opacObjectId: id })),
});

/** Pages as `offset ids next`, where what belongs to the second pass has an `s` before its place. */
const read = (script: Script, { offset, limit, pageSize = 2, from }: Run = {}) =>
  withScript(
    script,
    async ({ search, asked }) => {
      const seen = createSeenIds();
      for (const id of from?.ids ?? '') seen.add(id);
      const told: unknown[] = [];
      const pages = searchSource({
        ...search,
        pageSize,
        offset,
        limit,
        concurrency: 1,
        onTotal: async (total) => void told.push(total),
      }).pages({
        offset: from?.offset,
        delivered: from?.ids.length ?? 0,
        duplicates: from?.duplicates ?? 0,
        drift: from?.drift ?? [],
        seen,
        signal: undefined,
      });
      const place = (at: number) => (at >= SECOND_PASS ? `s${at - SECOND_PASS}` : at);
      const found: string[] = [];
      for await (const page of pages)
        found.push(`${page.offset} ${page.records.map(({ id = '-' }) => id).join('')} ${place(page.next)}`);
      const { report } = pages;
      return {
        found,
        told,
        ending: report.stopReason,
        missing: report.missing,
        notices: report.notices.filter(({ kind }) => kind !== 'total-moved').map(({ message }) => message),
        asked,
      };
    },
    {
      query: [
        ['view', 'detail'],
        ['sort', 'score'],
      ],
    },
  );

const BY_ID = 'opacobjects?view=detail&sort=opacObjectId&direction=asc';

/** A result whose pages are these by offset, and that is `abcdef` by id. */
const unstable =
  (pages: Readonly<Record<string, string>>, total = 6): Script =>
  ({ sort, offset = '0', limit }) => {
    if (sort === 'score') return list(pages[offset] ?? '', total);
    return list('abcdef'.slice(Number(offset), Number(offset) + Number(limit)), 6);
  };

const SECOND = (brought: number) =>
  `the order of the result is not stable; a second, sorted pass found ${brought} records that the first had missed`;

describe('a result whose order is not stable', () => {
  it('is read again, sorted, for what the first pass missed', async () => {
    const { asked, ...found } = await read(unstable({ 0: 'ab', 2: 'bc', 4: 'ef' }));
    expect(found).toMatchObject({
      found: ['0 ab 2', '2 c 4', '4 ef 6', '0  s2', '2 d s4', '4  s6'],
      told: [6],
      ending: 'complete',
      missing: 0,
      notices: [SECOND(1)],
    });
    // One that asks whether the order is accepted, then the pages, and one past the end.
    expect(asked.filter((each) => each.includes('sort=opacObjectId'))).toEqual([
      `${BY_ID}&limit=1`,
      `${BY_ID}&limit=2&offset=0`,
      `${BY_ID}&limit=2&offset=2`,
      `${BY_ID}&limit=2&offset=4`,
      `${BY_ID}&limit=2&offset=6`,
    ]);
  });

  it.each<[string, Script, Run, string[]]>([
    ['nothing is missing', unstable({ 0: 'ab', 2: 'bc', 4: 'de', 6: 'f' }), {}, []],
    ['nothing came twice', unstable({ 0: 'ab', 2: 'c', 3: 'e', 4: 'f' }), {}, []],
    ['its pages end early', unstable({ 0: 'ab', 2: 'ba' }), {}, []],
    ['there is a limit', unstable({ 0: 'ab', 2: 'bc', 4: 'ef' }), { limit: 6 }, []],
    ['a page failed', (asked, path) => failing(asked, path), {}, []],
    [
      'all came that lie behind the beginning',
      unstable({ 2: 'cd', 4: 'de', 6: 'f' }),
      { offset: 2 },
      ['2 cd 4', '4 e 6', '6 f 8'],
    ],
  ])('is not where %s', async (_, script, run, pages) => {
    const { found, notices, asked } = await read(script, run);
    expect(asked.filter((each) => each.includes('sort=opacObjectId'))).toEqual([]);
    expect(notices).not.toContain(expect.stringContaining('a second'));
    if (pages.length > 0) expect(found).toEqual(pages);
  });

  it('is read from the beginning that was asked for', async () => {
    const { found, notices } = await read(unstable({ 2: 'cd', 4: 'df' }), { offset: 2 });
    expect(found).toEqual(['2 cd 4', '4 f 6', '2  s4', '4 e s6']);
    expect(notices).toEqual([SECOND(1)]);
  });

  it('counts what earlier runs took, and repeats that they saw', async () => {
    const from = { offset: 4, ids: 'abc', duplicates: 1 };
    expect(await read(unstable({ 4: 'ef' }), { from })).toMatchObject({
      found: ['4 ef 6', '0  s2', '2 d s4', '4  s6'],
      ending: 'complete',
    });
    const whole = await read(unstable({ 4: 'ef' }), { from: { ...from, ids: 'abcd' } });
    expect(whole.found).toEqual(['4 ef 6']);
    const single = await read(unstable({ 4: 'ef' }), { from: { ...from, duplicates: 0 } });
    expect(single.found).toEqual(['4 ef 6']);
  });

  it('is resumed in the second pass, without the first', async () => {
    const from = { offset: SECOND_PASS + 2, ids: 'abcef', duplicates: 1 };
    const { found, asked } = await read(unstable({}), { from });
    expect(found).toEqual(['2 d s4', '4  s6']);
    expect(asked.some((each) => each.includes('sort=score'))).toBe(false);
    const begin = await read(unstable({}), { from: { ...from, offset: SECOND_PASS } });
    expect(begin.found).toEqual(['0  s2', '2 d s4', '4  s6']);
  });

  it('stays as it is where no order is accepted', async () => {
    const script: Script = (asked, path) =>
      asked.sort === 'score' ? unstable({ 0: 'ab', 2: 'bc', 4: 'ef' })(asked, path) : 400;
    expect(await read(script)).toMatchObject({
      found: ['0 ab 2', '2 c 4', '4 ef 6'],
      ending: 'missing',
      missing: 1,
      notices: [],
    });
  });
});

/** A page fails, one repeats. */
const failing: Script = (asked, path) =>
  asked.offset === '4' ? 502 : unstable({ 0: 'ab', 2: 'ba' })(asked, path);

describe('the first pass', () => {
  it('goes on by what came, then by the size of a page', async () => {
    const pages: Readonly<Record<string, string>> = { 0: 'ab', 2: 'cd', 4: 'e', 5: '', 6: 'f' };
    const { found } = await read(({ offset = '0' }) => list(pages[offset] ?? '', 7), { pageSize: 3 });
    expect(found).toEqual(['0 ab 2', '2 cd 4', '4 e 6', '6 f 8']);
  });

  it('has no more than its limit over all runs', async () => {
    const all: Script = ({ offset = '0', limit }) =>
      list('abcdef'.slice(Number(offset), Number(offset) + Number(limit)), 6);
    const whole = await read(all, { limit: 5 });
    expect(whole.found).toEqual(['0 ab 2', '2 cd 4', '4 e 6']);
    const rest = await read(all, { limit: 5, from: { offset: 2, ids: 'ab' } });
    expect(rest).toMatchObject({ found: ['2 cd 4', '4 e 6'], ending: 'limit' });
    expect((await read(all, { offset: 4 })).found).toEqual(['4 ef 6']);
  });
});

describe('a total that falls', () => {
  /** Removes `b` once two pages were given. */
  const shrinking = (): Script => {
    let requests = 0;
    return ({ offset = '0', limit }) => {
      const ids = ++requests > 2 ? 'acdef-h' : 'abcdef-h';
      return list(ids.slice(Number(offset), Number(offset) + Number(limit)), ids.length);
    };
  };
  it('has the records that moved up past a page requested again, and is resumed behind the pages', async () => {
    expect(await read(shrinking())).toMatchObject({
      found: ['0 ab 2', '2 cd 4', '4 f- 6', '6 h 8', '3 e 7'],
      ending: 'complete',
      missing: 0,
      notices: ['records were removed during the run; 1 that had shifted past a page was requested again'],
    });
  });

  it('is no reason for more with a limit', async () => {
    const { found } = await read(shrinking(), { limit: 8 });
    expect(found).toEqual(['0 ab 2', '2 cd 4', '4 f- 6', '6 h 8']);
  });

  it('is known from earlier runs', async () => {
    const drift = [
      { offset: 0, total: 7 },
      { offset: 4, total: 6 },
    ];
    const from = { offset: 6, ids: 'abdef', drift };
    const script: Script = ({ offset = '0', limit }) =>
      list('abcdef'.slice(Number(offset), Number(offset) + Number(limit)), 6);
    const { found } = await read(script, { from });
    expect(found).toEqual(['3  6']);
    const gone = await read(script, { from: { ...from, ids: 'abcef' } });
    expect(gone.found).toEqual(['3 d 6']);
  });
});

describe('an order for a second pass', () => {
  const QUERY = [
    ['query', 'a:1'],
    ['sort', 's'],
    ['direction', 'desc'],
  ] as const;
  it.each([
    ['opacObjectId', ['opacObjectId']],
    ['accession_no', ['opacObjectId', 'accession_no']],
    ['title', ['opacObjectId', 'accession_no', 'name', 'title']],
    [undefined, ['opacObjectId', 'accession_no', 'name', 'title']],
  ])('is %s where it is the first that is accepted', async (accepted, tried) => {
    await withScript(
      ({ sort }) => (sort === accepted ? list('', 0) : 400),
      async ({ search: { client }, asked }) => {
        const query = await sortedQuery(client, 'objects', QUERY, undefined);
        expect(query).toEqual(
          accepted && [
            ['query', 'a:1'],
            ['sort', accepted],
            ['direction', 'asc'],
          ],
        );
        expect(asked).toEqual(
          tried.map((field) => `opacobjects?query=a:1&sort=${field}&direction=asc&limit=1`),
        );
      },
    );
  });

  it('is not looked for without credentials, or when the run was stopped', async () => {
    await withScript(
      () => 401,
      async ({ search: { client }, asked }) => {
        const looking = (signal?: AbortSignal) => sortedQuery(client, 'objects', QUERY, signal);
        await expect(looking()).rejects.toMatchObject({ status: 401 });
        await expect(looking(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
        expect(asked).toHaveLength(1);
      },
    );
  });
});
