/** Reads checkpoints and manifests, and serializes manifests. An error shows which key is damaged. */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  CHECKPOINT_FORMAT,
  checkRecordCount,
  readCheckpoint,
  readRecordCount,
} from '../../../src/export/collect/checkpoint.js';
import { addPagingReport, NO_COUNTS } from '../../../src/export/collect/export-counts.js';
import {
  getChangedHeaders,
  type Manifest,
  mapHeadersToColumns,
  readManifest,
  serializeManifest,
} from '../../../src/export/verify/manifest.js';
import { EMPTY_MANIFEST } from '../empty-manifest.js';
import { withFolder } from '../export-setup.js';

const TALLY = {
  received: 5,
  written: 5,
  duplicates: 0,
  withoutId: 0,
  stubs: 0,
  excluded: 0,
  drift: [{ offset: 0, total: 5 }],
  elapsed: 1,
  resumed: 0,
};

const SLICE = { term: 'a:b', total: 1, offset: 0, limit: 1, records: 1 };
const PLAN = {
  total: 1,
  window: 5,
  sha256: 'c',
  slices: [SLICE],
  unreachable: [{ what: 'x', records: 0 }],
};

describe('readCheckpoint', () => {
  const job = { deployment: 'https://m.example', kind: 'objects', query: [] };
  const valid = {
    format: CHECKPOINT_FORMAT,
    job,
    started: '2026-01-01T00:00:00.000Z',
    next: 5,
    bytes: 100,
    sha256: 'a',
    notFound: [],
    notUtf8: { records: 0, ids: [] },
    tally: TALLY,
    pages: [[0, 5, 0]],
  };
  /** Reads a checkpoint from a file with this content: a text, or a value that is written as JSON. */
  const read = async (
    content: unknown,
    wanted: Parameters<typeof readCheckpoint>[1] = job,
    command?: string,
  ) => {
    let found: unknown;
    await withFolder(async (path) => {
      if (content !== undefined)
        await writeFile(path('c'), typeof content === 'string' ? content : JSON.stringify(content));
      found = await readCheckpoint(path('c'), wanted, command);
    });
    return found;
  };
  const createExpectedError = (why: string) => ({
    kind: why === 'the checkpoint is damaged' ? 'incomplete' : 'usage',
    message: expect.stringContaining(`c": ${why}`),
    hint: 'discard it and start again with --force',
  });

  it('returns a valid checkpoint', async () => {
    expect(await read(valid)).toEqual(valid);
    const more = {
      command: 'opac objects export',
      notUtf8: { records: 1, ids: ['a'] },
      plan: PLAN,
    };
    expect(await read({ ...valid, ...more })).toEqual({ ...valid, ...more });
    const none = { ...valid, bytes: 0, tally: { ...TALLY, written: 0 } };
    expect(await read(none)).toEqual(none);
    expect(await read(undefined)).toBeUndefined();
  });

  it.each([
    ['{', 'the checkpoint is damaged'],
    ['7', 'another version of opac wrote it (format none, this version writes 2)'],
    ['{"format":"x"}', 'another version of opac wrote it (format "x", this version writes 2)'],
    ['{"format":1}', 'another version of opac wrote it (format 1, this version writes 2)'],
    ['{"format":3}', 'a newer version of opac wrote it (format 3, this version writes 2)'],
  ])('refuses the content %s', async (content, why) => {
    await expect(read(content)).rejects.toMatchObject(createExpectedError(why));
  });

  it.each([
    [{ split: 33 }, {}, 'split was 33 and is now nothing'],
    [{ columns: 'id' }, {}, 'columns was "id" and is now nothing'],
    [{ anything: null }, {}, 'anything was null and is now nothing'],
    [{}, { excel: true }, 'excel was nothing and is now true'],
    [
      {
        query: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      {},
      'query was "a=b&c=d" and is now ""',
    ],
    [{ ids: ['a', 1] }, { ids: [] }, 'ids was "a&1" and is now ""'],
  ])('refuses a job with %j instead of %j', async (before, now, why) => {
    const checkpoint = { ...valid, job: { ...job, ...before } };
    await expect(read(checkpoint, { ...job, ...now } as never)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(
        /c" belongs to another unfinished export, which started at 2026-01-01T00:00:00.000Z and has 5 records \(.*\)$/,
      ),
      hint: 'finish that export, choose another file with -o, or discard its records with --force',
    });
    await expect(read(checkpoint, { ...job, ...now } as never)).rejects.toThrow(`(${why})`);
    // A checkpoint without records is discarded, because nothing is lost.
    const none = { ...checkpoint, bytes: 0, tally: { ...TALLY, written: 0 } };
    expect(await read(none, { ...job, ...now } as never)).toBeUndefined();
  });

  it('shows the commands of both exports in the error', async () => {
    const checkpoint = { ...valid, job: { ...job, kind: 'persons' }, command: 'opac persons export' };
    await expect(read(checkpoint, job, 'opac objects export')).rejects.toThrow(
      '; command of the unfinished export: opac persons export; command of this export: opac objects export',
    );
  });

  it.each<[string, unknown]>([
    ['bytes', -5],
    ['bytes', 1.5],
    ['sha256', 7],
    ['notUtf8', { records: 1 }],
    ['notUtf8', { records: 1, ids: [7] }],
    ['plan', {}],
    ['started', 7],
    ['next', '5'],
    ['pages', [{}]],
    ['pages', [[0, 5]]],
    ['plan', { ...PLAN, total: -1 }],
    ['plan', { ...PLAN, window: '5' }],
    ['plan', { ...PLAN, sha256: 1 }],
    ['plan', { ...PLAN, slices: [{ ...SLICE, limit: -1 }] }],
    ['plan', { ...PLAN, slices: [{ ...SLICE, direction: 'up' }] }],
    ['plan', { ...PLAN, unreachable: [{ what: 'x' }] }],
    ['job', null],
    ['notFound', [7]],
    ['tally', {}],
    ['tally', null],
    ['tally', { ...TALLY, written: -1 }],
    ['tally', { ...TALLY, written: '5' }],
    ['tally', { ...TALLY, drift: [5] }],
    ['tally', { ...TALLY, drift: [{ offset: 0, total: -5 }] }],
    // The bytes and the written records must both be 0 or both be positive.
    ['bytes', 0],
    ['tally', { ...TALLY, written: 0 }],
  ])('refuses a checkpoint with %s = %j', async (place, value) => {
    await expect(read({ ...valid, [place]: value })).rejects.toMatchObject({
      kind: 'incomplete',
      message: expect.stringContaining(`c": its "${place}" is damaged`),
    });
  });
});

