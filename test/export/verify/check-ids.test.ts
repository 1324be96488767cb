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

/** Calls `change` once, before the list at that offset that has a view, or has none. */
function changeAt(service: MovingService, at: number, change: () => void, hasView = true): void {
  let isDone = false;
  service.onList = (offset, isWhole) => {
    if (isDone || isWhole !== hasView || offset < at) return;
    isDone = true;
    change();
  };
}

const idsIn = (text: string) => text.split('\n').slice(0, -1);
const sorted = (list: readonly string[]) => [...list].sort((one, other) => Number(one) - Number(other));
const NIGHTLY = { strict: true, concurrency: 1 } as const;

describe('a record that is replaced between two pages', () => {
  /** The total stays, and a record that stays is skipped. */
  const replaced = (service: MovingService) =>
    changeAt(service, 40, () => {
      service.ids = [...service.ids.slice(1), '201'];
    });

  it.each<[ExportFormat, string]>([
    ['ids', 'o.ids'],
    ['ndjson', 'o.ndjson'],
    ['ids', 'o.ids.gz'],
  ])(
    'is found with --strict as %s in %s: the missing one is fetched, the removed one dropped',
    (format, name) =>
      withMoving(ids(1, 100), async (service, { run, text }) => {
        replaced(service);
        const { complete, manifest, warnings } = await run(name, { ...NIGHTLY, format });
        expect(complete).toBe(true);
        const found = idsIn(await text(name)).map((line) =>
          format === 'ids' ? line : (JSON.parse(line).opacObjectId as string),
        );
        expect(sorted(found)).toEqual([...ids(2, 100), '201']);
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

  it('is the same record as the others, with the bytes of the service', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      replaced(service);
      await run('o.ndjson', NIGHTLY);
      const lines = idsIn(await text('o.ndjson'));
      expect(lines.sort()).toEqual([...ids(2, 100), '201'].map(recordOf).sort());
    }));

  it('is fetched by its own address where a search for ids finds nothing', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      service.knowsExternalIds = false;
      replaced(service);
      await run('o.ndjson', NIGHTLY);
      expect(idsIn(await text('o.ndjson')).sort()).toEqual([...ids(2, 100), '201'].map(recordOf).sort());
    }));

  it('is dropped from split files, which are full then', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      replaced(service);
      const { manifest } = await run('o.csv', { ...NIGHTLY, format: 'csv', columns: 'id', split: 30 });
      expect(manifest.files.map(({ records }) => records)).toEqual([30, 30, 30, 10]);
      const files = await Promise.all(manifest.files.map(({ name }) => text(name)));
      expect(files.map((file) => idsIn(file).length)).toEqual([31, 31, 31, 11]);
      const found = files.flatMap((file) => idsIn(file).slice(1));
      expect(sorted(found)).toEqual([...ids(2, 100), '201']);
    }));

  it('is not looked for without --strict, which costs nothing', () =>
    withMoving(ids(1, 100), async (service, { run }) => {
      const { manifest } = await run('o.ids', { format: 'ids', concurrency: 1 });
      expect(manifest.idCheck).toBeUndefined();
      expect(service.lists.every((list) => list.endsWith('v'))).toBe(true);
    }));
});

