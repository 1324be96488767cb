/** The pages of a search, and the orders that a deployment accepts. */
import { describe, expect, it } from 'vitest';
import { createSeenIds } from '../../../../src/client/paging/seen-ids.js';
import { createSearchSource } from '../../../../src/export/collect/source/search-source.js';
import { findSortedQuery } from '../../../../src/export/collect/source/sort-orders.js';
import { type Script, withScript } from './scripted-service.js';

interface Run {
  readonly offset?: number;
  readonly limit?: number;
  readonly pageSize?: number;
  /** What earlier runs took, and where they ended. */
  readonly from?: {
    readonly offset: number;
    readonly ids: string;
  };
}

/** `-` is a record without an id. */
const list = (ids: string, totalObjects: number) => ({
  totalObjects,
  opacObjects: [...ids].map((id) => (id === '-' ? { slug: 'x' } : { opacObjectId: id })),
});

/** Pages as `offset ids next`. */
const read = (script: Script, { offset, limit, pageSize = 2, from }: Run = {}) =>
  withScript(
    script,
    async ({ search, asked }) => {
      const seen = createSeenIds();
      for (const id of from?.ids ?? '') seen.add(id);
      const told: unknown[] = [];
      const pages = createSearchSource({
        ...search,
        pageSize,
        offset,
        limit,
        concurrency: 1,
        onTotal: async (total) => void told.push(total),
      }).pages({
        offset: from?.offset,
        delivered: from?.ids.length ?? 0,
        seen,
        signal: undefined,
      });
      const found: string[] = [];
      for await (const page of pages)
        found.push(`${page.offset} ${page.records.map(({ id = '-' }) => id).join('')} ${page.next}`);
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

describe('the pages of a search', () => {
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

describe('an order that the deployment accepts', () => {
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
        const query = await findSortedQuery(client, 'objects', QUERY, undefined);
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
        const looking = (signal?: AbortSignal) => findSortedQuery(client, 'objects', QUERY, signal);
        await expect(looking()).rejects.toMatchObject({ status: 401 });
        await expect(looking(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
        expect(asked).toHaveLength(1);
      },
    );
  });
});