it('throws if the partial file has another number of records than the checkpoint', () => {
  const checkpoint = { tally: { ...TALLY, written: 5000, withoutId: 2 } } as never;
  checkRecordCount('c', checkpoint, 5000);
  for (const [ids, text] of [
    [4999, '4,999'],
    [5001, '5,001'],
  ] as const)
    expect(() => checkRecordCount('c', checkpoint, ids)).toThrow(
      `cannot resume "c": the checkpoint counts 5,000 records, but the partial file has ${text}`,
    );
});

it.each([
  ['{"tally":{"written":7}}', 7],
  ['{"tally":{}}', 0],
  ['{}', 0],
  ['{', 0],
  [undefined, 0],
])('reads the number of records from a checkpoint with %j: %i', (content, left) =>
  withFolder(async (path) => {
    if (content !== undefined) await writeFile(path('c'), content);
    expect(await readRecordCount(path('c'))).toBe(left);
  }),
);

it('adds the counts of all runs', () => {
  const report = { received: 10, duplicates: 2, withoutId: 1, totals: [{ offset: 0, total: 10 }] };
  const before = { ...NO_COUNTS, received: 5, duplicates: 1, withoutId: 1, elapsed: 100, resumed: 3 };
  expect(addPagingReport(before, report as never, { written: 12, stubs: 2, excluded: 1 }, 50)).toEqual({
    received: 15,
    written: 12,
    duplicates: 3,
    withoutId: 2,
    stubs: 2,
    excluded: 1,
    drift: [{ offset: 0, total: 10 }],
    elapsed: 150,
    resumed: 3,
  });
});

