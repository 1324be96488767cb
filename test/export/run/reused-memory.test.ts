/** Pages of several chunks share memory with pages before them, which shows in no file. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { exportRecords } from '../../../src/export/export-records.js';
import { searchSource } from '../../../src/export/source/source.js';
import { RECORD_COLUMN_NAMES } from '../../../src/service/records/columns.js';
import { serve } from '../../client/server.js';
import { withFolder } from '../export-setup.js';

const PAGE = 25;
const PAGES = 24;
const TOTAL = PAGE * PAGES;
const LATE = TOTAL - 30;

/** Every byte of the text depends on the record. */
const textOf = (n: number) => `${n};`.repeat(2000);

function recordOf(n: number) {
  const field = (identifier: string) => ({ identifier, opacObjectFields: [{ value: textOf(n) }] });
  // A column that comes up late has the rows of pages printed again.
  const opacObjectFieldSets = n < LATE ? [field('text')] : [field('text'), field('late')];
  return { opacObjectId: String(n), opacObjectFieldSets };
}

async function servePages(isPacked: boolean) {
  const { url } = await serve((request, response) => {
    const offset = Number(new URL(request.url ?? '', 'http://museum').searchParams.get('offset'));
    const count = Math.max(0, Math.min(PAGE, TOTAL - offset));
    const opacObjects = Array.from({ length: count }, (_, n) => recordOf(offset + n));
    const body = Buffer.from(JSON.stringify({ opacObjects, totalObjects: TOTAL }));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    });
    response.end(isPacked ? gzipSync(body) : body);
  });
  return url;
}

function printed(format: 'ndjson' | 'json' | 'csv'): string {
  const records = Array.from({ length: TOTAL }, (_, n) => recordOf(n));
  const lines = records.map((record) => JSON.stringify(record));
  if (format === 'ndjson') return `${lines.join('\n')}\n`;
  if (format === 'json') return `[\n${lines.join(',\n')}\n]\n`;
  const rows = records.map((_, n) => `${n},,object,,,,0,,${textOf(n)},${n < LATE ? '' : textOf(n)}\n`);
  return `${[...RECORD_COLUMN_NAMES, 'text', 'late'].join(',')}\n${rows.join('')}`;
}

it.each([
  ['ndjson', false],
  ['json', false],
  ['csv', false],
  ['ndjson', true],
] as const)('exports %s, gzip: %s', (format, isPacked) =>
  withFolder(async (path, text) => {
    const client = createClient({ baseUrl: await servePages(isPacked) });
    const query = [['view', 'detail']] as const;
    const outcome = await exportRecords({
      target: path('out'),
      deployment: client.baseUrl,
      command: undefined,
      source: searchSource({ client, kind: 'objects', query, pageSize: PAGE, concurrency: 6 }),
      shape: { format, kind: 'objects' },
      query,
    });
    await client.close();
    expect(outcome).toMatchObject({ complete: true });
    // Millions of characters, which nobody wants to see where they differ.
    expect((await text('out')) === printed(format)).toBe(true);
  }),
);
