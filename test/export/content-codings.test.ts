/** An export writes the same bytes, however the responses are compressed and cut into chunks, with six requests at once. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createSearchSource } from '../../src/export/collect/source/search-source.js';
import type { ExportFormat } from '../../src/export/convert/formats.js';
import { exportRecords } from '../../src/export/export-records.js';
import { RECORD_COLUMN_NAMES } from '../../src/service/records/columns.js';
import { createGate, serve } from '../client/server.js';
import { withFolder } from './export-setup.js';

const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** RFC 9110 section 8.4.1, and `deflate` without the zlib frame, which some servers send. */
const CODINGS = {
  identity: ['identity', (bytes: Buffer) => bytes],
  gzip: ['gzip', (bytes: Buffer) => gzipSync(bytes)],
  'x-gzip': ['x-gzip', (bytes: Buffer) => gzipSync(bytes)],
  deflate: ['deflate', (bytes: Buffer) => deflateSync(bytes)],
  'deflate without a frame': ['deflate', (bytes: Buffer) => deflateRawSync(bytes)],
  br: ['br', brotli],
  'gzip in br': ['gzip, br', (bytes: Buffer) => brotli(gzipSync(bytes))],
} as const;

type Coding = keyof typeof CODINGS;

const ALL = Object.keys(CODINGS) as Coding[];

interface Service {
  readonly pageSize: number;
  readonly total: number;
  /** Number of random letters per record. Compression saves at most a quarter of them. */
  readonly letters: number;
  readonly send: (response: ServerResponse, body: Buffer) => void;
}

/** Bodies of more than 64 KB in every coding: undici reads each in several chunks. */
const LARGE: Service = {
  ...{ pageSize: 10, total: 155, letters: 9000 },
  send: (response, body) => response.end(body),
};

const SINGLE_BYTES: Service = {
  ...{ pageSize: 2, total: 47, letters: 40 },
  send(response, body) {
    response.cork();
    for (let at = 0; at < body.length; at++) response.write(body.subarray(at, at + 1));
    response.end();
    response.uncork();
  },
};

function createLetters(n: number, count: number): string {
  const hashes = Math.ceil(count / 88);
  const hashOf = (_: unknown, i: number) => createHash('sha512').update(`${n} ${i}`).digest('base64');
  return Array.from({ length: hashes }, hashOf).join('').slice(0, count);
}

function createRecord(n: number, { letters, total }: Service) {
  const field = (identifier: string) => ({
    identifier,
    opacObjectFields: [{ value: `ā${n} ${createLetters(n, letters)}` }],
  });
  // A column that first occurs on the last pages, so opac must write earlier rows again.
  const opacObjectFieldSets = n < total - 8 ? [field('text')] : [field('text'), field('late')];
  return { opacObjectId: String(n), opacObjectFieldSets };
}

const createRecords = (service: Service, from = 0, to = service.total) =>
  Array.from({ length: to - from }, (_, i) => createRecord(from + i, service));

const bodies = new Map<string, Buffer>();

function getBody(service: Service, offset: number, coding: Coding): Buffer {
  const key = [service.pageSize, offset, coding].join();
  const { total, pageSize } = service;
  const encode = () => {
    const opacObjects =
      offset < total ? createRecords(service, offset, Math.min(total, offset + pageSize)) : [];
    return CODINGS[coding][1](Buffer.from(JSON.stringify({ opacObjects, totalObjects: total })));
  };
  const body = bodies.get(key) ?? encode();
  bodies.set(key, body);
  return body;
}

/** Responds to the latest request first. From the eighth on, requests wait until `concurrency` requests are open. */
async function serveCoded(service: Service, codings: readonly Coding[], concurrency: number) {
  const isFull = createGate();
  const waiting: (() => void)[] = [];
  let requests = 0;
  let open = 0;
  const { url } = await serve(async (request, response) => {
    response.on('close', () => open--);
    if (++open === concurrency) isFull.resolve();
    if (++requests >= 8) await isFull.promise;
    const offset = Number(new URL(request.url ?? '', 'http://museum').searchParams.get('offset'));
    const coding = codings[(offset / service.pageSize) % codings.length] ?? 'identity';
    const headers = { 'content-type': 'application/json', 'content-encoding': CODINGS[coding][0] };
    const body = getBody(service, offset, coding);
    waiting.push(() => service.send(response.writeHead(200, headers), body));
    setImmediate(() => waiting.pop()?.());
  });
  return url;
}

