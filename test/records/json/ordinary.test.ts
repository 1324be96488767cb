/** The scanner reads ordinary records directly from their bytes. Only unusual JSON needs the parser. */
import { expect, it } from 'vitest';
import { parsePageRecord, readPage, scanPage } from '../../../src/records/json/page-records.js';
import { RecordScanner } from '../../../src/records/json/record/record-scan.js';
import { withMuseum } from '../../export/export-setup.js';

it('scans each record of the museum to its end', () =>
  withMuseum({}, async ({ run, text }) => {
    await run('out.ndjson', { pageSize: 200 });
    const scan = new RecordScanner();
    const lines = (await text('out.ndjson')).trimEnd().split('\n');
    for (const line of lines) expect(scan.scan(Buffer.from(line), 0)).toBe(Buffer.byteLength(line));
  }));

it.each([
  ['9', 9],
  ['"9"', 9],
  ['"many"', undefined],
  ['null', undefined],
  ['1,"totalObjects":2', 2],
])('reads the total %s as %s', (text, total) => {
  const bytes = Buffer.from(`{"opacObjects":[{"opacObjectId":1}],"totalObjects":${text}}`);
  expect(readPage(bytes, 'objects', 0)?.total).toBe(total);
});

it.each<[string, (string | undefined)[] | undefined, boolean]>([
  ['{"opacObjects":[{"id":1},7,null,[{}],{"slug":"a"}],"totalObjects":5}', ['1', undefined], true],
  ['{"opacObjects":[{"id":1},7,null,[{}],{"slug":"a"}]}', ['1', undefined], false],
  ['[{"id":1},7,{"id":2}]', ['1', '2'], false],
  [' {"totalObjects":999999999999999,"opacObjects":[]}\n', [], true],
  ['{"totalObjects":1000000000000000,"opacObjects":[]}', [], false],
  ['{"totalObjects":null,"opacObjects":[]}', [], false],
  ['{"totalObjects":1.5,"opacObjects":[]}', [], false],
  ['{"status":"ok"}', undefined, false],
  ['{"opacObjects":[],"totalObjects":0} x', undefined, false],
  ['{"opacObjects":[{],"totalObjects":0}', undefined, false],
  ['', undefined, false],
])('reads the page %s: ids %j, without the parser: %s', (text, ids, isScanned) => {
  const page = readPage(Buffer.from(text), 'objects', 0);
  expect(page?.records.map(({ id }) => id)).toEqual(ids);
  expect(scanPage(Buffer.from(text), 'objects') !== undefined).toBe(isScanned);
  const raw = page?.records.map(parsePageRecord);
  if (ids && ids.length > 0) expect(raw?.[0]).toEqual({ id: 1 });
});

it.each([
  ['', false],
  [' ', false],
  ['\n', true],
  ['\r', true],
])('reports line breaks for a list that contains only %j: %s', (space, lineBreaks) => {
  const page = readPage(Buffer.from(`{"opacObjects":[${space}],"totalObjects":0}`), 'objects', 0);
  expect(page?.hasLineBreaks).toBe(lineBreaks);
});

it.each([
  ['{"recordType":"person","id":1}', 'person:1'],
  ['{"recordType":"","opacPersonId":1}', 'persons:1'],
  ['{"opacVenueId":2,"opacPersonId":1}', 'persons:1'],
  ['{"opacVenueId":null,"id":1}', 'venues:1'],
  ['{"id":1}', ':1'],
  ['{"recordType":"object"}', undefined],
])('reads the key of %s in a list of all kinds as %s', (record, id) => {
  const scanned = scanPage(Buffer.from(`{"opacRecords":[${record}],"totalRecords":1}`), 'records');
  expect(scanPage(Buffer.from(`{"opacRecords":[${record}]}`), 'records')).toBeUndefined();
  const parsed = readPage(Buffer.from(`{"opacRecords":[${record}]}`), 'records', 0);
  expect([scanned, parsed].map((page) => page?.records.map((each) => each.id))).toEqual([[id], [id]]);
});
