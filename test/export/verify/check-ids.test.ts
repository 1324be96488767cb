/** Exports of a service whose records are added, removed and replaced between two requests. */
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { createSearchSource } from '../../../src/export/collect/source/search-source.js';
import type { ExportFormat } from '../../../src/export/convert/formats.js';
import { streamRecords } from '../../../src/export/stream-records.js';
import { type ExportSetup, withService } from '../export-setup.js';
import { ids, type MovingService, recordOf, startService } from './moving-service.js';

async function withMoving(
  initial: readonly string[],
  act: (service: MovingService, setup: ExportSetup) => Promise<void>,
): Promise<void> {
  const service = await startService(initial);
  await withService(service, (setup) => act(service, setup));
}

/** Calls `change` once, before the first list from offset `at` on. If `hasView` is false, lists without a view count. */
function changeAt(service: MovingService, at: number, change: () => void, hasView = true): void {
  let isDone = false;
  service.onList = (offset, listHasView) => {
    if (isDone || listHasView !== hasView || offset < at) return;
    isDone = true;
    change();
  };
}

const splitIds = (text: string) => text.split('\n').slice(0, -1);
const sortIds = (list: readonly string[]) => [...list].sort((one, other) => Number(one) - Number(other));
const NIGHTLY = { strict: true, concurrency: 1 } as const;

describe('export while a record is replaced between two pages', () => {
  /** Replaces the first record by a new one at the end: the total stays the same, and opac skips one record. */
  const replaceRecord = (service: MovingService) =>
    changeAt(service, 40, () => {
      service.ids = [...service.ids.slice(1), '201'];
    });

  it.each<[ExportFormat, string]>([
    ['ids', 'o.ids'],
    ['ndjson', 'o.ndjson'],
    ['ids', 'o.ids.gz'],
  ])('fetches the skipped record and drops the removed record with --strict: %s in %s', (format, name) =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      replaceRecord(service);
      const { complete, manifest, warnings } = await run(name, { ...NIGHTLY, format });
      expect(complete).toBe(true);
      const found = splitIds(await text(name)).map((line) =>
        format === 'ids' ? line : (JSON.parse(line).opacObjectId as string),
      );
      expect(sortIds(found)).toEqual([...ids(2, 100), '201']);
      expect(manifest).toMatchObject({
        records: 100,
        idCheck: { isSettled: true, listings: 1, added: 1, dropped: 1, missing: [] },
      });
      expect(manifest.files[0]?.records).toBe(100);
      expect(warnings).toContain(
        'the result changed during the export: 1 record fetched by id, 1 no longer listed',
      );
    }),
  );

  it('writes the fetched record with the bytes of the service', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      replaceRecord(service);
      await run('o.ndjson', NIGHTLY);
      const lines = splitIds(await text('o.ndjson'));
      expect(lines.sort()).toEqual([...ids(2, 100), '201'].map(recordOf).sort());
    }));

  it('fetches the skipped record by its own URL if a search for ids finds nothing', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      service.knowsExternalIds = false;
      replaceRecord(service);
      await run('o.ndjson', NIGHTLY);
      expect(splitIds(await text('o.ndjson')).sort()).toEqual([...ids(2, 100), '201'].map(recordOf).sort());
    }));

  it('drops the removed record from split files, which stay full', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      replaceRecord(service);
      const { manifest } = await run('o.csv', { ...NIGHTLY, format: 'csv', columns: 'id', split: 30 });
      expect(manifest.files.map(({ records }) => records)).toEqual([30, 30, 30, 10]);
      const files = await Promise.all(manifest.files.map(({ name }) => text(name)));
      expect(files.map((file) => splitIds(file).length)).toEqual([31, 31, 31, 11]);
      const found = files.flatMap((file) => splitIds(file).slice(1));
      expect(sortIds(found)).toEqual([...ids(2, 100), '201']);
    }));

  it('does not list the ids without --strict', () =>
    withMoving(ids(1, 100), async (service, { run }) => {
      const { manifest } = await run('o.ids', { format: 'ids', concurrency: 1 });
      expect(manifest.idCheck).toBeUndefined();
      expect(service.lists.every((list) => list.endsWith('v'))).toBe(true);
    }));
});