describe('manifest', () => {
  const file = { name: 'o.csv', bytes: 1, sha256: 'a', records: 1 };
  const { replaces, notUtf8, ...rest } = EMPTY_MANIFEST;
  const valid = { ...rest, files: [file] };
  /** Keys that the first version did not write. */
  const added = { replaces, notUtf8 };
  const read = async (content: unknown) => {
    let found: unknown;
    await withFolder(async (path) => {
      if (content !== undefined)
        await writeFile(path('m'), typeof content === 'string' ? content : JSON.stringify(content));
      found = await readManifest(path('m'));
    });
    return found;
  };

  it('is read without unknown keys if it is valid', async () => {
    expect(await read(valid)).toEqual({ ...valid, ...added });
    const more = {
      ...valid,
      ...{ rows: 2, heads: ['Nr'], files: [{ ...file, rows: 2 }], replaces: 7 },
      notUtf8: { records: 1, ids: ['a'] },
    };
    expect(await read({ ...more, later: 1 })).toEqual(more);
  });

  it.each<[string, unknown]>([
    ['job', { deployment: 'd' }],
    ['job', { ...valid.job, query: [['a']] }],
    ['job', { ...valid.job, kind: 7 }],
    ['complete', 'yes'],
    ['reasons', [7]],
    ['warnings', undefined],
    ['files', [{ ...file, name: '../o.csv' }]],
    ['files', [{ ...file, rows: -1 }]],
    ['files', [{ ...file, sha256: 7 }]],
    ['finished', 7],
    ['totals', { first: -1, last: null }],
    ['totals', { first: null }],
    ['records', '1'],
    ['rows', null],
    ['withoutId', -1],
    ['columns', 'id'],
    ['heads', [7]],
    ['plan', {}],
    ['totals', { first: null, last: 5 }],
    ['gaps', [{ offset: 0 }]],
    ['notUtf8', { records: 1 }],
    ['pages', [[0, 5]]],
    ['tool', undefined],
  ])('causes an error with %s = %j', async (place, value) => {
    await expect(read({ ...valid, [place]: value })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(`^cannot use the manifest ".*m": its "${place}" is damaged$`),
      hint: 'export again',
    });
  });

  const ITS_VERSION = 'use the version that wrote it: see "tool" in the manifest';
  it.each([
    ['{', /^cannot use the manifest ".*m": it is not JSON$/, 'export again'],
    ['7', /^cannot read the manifest ".*m": opac did not write it$/, 'export again'],
    ['{"format":0}', /: opac did not write it$/, 'export again'],
    ['{"format":"2"}', /: opac did not write it$/, 'export again'],
    [
      '{"format":2}',
      /: a newer version of opac wrote it \(format 2, this version reads up to 1\)$/,
      ITS_VERSION,
    ],
    [undefined, /^cannot read ".*m": the folder or file does not exist$/, undefined],
  ])('causes an error if its content is %s', async (content, message, hint) => {
    await expect(read(content)).rejects.toMatchObject({ message: expect.stringMatching(message), hint });
  });

  it('is serialized with one line for each long list', () => {
    const pages = [
      [0, 1, 0],
      [1, 1, 0],
    ];
    const slices = [{ total: 1 }];
    const manifest = { records: 1, plan: { slices }, pages, warnings: ['list 0 as below'] };
    const text = serializeManifest(manifest as unknown as Manifest);
    expect(text).toBe(
      `{\n  "records": 1,\n  "plan": {\n    "slices": [{"total":1}]\n  },\n  "pages": [[0,1,0],[1,1,0]],\n  "warnings": [\n    "list 0 as below"\n  ]\n}\n`,
    );
  });

  it('has headers only if they differ from the names of the columns', () => {
    expect([...mapHeadersToColumns({ columns: ['id', 'a'], heads: ['Nr', 'A', 'b'] } as never)]).toEqual([
      ['Nr', 'id'],
      ['A', 'a'],
      ['b', 'b'],
    ]);
    expect([...mapHeadersToColumns({ columns: ['id'] } as never)]).toEqual([['id', 'id']]);
    expect(getChangedHeaders(['id', 'a'], ['id', 'A'])).toEqual(['id', 'A']);
    expect([getChangedHeaders(['id'], ['id']), getChangedHeaders(['id'])]).toEqual([undefined, undefined]);
  });
});
