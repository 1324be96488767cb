/** Results that repeat, move, grow, shrink or end too early: opac exports no id twice, and reports the problem. */
import { expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { splitLines } from '../e2e/run-against-museum.js';
import { setUpExport } from './run-in-folder.js';

const RECORDS = 400;
const LINE = 'objects export --page-size 20 --concurrency 1 -o ids.txt -f ids';

interface Expected {
  readonly exit: number;
  /** Number of records in the file. Default: all. */
  readonly records?: number;
  /** Text in standard error. */
  readonly message: string;
}

const ROWS: readonly (readonly [name: string, quirks: MuseumOptions, expected: Expected])[] = [
  ['a stable one', {}, { exit: 0, message: '400 records in ids.txt' }],
  [
    'repeats',
    { faults: [{ kind: 'repeats', records: 3 }] },
    { exit: 0, message: 'warning: 3 duplicate records dropped' },
  ],
  [
    'inserts',
    { faults: [{ kind: 'missing', records: 5, first: 6 }] },
    { exit: 0, message: 'the total changed during the run: 395, 400' },
  ],
  [
    'deletes',
    { faults: [{ kind: 'missing', records: 5, after: 6 }] },
    {
      exit: 0,
      records: 395,
      message: 'warning: the result changed during the export: 5 records fetched by id, 5 no longer listed',
    },
  ],
  [
    'shuffles',
    { faults: [{ kind: 'shuffles' }] },
    { exit: 0, message: 'records fetched by id, 0 no longer listed' },
  ],
  [
    'ends early',
    { faults: [{ kind: 'ends-early', at: 160 }] },
    {
      exit: 0,
      message: 'each search returns at most 160 records; reading 400 records in',
    },
  ],
  [
    'ignores offset',
    { faults: [{ kind: 'offset-ignored' }] },
    {
      exit: 6,
      records: 20,
      message:
        'the export is incomplete: the service ignores the offset, so opac can only get the first page',
    },
  ],
  [
    'has a window',
    { faults: [{ kind: 'window', size: 200 }] },
    {
      exit: 0,
      message: 'each search returns at most 200 records; reading 400 records in',
    },
  ],
  [
    'underfills',
    { faults: [{ kind: 'underfills', records: 3 }] },
    { exit: 0, message: '400 records in ids.txt' },
  ],
  [
    'overfills',
    { faults: [{ kind: 'overfills', records: 3 }] },
    { exit: 0, message: '400 records in ids.txt' },
  ],
];

it.each(['', '--strict'])(
  'exports each record only once from unstable results, and reports problems: export %s',
  async (strict) => {
    const outcome: Record<string, unknown> = {};
    for (const [row, quirks, { message }] of ROWS) {
      const setup = await setUpExport({ records: RECORDS, ...quirks });
      const { code, stderr } = await setup.run(`${LINE} ${strict}`);
      const [name = ''] = (await setup.names()).filter((each) => /^ids.*(txt|part)$/.test(each));
      const ids = splitLines(await setup.text(name));
      outcome[row] = {
        exit: code,
        message: stderr.includes(message) ? message : stderr,
        records: ids.length,
        duplicates: ids.length - new Set(ids).size,
      };
    }
    const expected = ROWS.map(([name, , { exit, records = RECORDS, message }]) => [
      name,
      { exit, message, records, duplicates: 0 },
    ]);
    expect(outcome).toEqual(Object.fromEntries(expected));
  },
);