describe('export of which many records are no longer listed', () => {
  const removeRecords = (service: MovingService, left: readonly string[]) =>
    changeAt(
      service,
      0,
      () => {
        service.ids = [...left];
      },
      false,
    );

  it.each([
    ['all', []],
    ['all but 40', ids(1, 40)],
  ])('is incomplete, because the service has probably failed; not listed: %s', (_, left) =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      await run('o.ids', { ...NIGHTLY, format: 'ids' });
      removeRecords(service, left);
      const { complete, reasons, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(complete).toBe(false);
      expect(reasons).toEqual([
        `the service no longer lists ${100 - left.length} of the 100 records that were received`,
      ]);
      expect(manifest).toMatchObject({ records: 100, idCheck: { isSettled: false, dropped: 0 } });
      expect(splitIds(await text('o.ids'))).toEqual(ids(1, 100));
      expect(splitIds(await text('o.incomplete.ids'))).toEqual(ids(1, 100));
    }),
  );

  it('is incomplete if lists without a view have fewer records', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      service.onList = (_, hasView) => {
        service.ids = ids(1, hasView ? 100 : 70);
      };
      const { complete, reasons } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(complete).toBe(false);
      expect(reasons).toEqual(['the service no longer lists 30 of the 100 records that were received']);
      expect(splitIds(await text('o.incomplete.ids'))).toEqual(ids(1, 100));
    }));

  it('is incomplete in a resumed run, which keeps its records', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      const options = { format: 'ids', concurrency: 1 } as const;
      const stoppedRun = run('o.ids', {
        ...options,
        onProgress: ({ written }) => {
          if (written >= 60) throw new Error('death');
        },
      });
      await expect(stoppedRun).rejects.toThrow();
      service.ids = [];
      expect(await run('o.ids', { ...options, resume: true })).toMatchObject({ complete: false });
      service.ids = ids(1, 100);
      expect(await run('o.ids', { ...options, resume: true })).toMatchObject({ complete: true });
      expect(splitIds(await text('o.ids'))).toEqual(ids(1, 100));
    }));

  it('is compared with the earlier export without the records that are no longer listed', () =>
    withMoving(ids(1, 100), async (service, { run }) => {
      await run('o.ids', { ...NIGHTLY, format: 'ids' });
      service.ids = ids(1, 60);
      removeRecords(service, ids(1, 40));
      const { complete, reasons } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect([complete, reasons]).toEqual([false, ['only 40 records; the earlier export has 100']]);
    }));
});

it.each([
  [
    false,
    ids(41, 60),
    '20 of 100 records have no fields, fewer images than stated, or parts that opac cannot read',
  ],
  [
    true,
    ids(41, 60),
    '20 of 100 records have no fields, fewer images than stated, or parts that opac cannot read',
  ],
  [
    false,
    ids(1, 100),
    '100 of 100 records have no fields, fewer images than stated, or parts that opac cannot read',
  ],
  [
    true,
    ids(1, 100),
    '100 of 100 records have no fields, fewer images than stated, or parts that opac cannot read',
  ],
  [true, ['7'], '1 of 100 records has no fields, fewer images than stated, or parts that opac cannot read'],
] as const)('reports records that have only an id; strict: %s (case %#)', (strict, stubs, message) =>
  withMoving(ids(1, 100), async (service, { run }) => {
    service.stubs = stubs;
    const { complete, reasons, warnings, manifest } = await run('o.ndjson', { concurrency: 1, strict });
    expect(manifest.withoutFields).toBe(stubs.length);
    expect({ complete, reasons, warnings }).toEqual(
      strict
        ? { complete: false, reasons: [message], warnings: [] }
        : { complete: true, reasons: [], warnings: [message] },
    );
  }),
);

it('lists the ids if there are more records than the total', () =>
  withMoving(ids(1, 100), async (service, { run, text }) => {
    service.total = 90;
    const { complete, manifest } = await run('o.ids', { format: 'ids', concurrency: 1, pageSize: 50 });
    expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
    expect(splitIds(await text('o.ids'))).toEqual(ids(1, 100));
  }));

