/** Whatever a deployment does to single requests, the finished file is that of an undisturbed run, byte for byte. */
import { expect, it } from 'vitest';
import type { Fault } from '../../src/mock/faults/fault.js';
import { digest, setUpExport, undisturbed } from './export-setup.js';
import { outcomesByName } from './run-against-museum.js';

const LINE = 'objects export --page-size 10';
/** A stalled body is given up soon; a machine under load may be as slow, so it is given up often. */
const IMPATIENT = '--timeout 1 --retries 20';

const FAULTS: readonly (readonly [name: string, ...faults: Fault[]])[] = [
  ['every 7th answer 503', { kind: 'status', status: 503, every: 7 }],
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
  ['connection cut before the answer', { kind: 'cut-before', every: 7 }],
  ['connection cut in the middle of a body', { kind: 'cut-body', every: 7 }],
  ['truncated JSON', { kind: 'truncated', every: 7 }],
  ['stalled body', { kind: 'stall', every: 7, count: 14 }],
  ['challenge 202', { kind: 'challenge', every: 7, count: 8 }],
  ['a burst of 403 from a firewall', { kind: 'forbidden', after: 5, count: 2 }],
  ['HTML 200', { kind: 'html', every: 7 }],
  ['slow start', { kind: 'slow-start', every: 3 }],
  ['the first answers 503', { kind: 'status', status: 503, first: 2 }],
];

/** What the person is told meanwhile, with time and path for the museum's IT. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'challenge 202': /a web firewall blocked GET \/opacobjects\?\S+ with 202 at \d{4}-\S+Z; retrying in 2 s\n/,
  'a burst of 403 from a firewall': /a web firewall .* with 403 at /,
};

it.each(['csv', 'ndjson'])('the finished %s is that of an undisturbed run', async (format) => {
  const name = `out.${format}`;
  const line = `${LINE} -o ${name}`;
  const whole = digest(await undisturbed(name, line));
  const outcome = await outcomesByName(FAULTS, async ([fault, ...faults]) => {
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
      said: SAYS[fault]?.test(stderr) ?? true,
    };
  });
  const expected = {
    content: whole,
    names: [name, `${name}.manifest.json`],
    complete: true,
    duplicates: 0,
    retried: true,
    said: true,
  };
  expect(outcome).toEqual(Object.fromEntries(FAULTS.map(([fault]) => [fault, expected])));
});