describe('a result of which most records are no longer listed', () => {
  const emptied = (service: MovingService, left: readonly string[]) =>
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
  ])('is incomplete: the service probably failed; not listed: %s', (_, left) =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      await run('o.ids', { ...NIGHTLY, format: 'ids' });
      emptied(service, left);
      const { complete, reasons, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(complete).toBe(false);
      expect(reasons).toEqual([
        `the service no longer lists ${100 - left.length} of the 100 records that were received`,
      ]);
      expect(manifest).toMatchObject({ records: 100, idCheck: { isSettled: false, dropped: 0 } });
      expect(idsIn(await text('o.ids'))).toEqual(ids(1, 100));
      expect(idsIn(await text('o.incomplete.ids'))).toEqual(ids(1, 100));
    }),
  );

  it('is incomplete if only the list of complete records is longer', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      service.onList = (_, hasView) => {
        service.ids = ids(1, hasView ? 100 : 70);
      };
      const { complete, reasons } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(complete).toBe(false);
      expect(reasons).toEqual(['the service no longer lists 30 of the 100 records that were received']);
      expect(idsIn(await text('o.incomplete.ids'))).toEqual(ids(1, 100));
    }));

  it('is incomplete in a resumed run, which keeps its records', () =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      const options = { format: 'ids', concurrency: 1 } as const;
      const death = run('o.ids', {
        ...options,
        onProgress: ({ written }) => {
          if (written >= 60) throw new Error('death');
        },
      });
      await expect(death).rejects.toThrow();
      service.ids = [];
      expect(await run('o.ids', { ...options, resume: true })).toMatchObject({ complete: false });
      service.ids = ids(1, 100);
      expect(await run('o.ids', { ...options, resume: true })).toMatchObject({ complete: true });
      expect(idsIn(await text('o.ids'))).toEqual(ids(1, 100));
    }));

  it('is compared with the earlier export without the records that are no longer listed', () =>
    withMoving(ids(1, 100), async (service, { run }) => {
      await run('o.ids', { ...NIGHTLY, format: 'ids' });
      service.ids = ids(1, 60);
      emptied(service, ids(1, 40));
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
] as const)('records with only their ids are named; strict: %s', (strict, stubs, message) =>
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

it('the ids are listed if there are more records than the total', () =>
  withMoving(ids(1, 100), async (service, { run, text }) => {
    service.total = 90;
    const { complete, manifest } = await run('o.ids', { format: 'ids', concurrency: 1, pageSize: 50 });
    expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
    expect(idsIn(await text('o.ids'))).toEqual(ids(1, 100));
  }));

describe('a total that changes during a run', () => {
  it('to less than half makes the export incomplete, because the service has probably failed', () =>
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

  it.each([false, true])('is checked, and is no reason any more; strict: %s', (strict) =>
    withMoving(ids(1, 100), async (service, { run, text }) => {
      changeAt(service, 60, () => {
        service.ids = [...service.ids.slice(3), '201'];
      });
      const { complete, manifest } = await run('o.ids', { format: 'ids', concurrency: 1, strict });
      expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
      expect(sorted(idsIn(await text('o.ids')))).toEqual([...ids(4, 100), '201']);
    }),
  );
});

it.each([
  ['a window as large as the result', 250],
  ['a window a little larger than the result', 260],
])('the ids behind %s are listed', (_, window) =>
  withMoving(ids(1, 250), async (service, { run }) => {
    service.window = window;
    const { complete, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids', pageSize: 25 });
    expect([complete, manifest.plan, manifest.idCheck?.isSettled]).toEqual([true, undefined, true]);
  }),
);

it.each([
  ['gives one record per page', { cap: 1 }],
  ['rounds offsets down to whole pages', { cap: 20, alignment: 20 }],
])('the ids of a service that %s are listed twice', (_, quirk) =>
  withMoving(ids(1, 70), async (service, { run, text }) => {
    Object.assign(service, quirk);
    const { complete, manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
    expect([complete, manifest.idCheck?.isSettled]).toEqual([true, true]);
    expect(idsIn(await text('o.ids'))).toEqual(ids(1, 70));
  }),
);

it.each([true, false])('a record that is fetched by its id is counted when it is not UTF-8: %s', (knows) =>
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

describe('a stream', () => {
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
    return { outcome, ids: idsIn((await printed).toString()) };
  };

  it('gets missing records, and drops one that is gone', () =>
    withMoving(ids(1, 100), async (service) => {
      changeAt(service, 40, () => {
        service.ids = [...service.ids.slice(1), '201'];
      });
      const { outcome, ids: printed } = await stream(service, true);
      expect(sorted(printed)).toEqual([...ids(2, 100), '201']);
      expect(outcome).toMatchObject({
        complete: true,
        records: 100,
        idCheck: { added: 1, dropped: 1 },
      });
    }));

  it('of a service at rest is complete', () =>
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

describe('records that move while the ids are listed', () => {
  it('are listed again', () =>
    withMoving(ids(1, 250), async (service, { run, text }) => {
      const change = () => {
        service.ids = [...service.ids.slice(1), '401'];
      };
      changeAt(service, 150, change, false);
      const { manifest } = await run('o.ids', { ...NIGHTLY, format: 'ids' });
      expect(manifest.idCheck).toMatchObject({ isSettled: true, listings: 2, added: 1, dropped: 1 });
      expect(sorted(idsIn(await text('o.ids')))).toEqual([...ids(2, 250), '401']);
    }));

  it('without an end make the export incomplete, which says so', () =>
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

describe('a run that was stopped', () => {
  const dies = (setup: ExportSetup, format: ExportFormat, at: number) =>
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
    'and whose records were replaced meanwhile ends with those of the service, as %s',
    (format) =>
      withMoving(ids(1, 300), async (service, setup) => {
        await dies(setup, format, 100);
        // Ten at the beginning are removed, and ten come: the total stays.
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

  it('and whose records stayed has the bytes of an undisturbed run, and lists the ids once', () =>
    withMoving(ids(1, 300), async (service, setup) => {
      await setup.run('whole', { concurrency: 1 });
      await dies(setup, 'ndjson', 100);
      service.lists.length = 0;
      const { manifest, warnings } = await setup.run('o', { resume: true, concurrency: 1 });
      expect(manifest.idCheck).toMatchObject({ isSettled: true, listings: 1, added: 0, dropped: 0 });
      expect(warnings).toEqual([]);
      expect((await readFile(setup.path('o'))).equals(await readFile(setup.path('whole')))).toBe(true);
      const bare = service.lists.filter((list) => !list.endsWith('v'));
      // Pages that overlap by one record.
      expect(bare).toEqual(['0+100', '99+100', '198+100', '297+100']);
      expect(manifest.idCheck?.requests).toBe(4);
    }));

  it.each([
    ['with --limit', { limit: 150 }, ids(11, 160)],
    ['with --offset', { offset: 50 }, [...ids(61, 300), ...ids(401, 410)]],
  ])('%s ends with the records that stand there now', (_, range, expected) =>
    withMoving(ids(1, 300), async (service, { run, text }) => {
      const options = { format: 'ids', concurrency: 1, ...range, selection: range } as const;
      const death = run('o.ids', {
        ...options,
        onProgress: ({ written }) => {
          if (written >= 100) throw new Error('death');
        },
      });
      await expect(death).rejects.toThrow();
      service.ids = [...ids(11, 300), ...ids(401, 410)];
      const { complete } = await run('o.ids', { ...options, resume: true });
      expect(complete).toBe(true);
      expect(sorted(idsIn(await text('o.ids')))).toEqual(expected);
    }),
  );
});
