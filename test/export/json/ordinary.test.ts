/** Records as services send them are read from their bytes: the parser is for unusual spellings. */
import { expect, it } from 'vitest';
import { readPage } from '../../../src/export/json/page-records.js';
import { RecordScan } from '../../../src/export/json/record/record-scan.js';
import { withMuseum } from '../export-setup.js';

it('every record of the museum is scanned to its end', () =>
  withMuseum({}, async ({ run, text }) => {
    await run('out.ndjson', { pageSize: 200 });
    const scan = new RecordScan();
    const lines = (await text('out.ndjson')).trimEnd().split('\n');
    for (const line of lines) expect(scan.scan(Buffer.from(line), 0)).toBe(Buffer.byteLength(line));
  }));

it.each([
  ['9', 9],
  ['"9"', 9],
  ['"many"', undefined],
  ['null', undefined],
  ['1,"totalObjects":2', 2],
])('a total of %s is %s', (text, total) => {
  const bytes = Buffer.from(`{"opacObjects":[{"opacObjectId":1}],"totalObjects":${text}}`);
  expect(readPage(bytes, 'objects', 0)?.total).toBe(total);
});
