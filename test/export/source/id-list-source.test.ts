import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { createSeenIds } from '../../../src/client/paging/seen-ids.js';
import { exportRecords } from '../../../src/export/export-records.js';
import { idListSource, idListSpec } from '../../../src/export/source/id-list-source.js';
import { startMuseum } from '../../../src/mock/index.js';
import { idBatches } from '../../../src/service/search/id-batches.js';
import { searchParameters } from '../../../src/service/search/search.js';
import { withFolder } from '../export-setup.js';

/** Ids of generated records, in no order that the service would give them in. */
const COUNT = 900;
const KNOWN = Array.from({ length: COUNT }, (_, n) => String(1_000_001 + ((n * 431) % COUNT)));

describe('an export of many ids', () => {
  it('keeps the order of the list and names what was not found', async () => {
    const museum = await startMuseum({ records: COUNT });
    const client = createClient({ baseUrl: museum.url });
    try {
      await withFolder(async (path, text) => {
        const ids = KNOWN.flatMap((id, n) => (n % 100 === 7 ? [id, `missing-${n}`] : [id]));
        const batches = idBatches({ externalIds: ids });
        expect(batches.length).toBeGreaterThan(2);
        const options = {
          shape: { kind: 'objects', format: 'ids' },
          target: path('ids'),
          deployment: museum.url,
          query: [],
          also: idListSpec(batches),
          command: 'opac objects export --external-id @ids',
          source: idListSource({
            client,
            kind: 'objects',
            batches,
            query: (externalIds) => searchParameters({ terms: { externalIds } }),
          }),
        } as const;
        const outcome = await exportRecords(options);
        expect((await text('ids')).trimEnd().split('\n')).toEqual(KNOWN);
        expect(outcome).toMatchObject({
          complete: true,
          warnings: [expect.stringContaining('9 of the list were not found: missing-7,')],
        });
        expect(outcome.manifest.notFound).toHaveLength(9);
        expect(Math.max(...museum.requests.map(({ path: asked }) => encodeURI(asked).length))).toBeLessThan(
          8000,
        );
        await expect(exportRecords({ ...options, strict: true })).resolves.toMatchObject({ complete: false });
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it.each([100, 30])('keeps the order in tables too, with pages of %i', async (cap) => {
    const museum = await startMuseum({ records: COUNT, cap });
    const client = createClient({ baseUrl: museum.url });
    try {
      await withFolder(async (path, text) => {
        for (const columns of ['id', undefined]) {
          const batches = idBatches({ externalIds: KNOWN });
          await exportRecords({
            shape: { kind: 'objects', format: 'csv', columns },
            target: path('out.csv'),
            deployment: museum.url,
            query: [],
            command: 'opac objects export --external-id @ids -o out.csv',
            source: idListSource({
              client,
              kind: 'objects',
              batches,
              query: (externalIds) => searchParameters({ terms: { externalIds } }),
            }),
          });
          const [, ...rows] = (await text('out.csv')).trimEnd().split('\n');
          expect(rows.map((row) => row.replace(/,.*/, ''))).toEqual(KNOWN);
        }
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it('of which nothing comes ends with what kept it from coming', async () => {
    const museum = await startMuseum({ records: COUNT, faults: [{ kind: 'status', status: 500 }] });
    const client = createClient({ baseUrl: museum.url, retries: 0 });
    try {
      await withFolder(async (path) => {
        const run = exportRecords({
          shape: { kind: 'objects', format: 'ids' },
          target: path('ids'),
          deployment: museum.url,
          query: [],
          command: 'opac objects export --external-id @ids',
          source: idListSource({
            client,
            kind: 'objects',
            batches: [KNOWN.slice(0, 10)],
            query: (externalIds) => searchParameters({ terms: { externalIds } }),
          }),
        });
        await expect(run).rejects.toMatchObject({ kind: 'deployment' });
      });
    } finally {
      await client.close();
      await museum.close();
    }
  });

  it('leaves a gap for a batch that cannot be had', async () => {
    const museum = await startMuseum({
      records: COUNT,
      faults: [{ kind: 'status', status: 500, first: 1 }],
    });
    const client = createClient({ baseUrl: museum.url, retries: 0 });
    try {
      const batches = [KNOWN.slice(0, 10), KNOWN.slice(10, 20)];
      const source = idListSource({
        client,
        kind: 'objects',
        batches,
        concurrency: 1,
        query: (externalIds) => searchParameters({ terms: { externalIds } }),
      });
      const pages = source.pages(() => ({ records: [], total: 0 }), {
        offset: undefined,
        delivered: 0,
        duplicates: 0,
        drift: [],
        seen: createSeenIds(),
        signal: undefined,
      });
      const offsets: number[] = [];
      for await (const { offset } of pages) offsets.push(offset);
      expect(offsets).toEqual([10]);
      expect(pages.report.gaps).toMatchObject([{ offset: 0, limit: 10 }]);
    } finally {
      await client.close();
      await museum.close();
    }
  });
});
