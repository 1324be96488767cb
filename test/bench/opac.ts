// An export as the program does it, without its command line.
// Arguments: base URL, number of records, concurrency, format, file.
import { createClient } from '../../src/client/client.js';
import { exportRecords } from '../../src/export/export-records.js';
import type { ExportFormat } from '../../src/export/formats.js';
import { searchSource } from '../../src/export/source.js';

const [baseUrl = '', , concurrency, format, target = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, concurrency: Number(concurrency) });
const query = [['view', 'detail']] as const;
const { complete, reasons } = await exportRecords({
  shape: { kind: 'objects', format: format as ExportFormat },
  target,
  deployment: baseUrl,
  query,
  command: 'bench',
  source: searchSource({ client, kind: 'objects', query, concurrency: Number(concurrency) }),
});
await client.close();
if (!complete) throw new Error(reasons.join('; '));
