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

describe('streamRecords', () => {
  it.each([
    { format: 'ndjson' },
    { format: 'json' },
    { format: 'ndjson', flat: true },
    { format: 'tsv', columns: 'id,title' },
    { format: 'csv' },
    { format: 'csv', columns: 'all', excel: true },
  ] as const)('writes the same text as an export to a file: %j', async (formatOptions) => {
    const { museum, stream, source } = await setUp({ records: 45 });
    const progress: (readonly [number, number | undefined])[] = [];
    const { outcome, printed } = await stream({
      formatOptions,
      onProgress: ({ written, total }) => progress.push([written, total]),
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
    expect(progress).toEqual([
      [20, 45],
      [40, 45],
      [45, 45],
    ]);
  });

  it.each([
    [{ format: 'json' }, '[]\n'],
    [{ format: 'csv', columns: 'id' }, 'id\n'],
    [{ format: 'csv' }, 'id,title,recordType,slug,collection,label,image.count,image.url\n'],
  ] as const)('writes complete output if there are no records: %j', async (formatOptions, content) => {
    const { stream } = await setUp({ records: 0 });
    const { outcome, printed } = await stream({ formatOptions });
    expect([printed, outcome.records, outcome.complete]).toEqual([content, 0, true]);
  });

  it('reports missing records', async () => {
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

  it('reports an incomplete export with strict if bytes are not UTF-8', async () => {
    const { stream } = await setUp({ records: 5, faults: [{ kind: 'latin1' }] });
    const message = expect.stringMatching(/^\d+ records? with bytes that are not UTF-8/);
    const formatOptions = { format: 'ndjson' } as const;
    expect((await stream({ formatOptions })).outcome).toMatchObject({ complete: true, warnings: [message] });
    expect((await stream({ formatOptions, strict: true })).outcome).toMatchObject({
      complete: false,
      reasons: [message],
    });
  });

  it('reports no formulas if no cell begins like one', async () => {
    const { stream } = await setUp({ records: 20 });
    const { outcome } = await stream({ formatOptions: { format: 'csv', columns: 'id', excel: true } });
    expect(outcome.formulas).toBe(0);
  });

  it('throws the error of its output', async () => {
    const { stream } = await setUp({ records: 20 });
    const output = new Writable({ write: (_piece, _encoding, done) => done(new Error('closed')) });
    for (const format of ['ids', 'csv'] as const)
      await expect(stream({ formatOptions: { format }, output })).rejects.toThrow('closed');
  });

  it.runIf(process.platform !== 'win32')('throws if the temporary folder does not exist (needs TMPDIR)', () =>
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