interface ExportResult {
  readonly bytes: Buffer;
  readonly complete: boolean;
  readonly retries: readonly string[];
}

async function runExport(
  format: ExportFormat,
  service: Service,
  codings: readonly Coding[],
  concurrency = 6,
): Promise<ExportResult> {
  const retries: string[] = [];
  const client = createClient({
    baseUrl: await serveCoded(service, codings, concurrency),
    concurrency,
    onRetry: ({ message }) => retries.push(message),
  });
  const query = [['view', 'detail']] as const;
  let bytes = Buffer.alloc(0);
  let complete = false;
  await withFolder(async (path) => {
    const { pageSize } = service;
    const outcome = await exportRecords({
      target: path('out'),
      deployment: 'http://museum',
      command: undefined,
      source: createSearchSource({ client, kind: 'objects', query, pageSize, concurrency }),
      formatOptions: { format, kind: 'objects' },
      query,
    });
    complete = outcome.complete;
    bytes = await readFile(path('out'));
  });
  await client.close();
  return { bytes, complete, retries };
}

const uncompressed = new Map<string, Promise<Buffer>>();

/** Exports from uncompressed responses, with one request at a time. */
function exportUncompressed(format: ExportFormat, service: Service): Promise<Buffer> {
  const key = `${format} ${service.pageSize}`;
  const bytes =
    uncompressed.get(key) ?? runExport(format, service, ['identity'], 1).then(({ bytes }) => bytes);
  uncompressed.set(key, bytes);
  return bytes;
}

const FORMATS: readonly ExportFormat[] = ['ndjson', 'json', 'csv', 'tsv', 'ids', 'xlsx', 'parquet'];

it.each(ALL)('uses bodies of more than 64 KB with %s', (coding) => {
  expect(getBody(LARGE, 0, coding).length).toBeGreaterThan(64 * 1024);
});

const EACH_CODING = ALL.map((coding) => [coding, [coding]] as const);
const IN_TURN = [
  ['identity and gzip in turn', ['identity', 'gzip']],
  ['all codings in turn', ALL],
] as const;

describe.each<[string, Service, readonly (readonly [string, readonly Coding[]])[]]>([
  ['bodies in chunks of up to 64 KB', LARGE, [...EACH_CODING, ...IN_TURN]],
  ['bodies in chunks of one byte', SINGLE_BYTES, IN_TURN],
])('export from %s', (_, service, responses) => {
  describe.each(FORMATS)('%s', (format) => {
    it.each(responses)('has the same bytes with %s', async (_name, codings) => {
      const expected = await exportUncompressed(format, service);
      const { bytes, complete, retries } = await runExport(format, service, codings);
      // Not compared as texts, because a difference of megabytes is hard to read.
      const hasSameBytes = bytes.equals(expected);
      expect({ hasSameBytes, complete, retries }).toEqual({
        hasSameBytes: true,
        complete: true,
        retries: [],
      });
    });
  });

  it.each(['ndjson', 'json', 'csv', 'tsv', 'ids'] as const)(
    'contains the records of the service without compression, as %s',
    async (format) => {
      const bytes = await exportUncompressed(format, service);
      expect(bytes.toString() === formatRecords(format, service)).toBe(true);
    },
  );
});

function formatRecords(format: 'ndjson' | 'json' | 'csv' | 'tsv' | 'ids', service: Service): string {
  const records = createRecords(service);
  const lines = records.map((record) => JSON.stringify(record));
  if (format === 'ndjson') return `${lines.join('\n')}\n`;
  if (format === 'json') return `[\n${lines.join(',\n')}\n]\n`;
  if (format === 'ids') return records.map(({ opacObjectId }) => `${opacObjectId}\n`).join('');
  const separator = format === 'csv' ? ',' : '\t';
  const rows = records.map(({ opacObjectId, opacObjectFieldSets: [text, late] }) => {
    const values = [text, late].map((set) => set?.opacObjectFields[0]?.value ?? '');
    return [opacObjectId, '', 'object', '', '', '', '0', '', ...values];
  });
  const table = [[...RECORD_COLUMN_NAMES, 'text', 'late'], ...rows];
  return table.map((row) => `${row.join(separator)}\n`).join('');
}