describe('total that changes during a run', () => {
  it('makes the export incomplete if it falls below half, because the service has probably failed', () =>
    withMoving(ids(1, 100), async (service, { run }) => {
      changeAt(service, 0, () => {
        setImmediate(() => {
          service.ids = ids(1, 40);
        });
      });
      const { complete, reasons } = await run('o.ids', { ...NIGHTLY, format: 'ids', pageSize: 20 });
      expect(complete).toBe(false);
      expect(reasons).toEqual(['the total fell from 100 to 40 during the run']);
    }));

  it.each([false, true])(
    'causes a check of the ids, and is then no reason for an incomplete export; strict: %s',
    (strict) =>
      withMoving(ids(1, 100), async (service, { run, text }) => {
        changeAt(service, 60, () => {
          service.ids = [...service.ids.slice(3), '201'];
        });
        const { complete, manifest } = await run('o.ids', { format: 'ids', concurrency: 1, strict });
        expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
        expect(sortIds(splitIds(await text('o.ids')))).toEqual([...ids(4, 100), '201']);
      }),
  );
});

it.each([
  ['a window as large as the result', 250],
  ['a window a little larger than the result', 260],
])('lists the ids within %s', (_, window) =>
  withMoving(ids(1, 250), async (service, { run }) => {
    service.window = window;
    const { complete, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids', pageSize: 25 });
    expect([complete, manifest.plan, manifest.idCheck?.isSettled]).toEqual([true, undefined, true]);
  }),
);

it.each([
  ['returns one record per page', { cap: 1 }],
  ['rounds offsets down to whole pages', { cap: 20, alignment: 20 }],
])('confirms the ids of a service that %s', (_, quirk) =>
  withMoving(ids(1, 70), async (service, { run, text }) => {
    Object.assign(service, quirk);
    const { complete, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
    expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
    expect(splitIds(await text('o.ids'))).toEqual(ids(1, 70));
  }),
);

it.each([true, false])('counts a fetched record that is not UTF-8; found by a search for ids: %s', (knows) =>
  withMoving(ids(1, 100), async (service, { run }) => {
    service.knowsExternalIds = knows;
    service.latin1 = '41';
    changeAt(service, 40, () => {
      service.ids = [...service.ids.slice(1), '201'];
    });
    const { manifest, reasons } = await run('o.ndjson', NIGHTLY);
    expect(manifest.idCheck).toMatchObject({ added: 1 });
    expect(manifest.notUtf8).toEqual({ records: 1, ids: ['41'] });
    expect(reasons.join()).toContain('not UTF-8');
  }),
);

describe('streamRecords', () => {
  const stream = async (service: MovingService, strict: boolean) => {
    const client = createClient({ baseUrl: service.url });
    const output = new PassThrough();
    const printed = buffer(output);
    const query = [['view', 'detail']] as const;
    const outcome = await streamRecords({
      source: createSearchSource({ client, kind: 'objects', query, pageSize: 20, concurrency: 1 }),
      formatOptions: { kind: 'objects', format: 'ids' },
      query,
      output,
      strict,
    });
    output.end();
    await client.close();
    return { outcome, ids: splitIds((await printed).toString()) };
  };

  it('fetches a skipped record, and drops a removed record', () =>
    withMoving(ids(1, 100), async (service) => {
      changeAt(service, 40, () => {
        service.ids = [...service.ids.slice(1), '201'];
      });
      const { outcome, ids: printed } = await stream(service, true);
      expect(sortIds(printed)).toEqual([...ids(2, 100), '201']);
      expect(outcome).toMatchObject({
        complete: true,
        records: 100,
        idCheck: { added: 1, dropped: 1 },
      });
    }));

  it('is complete if the service does not change', () =>
    withMoving(ids(1, 100), async (service) => {
      const { outcome } = await stream(service, true);
      expect(outcome).toMatchObject({
        complete: true,
        reasons: [],
        warnings: [],
        idCheck: { isSettled: true },
      });
    }));
});

describe('change while the ids are listed', () => {
  it('causes a second list of the ids', () =>
    withMoving(ids(1, 250), async (service, { run, text }) => {
      const change = () => {
        service.ids = [...service.ids.slice(1), '401'];
      };
      changeAt(service, 150, change, false);
      const { manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(manifest.idCheck).toMatchObject({ isSettled: true, listings: 2, added: 1, dropped: 1 });
      expect(sortIds(splitIds(await text('o.ids')))).toEqual([...ids(2, 250), '401']);
    }));

  it('makes the export incomplete if it occurs in each list', () =>
    withMoving(ids(1, 250), async (service, { run }) => {
      let next = 401;
      service.onList = (_, hasView) => {
        if (!hasView) service.ids = [...service.ids.slice(1), String(next++)];
      };
      const { complete, reasons } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(complete).toBe(false);
      expect(reasons).toEqual([
        'opac could not confirm that the records are complete: it listed the ids 4 times, and each list was incomplete or did not match the records',
      ]);
    }));
});

describe('resumed run', () => {
  const stopRun = (setup: ExportSetup, format: ExportFormat, at: number) =>
    expect(
      setup.run('o', {
        format,
        concurrency: 1,
        onProgress: ({ written }) => {
          if (written >= at) throw new Error('death');
        },
      }),
    ).rejects.toThrow();

  it.each<ExportFormat>(['ids', 'ndjson', 'csv', 'json'])(
    'contains the current records of the service if records were replaced, as %s',
    (format) =>
      withMoving(ids(1, 300), async (service, setup) => {
        await stopRun(setup, format, 100);
        // Ten records at the beginning are removed and ten are added, so the total stays the same.
        service.ids = [...ids(11, 300), ...ids(401, 410)];
        const { complete, manifest } = await setup.run('o', { format, resume: true, concurrency: 1 });
        expect(complete).toBe(true);
        expect(manifest).toMatchObject({ records: 300, resumed: 1, idCheck: { added: 10, dropped: 10 } });
        const text = await setup.text('o');
        for (const gone of ids(1, 10)) expect(text).not.toMatch(new RegExp(`\\b${gone}\\b(?! ?\\w)`));
        for (const there of [...ids(11, 300), ...ids(401, 410)])
          expect(text).toMatch(new RegExp(`\\b${there}\\b`));
      }),
  );

  it('has the bytes of an undisturbed run if no records changed, and lists the ids once', () =>
    withMoving(ids(1, 300), async (service, setup) => {
      await setup.run('whole', { concurrency: 1 });
      await stopRun(setup, 'ndjson', 100);
      service.lists.length = 0;
      const { manifest, warnings } = await setup.run('o', { resume: true, concurrency: 1 });
      expect(manifest.idCheck).toMatchObject({ isSettled: true, listings: 1, added: 0, dropped: 0 });
      expect(warnings).toEqual([]);
      expect((await readFile(setup.path('o'))).equals(await readFile(setup.path('whole')))).toBe(true);
      const listsWithoutView = service.lists.filter((list) => !list.endsWith('v'));
      // The pages overlap by one record.
      expect(listsWithoutView).toEqual(['0+100', '99+100', '198+100', '297+100']);
      expect(manifest.idCheck?.requests).toBe(4);
    }));

  it.each([
    ['with --limit', { limit: 150 }, ids(11, 160)],
    ['with --offset', { offset: 50 }, [...ids(61, 300), ...ids(401, 410)]],
  ])('contains the current records of its range %s', (_, range, expected) =>
    withMoving(ids(1, 300), async (service, { run, text }) => {
      const options = { format: 'ids', concurrency: 1, ...range, selection: range } as const;
      const stoppedRun = run('o.ids', {
        ...options,
        onProgress: ({ written }) => {
          if (written >= 100) throw new Error('death');
        },
      });
      await expect(stoppedRun).rejects.toThrow();
      service.ids = [...ids(11, 300), ...ids(401, 410)];
      const { complete } = await run('o.ids', { ...options, resume: true });
      expect(complete).toBe(true);
      expect(sortIds(splitIds(await text('o.ids')))).toEqual(expected);
    }),
  );
});
