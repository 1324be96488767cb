/** A service whose results repeat, shift, grow and shrink while they are read, or have no end: no id twice, and nothing unsaid. */
import { expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { lines } from '../e2e/run-against-museum.js';
import { setUpExport } from './run-in-folder.js';

const RECORDS = 400;
const LINE = 'objects export --page-size 20 --concurrency 1 -o ids.txt -f ids';

interface Expected {
  readonly exit: number;
  /** Records in the file; all unless told. */
  readonly records?: number;
  /** What standard error says. */
  readonly says: string;
}

const ROWS: readonly (readonly [name: string, quirks: MuseumOptions, expected: Expected])[] = [
  ['a stable one', {}, { exit: 0, says: '400 records in ids.txt' }],
  [
    'repeats',
    { faults: [{ kind: 'repeats', records: 3 }] },
    { exit: 0, says: 'warning: 3 duplicate records dropped' },
  ],
  [
    'inserts',
    { faults: [{ kind: 'missing', records: 5, first: 6 }] },
    { exit: 0, says: 'the total changed during the run: 395, 400' },
  ],
  [
    'deletes',
    { faults: [{ kind: 'missing', records: 5, after: 6 }] },
    {
      exit: 0,
      records: 395,
      says: 'warning: the result changed during the export: 5 records fetched by id, 5 no longer listed',
    },
  ],
  [
    'shuffles',
    { faults: [{ kind: 'shuffles' }] },
    { exit: 0, says: 'records fetched by id, 0 no longer listed' },
  ],
  [
    'ends early',
    { faults: [{ kind: 'ends-early', at: 160 }] },
    {
      exit: 0,
      says: 'each search returns at most 160 records; reading 400 records in',
    },
  ],
  [
    'ignores offset',
    { faults: [{ kind: 'offset-ignored' }] },
    {
      exit: 6,
      records: 20,
      says: 'the export is incomplete: the service ignores the offset, so opac can only get the first page',
    },
  ],
  [
    'has a window',
    { faults: [{ kind: 'window', size: 200 }] },
    {
      exit: 0,
      says: 'each search returns at most 200 records; reading 400 records in',
    },
  ],
  [
    'underfills',
    { faults: [{ kind: 'underfills', records: 3 }] },
    { exit: 0, says: '400 records in ids.txt' },
  ],
  ['overfills', { faults: [{ kind: 'overfills', records: 3 }] }, { exit: 0, says: '400 records in ids.txt' }],
];

it.each(['', '--strict'])('is exported as far as can be, and named: %s', async (strict) => {
  const outcome: Record<string, unknown> = {};
  for (const [row, quirks, { says }] of ROWS) {
    const setup = await setUpExport({ records: RECORDS, ...quirks });
    const { code, stderr } = await setup.run(`${LINE} ${strict}`);
    const [name = ''] = (await setup.names()).filter((each) => /^ids.*(txt|part)$/.test(each));
    const ids = lines(await setup.text(name));
    outcome[row] = {
      exit: code,
      says: stderr.includes(says) ? says : stderr,
      records: ids.length,
      twice: ids.length - new Set(ids).size,
    };
  }
  const expected = ROWS.map(([name, , { exit, records = RECORDS, says }]) => [
    name,
    { exit, says, records, twice: 0 },
  ]);
  expect(outcome).toEqual(Object.fromEntries(expected));
});
