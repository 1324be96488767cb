/** Checkpoints and manifests as they are read and printed: what is wrong is said by its place. */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  CHECKPOINT_FORMAT,
  checkIdCount,
  readCheckpoint,
  recordsLeft,
} from '../../../src/export/run/checkpoint.js';
import {
  columnsByHead,
  headsBeside,
  type Manifest,
  printManifest,
  readManifest,
} from '../../../src/export/run/manifest.js';
import { addReport, NO_COUNTS } from '../../../src/export/run/run-counts.js';
import { withFolder } from '../export-setup.js';

const TALLY = {
  received: 5,
  written: 5,
  duplicates: 0,
  withoutId: 0,
  drift: [{ offset: 0, total: 5 }],
  elapsed: 1,
  resumed: 0,
};

describe('a checkpoint', () => {
  const job = { deployment: 'https://m.example', kind: 'objects', query: [], format: 'csv' };
  const right = {
    format: CHECKPOINT_FORMAT,
    job,
    started: '2026-01-01T00:00:00.000Z',
    next: 5,
    bytes: 100,
    headBytes: 0,
    idsBytes: 10,
    columns: ['id'],
    widths: [[0, 1]],
    splits: [],
    formulas: 0,
    notFound: [],
    tally: TALLY,
    pages: [[0, 5, 0]],
  };
  /** The checkpoint of a file with that content, a text or what it is as JSON. */
  const read = async (content: unknown, wanted: Parameters<typeof readCheckpoint>[1] = job) => {
    let found: unknown;
    await withFolder(async (path) => {
      if (content !== undefined)
        await writeFile(path('c'), typeof content === 'string' ? content : JSON.stringify(content));
      found = await readCheckpoint(path('c'), wanted);
    });
    return found;
  };
  const refused = (why: string) => ({
    kind: 'usage',
    message: expect.stringContaining(`c": ${why}`),
    hint: 'repeat the command of that run with --resume, or start again without --resume',
  });

  it('of the right shape is read', async () => {
    expect(await read(right)).toEqual(right);
    const slice = { total: 1, offset: 0, limit: 1, records: 1 };
    const more = {
      sha256: 'a',
      idsSha256: 'b',
      rows: 7,
      splitRows: [0],
      notUtf8: { records: 1, ids: ['a'] },
      plan: { total: 1, window: 5, sha256: 'c', slices: [slice], unreachable: [] },
    };
    expect(await read({ ...right, ...more })).toEqual({ ...right, ...more });
    const ends = { ...right, headBytes: 100, splits: [100], widths: [[100, 1]] };
    expect(await read(ends)).toEqual(ends);
    const none = { ...right, bytes: 0, widths: [], tally: { ...TALLY, written: 0 } };
    expect(await read(none)).toEqual(none);
    expect(await read(undefined)).toBeUndefined();
  });

  it.each([
    ['found', true],
    ['all', true],
    ['id,a', false],
  ])('of a table with columns %s may get wider: %s', async (columns, isRight) => {
    const job = { ...right.job, columns };
    const widths = [
      [0, 1],
      [50, 2],
    ];
    const checkpoint = { ...right, job, columns: ['id', 'a'], widths };
    if (isRight) expect(await read(checkpoint, job)).toEqual(checkpoint);
    else await expect(read(checkpoint, job)).rejects.toMatchObject(refused('its "widths" is damaged'));
  });

  it.each([
    ['{', 'it is damaged'],
    ['7', 'its format is none, this version of opac writes 1'],
    ['{}', 'its format is none, this version of opac writes 1'],
    ['{"format":"x"}', 'its format is "x", this version of opac writes 1'],
    ['{"format":0}', 'its format is 0, this version of opac writes 1'],
    ['{"format":2}', 'a newer opac wrote it: its format is 2, this version of opac writes 1'],
  ])('that holds %s is refused', async (content, why) => {
    await expect(read(content)).rejects.toMatchObject(refused(why));
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
  ])('of a job with %j, where this one has %j, is refused', async (before, now, why) => {
    const checkpoint = { ...right, job: { ...job, ...before } };
    await expect(read(checkpoint, { ...job, ...now } as never)).rejects.toMatchObject(refused(why));
  });

  it.each<[string, unknown]>([
    ['bytes', -5],
    ['bytes', 1.5],
    ['sha256', 7],
    ['idsSha256', null],
    ['rows', -1],
    ['splitRows', 7],
    ['notUtf8', { records: 1 }],
    ['notUtf8', { records: 1, ids: [7] }],
    ['plan', {}],
    ['started', 7],
    ['formulas', '0'],
    ['next', '5'],
    ['idsBytes', null],
    ['columns', 'id'],
    ['widths', [[0]]],
    ['splits', [-1]],
    ['pages', [{}]],
    ['job', null],
    ['notFound', [7]],
    ['tally', {}],
    ['tally', null],
    ['tally', { ...TALLY, written: -1 }],
    ['tally', { ...TALLY, written: '5' }],
    ['tally', { ...TALLY, drift: [5] }],
    ['tally', { ...TALLY, drift: [{ offset: 0, total: -5 }] }],
    // What lies behind the end of the part.
    ['headBytes', 101],
    ['splits', [101]],
    ['widths', [[101, 1]]],
    // Rows begin behind the head, and never lose a column.
    ['widths', [[0, 0]]],
    ['widths', [[1, 1]]],
    ['widths', [[0, 2]]],
    [
      'widths',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    // Records need bytes.
    ['bytes', 0],
    ['tally', { ...TALLY, written: 0 }],
  ])('with wrong %s is refused', async (place, value) => {
    await expect(read({ ...right, [place]: value })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(`c": its "${place}" is damaged`),
    });
  });
});

