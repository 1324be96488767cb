/** Exports to a stream, through a temporary file. */
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createSearchSource } from '../../src/export/collect/source/search-source.js';
import { exportRecords } from '../../src/export/export-records.js';
import { type StreamOptions, streamRecords } from '../../src/export/stream-records.js';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { withFolder } from './export-setup.js';

type Change = Partial<Omit<StreamOptions, 'formatOptions'>> & {
  readonly formatOptions: Partial<StreamOptions['formatOptions']>;
};

const QUERY = [['view', 'detail']] as const;

async function setUp(options: MuseumOptions) {
  const museum = await startMuseum(options);
  const client = createClient({ baseUrl: museum.url, retries: 0 });
  onTestFinished(async () => {
    await client.close();
    await museum.close();
  });
  const source = () =>
    createSearchSource({ client, kind: 'objects', query: QUERY, pageSize: 20, concurrency: 1 });
  async function stream({ formatOptions, ...change }: Change) {
    const output = new PassThrough();
    const printed = buffer(output);
    const outcome = await streamRecords({
      query: QUERY,
      source: source(),
      output,
      ...change,
      formatOptions: { kind: 'objects', format: 'ndjson', ...formatOptions },
    });
    output.end();
    return { outcome, printed: (await printed).toString().replaceAll(museum.url, 'http://museum') };
  }
  return { museum, stream, source };
}

describe('a stream of records', () => {
  it.each([
    { format: 'ndjson' },
    { format: 'json' },
    { format: 'ndjson', flat: true },
    { format: 'tsv', columns: 'id,title' },
    { format: 'csv' },
    { format: 'csv', columns: 'all', excel: true },
  ] as const)('has what the file of an export has: %j', async (formatOptions) => {
    const { museum, stream, source } = await setUp({ records: 45 });
    const told: (readonly [number, number | undefined])[] = [];
    const { outcome, printed } = await stream({
      formatOptions,
      onProgress: ({ written, total }) => told.push([written, total]),
    });
    await withFolder(async (path, text) => {
      const into = { target: path('out'), deployment: 'd', command: 'opac', query: QUERY };
      const { manifest } = await exportRecords({
        ...into,
        formatOptions: { kind: 'objects', ...formatOptions },
        source: source(),
      });
      expect(printed).toBe((await text('out')).replaceAll(museum.url, 'http://museum'));
      const { formulas } = manifest;
      expect(outcome).toEqual({
        complete: true,
        reasons: [],
        warnings: [],
        repaired: [],
        isOnlyStrict: false,
        records: 45,
        formulas,
      });
    });
    expect(told).toEqual([
      [20, 45],
      [40, 45],
      [45, 45],
    ]);
  });

  it.each([
    [{ format: 'json' }, '[]\n'],
    [{ format: 'csv', columns: 'id' }, 'id\n'],
    [{ format: 'csv' }, 'id,title,recordType,slug,collection,label,image.count,image.url\n'],
  ] as const)('of nothing is whole too: %j', async (formatOptions, content) => {
    const { stream } = await setUp({ records: 0 });
    const { outcome, printed } = await stream({ formatOptions });
    expect([printed, outcome.records, outcome.complete]).toEqual([content, 0, true]);
  });

  it('says what is missing, and what was repeated and tried again', async () => {
    const { stream } = await setUp({
      records: 60,
      faults: [{ kind: 'status', status: 500, on: 'objects.search', after: 1, count: 1 }],
    });
    const { outcome } = await stream({ formatOptions: { format: 'ids' } });
    expect(outcome).toMatchObject({
      complete: false,
      records: 40,
      reasons: [expect.stringMatching(/^records 21 to 40 are missing: /)],
    });
  });

  it('with strict is incomplete where bytes were not UTF-8', async () => {
    const { stream } = await setUp({ records: 5, faults: [{ kind: 'latin1' }] });
    const said = expect.stringMatching(/^\d+ records? with bytes that are not UTF-8/);
    const formatOptions = { format: 'ndjson' } as const;
    expect((await stream({ formatOptions })).outcome).toMatchObject({ complete: true, warnings: [said] });
    expect((await stream({ formatOptions, strict: true })).outcome).toMatchObject({
      complete: false,
      reasons: [said],
    });
  });

  it('counts cells that begin like formulas', async () => {
    const { stream } = await setUp({ records: 20 });
    const { outcome } = await stream({ formatOptions: { format: 'csv', columns: 'id', excel: true } });
    expect(outcome.formulas).toBe(0);
  });

  it('throws what its output throws', async () => {
    const { stream } = await setUp({ records: 20 });
    const output = new Writable({ write: (_piece, _encoding, done) => done(new Error('closed')) });
    for (const format of ['ids', 'csv'] as const)
      await expect(stream({ formatOptions: { format }, output })).rejects.toThrow('closed');
  });

  it.runIf(process.platform !== 'win32')('needs a folder for a file of its own (needs TMPDIR)', () =>
    withFolder(async (path) => {
      const { stream } = await setUp({ records: 20 });
      vi.stubEnv('TMPDIR', path('none'));
      onTestFinished(() => void vi.unstubAllEnvs());
      await expect(stream({ formatOptions: { format: 'csv' } })).rejects.toMatchObject({
        kind: 'internal',
        message: `cannot write in "${path('none')}": the folder or file does not exist`,
        hint: 'write to a file with -o, or set TMPDIR to another folder',
      });
    }),
  );
});
