/** The records of one relationship: opac prints all of them, or exits with 6. */
import { expect, it } from 'vitest';
import { opac } from '../run-in-process.js';
import { serveTiny } from './items/tiny-service.js';

it.each([
  [2, 0, ''],
  [50, 6, 'opac: the service returned 2 of 50 related records'],
])(
  'compares the total %s with the 2 records that the service returned: exit code %s',
  async (total, code, message) => {
    const relatedRecords = [{ relatedRecordId: '1' }, { relatedRecordId: '2' }];
    const relationship = { relationshipId: 'made', relatedRecords, totalRelatedRecords: total };
    const { url } = await serveTiny({ items: [], instead: () => relationship }, ['relatedRecords', 'x']);
    const words = 'relationships get persons 7 made -f ids --base-url'.split(' ');
    const outcome = await opac([...words, url]);
    expect([outcome.code, outcome.stdout]).toEqual([code, '1\n2\n']);
    expect(outcome.stderr).toContain(message);
  },
);