it.each([
  [5, 0, 5],
  [5, 2, 3],
  [5, 2, 5],
])('%i records, %i of them without an id, may have %i ids', (written, withoutId, ids) => {
  checkIdCount('c', { tally: { ...TALLY, written, withoutId } } as never, ids);
});

it.each([
  [5, 0, 4],
  [5, 0, 6],
  [5000, 2, 4997],
])('%i records, %i of them without an id, cannot have %i ids', (written, withoutId, ids) => {
  const { format } = new Intl.NumberFormat('en-US');
  expect(() => checkIdCount('c', { tally: { ...TALLY, written, withoutId } } as never, ids)).toThrow(
    `cannot resume "c": it says ${format(written)} records, and there are ${format(ids)} ids`,
  );
});

it.each([
  ['{"tally":{"written":7}}', 7],
  ['{"tally":{}}', 0],
  ['{}', 0],
  ['{', 0],
  [undefined, 0],
])('of a checkpoint with %j, %i records are left', (content, left) =>
  withFolder(async (path) => {
    if (content !== undefined) await writeFile(path('c'), content);
    expect(await recordsLeft(path('c'))).toBe(left);
  }),
);

it('counts are those of all runs together', () => {
  const report = { received: 10, duplicates: 2, withoutId: 1, totals: [{ offset: 0, total: 10 }] };
  const before = { ...NO_COUNTS, received: 5, duplicates: 1, withoutId: 1, elapsed: 100, resumed: 3 };
  expect(addReport(before, report as never, 12, 50)).toEqual({
    received: 15,
    written: 12,
    duplicates: 3,
    withoutId: 2,
    drift: [{ offset: 0, total: 10 }],
    elapsed: 150,
    resumed: 3,
  });
});

describe('a manifest', () => {
  const file = { name: 'o.csv', bytes: 1, sha256: 'a', records: 1 };
  const right = {
    format: 1,
    job: { deployment: 'd', kind: 'objects', query: [['a', 'b']], format: 'csv' },
    complete: true,
    reasons: [],
    warnings: ['x'],
    files: [file],
    finished: 'now',
    totals: { first: null, last: 5 },
    records: 1,
    withoutId: 0,
    columns: ['id'],
  };
  const read = async (content: unknown) => {
    let found: unknown;
    await withFolder(async (path) => {
      if (content !== undefined)
        await writeFile(path('m'), typeof content === 'string' ? content : JSON.stringify(content));
      found = await readManifest(path('m'));
    });
    return found;
  };

  it('of the right shape is read', async () => {
    expect(await read(right)).toEqual(right);
    const more = { ...right, rows: 2, heads: ['Nr'], files: [{ ...file, rows: 2 }], later: 1 };
    expect(await read(more)).toEqual(more);
  });

  it.each<[string, unknown]>([
    ['job', { deployment: 'd' }],
    ['job', { ...right.job, query: [['a']] }],
    ['job', { ...right.job, kind: 7 }],
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
  ])('with wrong %s is refused', async (place, value) => {
    await expect(read({ ...right, [place]: value })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(`^cannot use the manifest ".*m": its "${place}" is damaged$`),
      hint: 'export again',
    });
  });

  const ITS_VERSION = 'use the version that wrote it: see "tool" in the manifest';
  it.each([
    ['{', /^cannot use the manifest ".*m": it is not JSON$/, 'export again'],
    ['7', /^cannot read the manifest ".*m": it is none of opac$/, ITS_VERSION],
    ['{"format":0}', /: it is none of opac$/, ITS_VERSION],
    ['{"format":"2"}', /: it is none of opac$/, ITS_VERSION],
    ['{"format":2}', /: a newer opac wrote it \(format 2, this version reads up to 1\)$/, ITS_VERSION],
    [undefined, /^cannot read ".*m": the folder or file does not exist$/, undefined],
  ])('that holds %s is refused', async (content, message, hint) => {
    await expect(read(content)).rejects.toMatchObject({ message: expect.stringMatching(message), hint });
  });

  it('is printed with its long lists on a line each', () => {
    const pages = [
      [0, 1, 0],
      [1, 1, 0],
    ];
    const slices = [{ total: 1 }];
    const manifest = { records: 1, plan: { slices }, pages, warnings: ['list 0 as below'] };
    const text = printManifest(manifest as unknown as Manifest);
    expect(text).toBe(
      `{\n  "records": 1,\n  "plan": {\n    "slices": [{"total":1}]\n  },\n  "pages": [[0,1,0],[1,1,0]],\n  "warnings": [\n    "list 0 as below"\n  ]\n}\n`,
    );
  });

  it('has heads where they are not the names of the columns', () => {
    expect([...columnsByHead({ columns: ['id', 'a'], heads: ['Nr', 'A', 'b'] } as never)]).toEqual([
      ['Nr', 'id'],
      ['A', 'a'],
      ['b', 'b'],
    ]);
    expect([...columnsByHead({ columns: ['id'] } as never)]).toEqual([['id', 'id']]);
    expect(headsBeside(['id', 'a'], ['id', 'A'])).toEqual(['id', 'A']);
    expect([headsBeside(['id'], ['id']), headsBeside(['id'])]).toEqual([undefined, undefined]);
  });
});
