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
  /** The ids of earlier runs, and the offset where they ended. */
  readonly from?: {
    readonly offset: number;
    readonly ids: string;
  };
}

/** Returns a response with these records. Each `-` is a record without an id. */
const list = (ids: string, totalObjects: number) => ({
  totalObjects,
  opacObjects: [...ids].map((id) => (id === '-' ? { slug: 'x' } : { opacObjectId: id })),
});

/** Reads all pages, and formats each as `offset ids next`. */
const read = (script: Script, { offset, limit, pageSize = 2, from }: Run = {}) =>
  withScript(
    script,
    async ({ search, requests }) => {
      const seen = createSeenIds();
      for (const id of from?.ids ?? '') seen.add(id);
      const totals: unknown[] = [];
      const pages = createSearchSource({
        ...search,
        pageSize,
        offset,
        limit,
        concurrency: 1,
        onTotal: async (total) => void totals.push(total),
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
        totals,
        stopReason: report.stopReason,
        missing: report.missing,
        notices: report.notices.filter(({ kind }) => kind !== 'total-moved').map(({ message }) => message),
        requests,
      };
    },
    {
      query: [
        ['view', 'detail'],
        ['sort', 'score'],
      ],
    },
  );

describe('createSearchSource', () => {
  it('continues after the received records, then by the detected page size', async () => {
    const pages: Readonly<Record<string, string>> = { 0: 'ab', 2: 'cd', 4: 'e', 5: '', 6: 'f' };
    const { found } = await read(({ offset = '0' }) => list(pages[offset] ?? '', 7), { pageSize: 3 });
    expect(found).toEqual(['0 ab 2', '2 cd 4', '4 e 6', '6 f 8']);
  });

  it('returns no more records than its limit in all runs together', async () => {
    const all: Script = ({ offset = '0', limit }) =>
      list('abcdef'.slice(Number(offset), Number(offset) + Number(limit)), 6);
    const complete = await read(all, { limit: 5 });
    expect(complete.found).toEqual(['0 ab 2', '2 cd 4', '4 e 6']);
    const resumed = await read(all, { limit: 5, from: { offset: 2, ids: 'ab' } });
    expect(resumed).toMatchObject({ found: ['2 cd 4', '4 e 6'], stopReason: 'limit' });
    expect((await read(all, { offset: 4 })).found).toEqual(['4 ef 6']);
  });
});

describe('findSortedQuery', () => {
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
  ])('returns the first sort field that the deployment accepts: %s', async (accepted, tried) => {
    await withScript(
      ({ sort }) => (sort === accepted ? list('', 0) : 400),
      async ({ search: { client }, requests }) => {
        const query = await findSortedQuery(client, 'objects', QUERY, undefined);
        expect(query).toEqual(
          accepted && [
            ['query', 'a:1'],
            ['sort', accepted],
            ['direction', 'asc'],
          ],
        );
        expect(requests).toEqual(
          tried.map((field) => `opacobjects?query=a:1&sort=${field}&direction=asc&limit=1`),
        );
      },
    );
  });

  it('throws for status 401, and if the run is aborted', async () => {
    await withScript(
      () => 401,
      async ({ search: { client }, requests }) => {
        const find = (signal?: AbortSignal) => findSortedQuery(client, 'objects', QUERY, signal);
        await expect(find()).rejects.toMatchObject({ status: 401 });
        await expect(find(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
        expect(requests).toHaveLength(1);
      },
    );
  });
});
