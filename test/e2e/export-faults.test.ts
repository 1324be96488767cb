/** If single requests fail, an export still writes the same bytes as an uninterrupted run. */
import { expect, it } from 'vitest';
import type { Fault } from '../../src/mock/faults/fault.js';
import { digest, readUninterrupted, setUpExport } from './export-setup.js';
import { collectOutcomes } from './run-against-museum.js';

const LINE = 'objects export --page-size 10';
/** A short timeout for stalled responses. A busy machine may also cause timeouts, so there are many retries. */
const IMPATIENT = '--timeout 1 --retries 20';

const FAULTS: readonly (readonly [name: string, ...faults: Fault[]])[] = [
  ['every 7th response 503', { kind: 'status', status: 503, every: 7 }],
  [
    '429 with Retry-After in seconds',
    { kind: 'status', status: 429, retryAfter: 'seconds', every: 7, count: 8 },
    { kind: 'status', status: 429, retryAfter: 'seconds', retryAfterSeconds: 0, every: 5 },
  ],
  [
    '429 with Retry-After as a date',
    { kind: 'status', status: 429, retryAfter: 'date', every: 7, count: 8 },
    { kind: 'status', status: 429, retryAfter: 'date', retryAfterSeconds: -60, every: 5 },
  ],
  ['connection cut before the response', { kind: 'cut-before', every: 7 }],
  ['connection cut in the middle of a body', { kind: 'cut-body', every: 7 }],
  ['truncated JSON', { kind: 'truncated', every: 7 }],
  ['stalled body', { kind: 'stall', every: 7, count: 14 }],
  ['challenge 202', { kind: 'challenge', every: 7, count: 8 }],
  ['a burst of 403 from a firewall', { kind: 'forbidden', after: 5, count: 2 }],
  ['HTML 200', { kind: 'html', every: 7 }],
  ['slow start', { kind: 'slow-start', every: 3 }],
  ['the first responses 503', { kind: 'status', status: 503, first: 2 }],
];

/** The messages about a retry. They contain the time and the path for the IT department of the museum. */
const MESSAGES: Readonly<Record<string, RegExp>> = {
  'challenge 202': /a web firewall blocked GET \/opacobjects\?\S+ with 202 at \d{4}-\S+Z; retrying in 2 s\n/,
  'a burst of 403 from a firewall': /a web firewall .* with 403 at /,
};

it.each(['csv', 'ndjson'])(
  'writes the same %s as an uninterrupted run, whatever fault occurs',
  async (format) => {
    const name = `out.${format}`;
    const line = `${LINE} -o ${name}`;
    const content = digest(await readUninterrupted(name, line));
    const outcome = await collectOutcomes(FAULTS, async ([fault, ...faults]) => {
      const setup = await setUpExport({ faults });
      const { code, stderr } = await setup.run(fault === 'stalled body' ? `${line} ${IMPATIENT}` : line);
      if (code !== 0) return { code, stderr };
      const { complete, duplicates, pages } = await setup.manifest(name);
      const retries = pages.reduce((sum, [, , again]) => sum + again, 0);
      return {
        content: digest(await setup.text(name)),
        names: await setup.names(),
        complete,
        duplicates,
        retried: retries > 0 || fault === 'slow start',
        isReported: MESSAGES[fault]?.test(stderr) ?? true,
      };
    });
    const expected = {
      content,
      names: [name, `${name}.manifest.json`],
      complete: true,
      duplicates: 0,
      retried: true,
      isReported: true,
    };
    expect(outcome).toEqual(Object.fromEntries(FAULTS.map(([fault]) => [fault, expected])));
  },
);
