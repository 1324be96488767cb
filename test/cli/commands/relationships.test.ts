/** The records of one relationship: all of them, or exit 6. */
import { expect, it } from 'vitest';
import { opac } from '../run-in-process.js';
import { serveTiny } from './items/tiny-service.js';

it.each([
  [2, 0, ''],
  [50, 6, 'opac: the service returned 2 of 50 related records'],
])('of %s in all, 2 of which the service gives: exit %s', async (total, code, message) => {
  const relatedRecords = [{ relatedRecordId: '1' }, { relatedRecordId: '2' }];
  const relationship = { relationshipId: 'made', relatedRecords, totalRelatedRecords: total };
  const { url } = await serveTiny({ items: [], instead: () => relationship }, ['relatedRecords', 'x']);
  const words = 'relationships get persons 7 made -f ids --base-url'.split(' ');
  const ended = await opac([...words, url]);
  expect([ended.code, ended.stdout]).toEqual([code, '1\n2\n']);
  expect(ended.stderr).toContain(message);
});
