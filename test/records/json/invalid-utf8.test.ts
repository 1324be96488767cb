import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../../src/mock/faults/fault.js';
import { startMuseum } from '../../../src/mock/index.js';
import {
  findInvalidUtf8Records,
  formatInvalidUtf8,
  InvalidUtf8Counter,
} from '../../../src/records/json/invalid-utf8.js';
import { readPage } from '../../../src/records/json/page-records.js';
import { runAgainstMuseum } from '../../cli/run-against-museum.js';
import { opac } from '../../cli/run-in-process.js';

async function exportObjects(extension: string, fault: Fault | undefined, ...words: string[]) {
  const museum = await startMuseum({ faults: fault ? [fault] : [] });
  onTestFinished(() => museum.close());
  const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, `out.${extension}`);
  const result = await opac(['objects', 'export', '--base-url', museum.url, '-o', path, ...words]);
  const read = async (name: string) => (await readFile(name, 'utf8')).replaceAll(museum.url, 'http://museum');
  const text = await read(path).catch(() => '');
  const manifest = JSON.parse(await read(`${path}.manifest.json`).catch(() => '{}'));
  return { ...result, text, manifest };
}

describe('an export of responses that are not UTF-8', () => {
  it('decodes them with the charset of their Content-Type header', async () => {
    const expected = await exportObjects('csv', undefined);
    const { code, stderr, text } = await exportObjects('csv', { kind: 'latin1', declared: true });
    expect(code).toBe(0);
    expect(stderr).not.toContain('UTF-8');
    expect(text === expected.text).toBe(true);
  });

  it.each(['csv', 'tsv', 'json', 'ndjson', 'ids', 'xlsx', 'parquet'])(
    'lists the records with invalid bytes in a warning and in the manifest: %s',
    async (ending) => {
      const { code, stderr, manifest } = await exportObjects(ending, { kind: 'latin1' });
      expect(code).toBe(0);
      const { records, ids } = manifest.notUtf8;
      expect(records).toBeGreaterThan(5);
      expect(ids).toHaveLength(records);
      const warning = `${records} records with bytes that are not UTF-8, written as U+FFFD: ${ids.slice(0, 5).join(', ')}, …`;
      expect(stderr).toContain(`warning: ${warning}`);
      expect(manifest.warnings).toContain(warning);
    },
  );

  it('lists in the manifest exactly the records that contain U+FFFD in the file', async () => {
    const { text, manifest } = await exportObjects('ndjson', { kind: 'latin1' });
    const replaced = text.split('\n').filter((line) => line.includes('\ufffd'));
    expect(replaced.map((line) => String(JSON.parse(line).opacObjectId))).toEqual(manifest.notUtf8.ids);
  });

  it('returns exit code 6 with --strict, with a hint to omit --strict', async () => {
    const { code, stderr } = await exportObjects('csv', { kind: 'latin1' }, '--strict');
    expect(code).toBe(6);
    expect(stderr).toContain('without --strict');
  });
});

describe('a command that reads records by id', () => {
  it.each([
    ['objects get 20055 20011 20132', '2 records', '20055, 20132'],
    ['objects get --by accession_no 1869.1.21 1E5', '1 record', '20055'],
    ['objects list --external-id 20055,20011,20132', '2 records', '20055, 20132'],
  ])('prints a warning about invalid bytes: %s', async (line, count, ids) => {
    const { code, stdout, stderr } = await runAgainstMuseum(`${line} -f ndjson`, {
      museum: { faults: [{ kind: 'latin1' }] },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `warning: ${count} with bytes that are not UTF-8, written as U+FFFD: ${ids}\n`,
    });
    expect(stdout).toContain('\ufffd');
  });
});

it('does not report a JSON escape as an invalid byte', () => {
  const page = Buffer.from(
    '{"opacObjects":[{"opacObjectId":"1","slug":"\\u00e9\\\\u00e9\\""},{"slug":"\xe9"}]}',
    'latin1',
  );
  expect(findInvalidUtf8Records(page, 'objects', 0)).toEqual([1]);
});

describe('the check for invalid UTF-8', () => {
  const createPage = (...records: string[]) =>
    Buffer.from(`{"opacObjects":[${records}],"totalObjects":9}`, 'latin1');
  const createInvalid = (id: number | string) => `{"opacObjectId":"${id}","slug":"\xe9"}`;
  const valid = '{"opacObjectId":"0","slug":"e"}';

  it.each<[string, Buffer, readonly number[]]>([
    ['valid records', createPage(valid, valid), []],
    ['escapes in ASCII', createPage('{"slug":"\\u00e9"}'), []],
    ['characters in UTF-8', Buffer.from(`{"opacObjects":[{"slug":"é"}]}`), []],
    ['two of four records', createPage(valid, createInvalid(1), valid, createInvalid(2)), [1, 3]],
    ['items that are not objects', createPage('7', createInvalid(1), '"\xe9"', createInvalid(2)), [0, 1]],
    ['incomplete JSON', createPage(valid).subarray(0, -1), []],
    ['text that is not JSON', Buffer.from('\xe9', 'latin1'), []],
    ['an object without a list', Buffer.from('{"status":"\xe9"}', 'latin1'), []],
    [
      'bytes after escapes',
      createPage('{"a":"\\"\\\\","b":"\\\\u00e9","c":"\\n\xe9"}', '{"a":"\\\\u00E9\\/"}'),
      [0],
    ],
  ])('returns the positions of records with invalid bytes: %s', (_, bytes, positions) => {
    expect(findInvalidUtf8Records(bytes, 'objects', 0)).toEqual(positions);
  });

  it('counts each record once, by its id or otherwise by its position', () => {
    const counter = new InvalidUtf8Counter('objects');
    expect(counter.counts).toEqual({ records: 0, ids: [] });
    const readAndCount = (bytes: Buffer, offset: number) => {
      const list = readPage(bytes, 'objects', offset);
      if (!list) expect.unreachable();
      counter.addPage(bytes, offset, list);
    };
    readAndCount(createPage(valid, createInvalid(1)), 0);
    readAndCount(createPage(createInvalid(2), createInvalid(1)), 0);
    readAndCount(createPage(valid, '{"slug":"\xe9"}'), 10);
    expect(counter.counts).toEqual({ records: 3, ids: ['1', '2', 'record 12'] });
  });

  it('continues the counts of a resumed export, and lists at most 1,000 ids', () => {
    const ids = Array.from({ length: 999 }, (_, n) => `id${n}`);
    const counter = new InvalidUtf8Counter('objects', { records: 2000, ids });
    expect(counter.counts).toEqual({ records: 2000, ids });
    const bytes = createPage(createInvalid('id5'), createInvalid('x'), createInvalid('y'));
    counter.addPage(bytes, 0, readPage(bytes, 'objects', 0) as never);
    expect(counter.counts).toEqual({ records: 2002, ids: [...ids, 'x'] });
  });

  it.each([
    [1, '1 record with bytes that are not UTF-8, written as U+FFFD: a'],
    [5, '5 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e'],
    [6, '6 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e, …'],
    [1234, '1,234 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e, …'],
  ])('lists at most five ids in the warning (number of records: %i)', (records, text) => {
    expect(formatInvalidUtf8({ records, ids: [...'abcdef'].slice(0, records) })).toBe(text);
  });
});
