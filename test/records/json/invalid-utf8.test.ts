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

async function exported(ending: string, fault: Fault | undefined, ...words: string[]) {
  const museum = await startMuseum({ faults: fault ? [fault] : [] });
  onTestFinished(() => museum.close());
  const folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, `out.${ending}`);
  const result = await opac(['objects', 'export', '--base-url', museum.url, '-o', path, ...words]);
  const read = async (name: string) => (await readFile(name, 'utf8')).replaceAll(museum.url, 'http://museum');
  const text = await read(path).catch(() => '');
  const manifest = JSON.parse(await read(`${path}.manifest.json`).catch(() => '{}'));
  return { ...result, text, manifest };
}

describe('a response in another charset', () => {
  it('is read in the charset that its content type names', async () => {
    const right = await exported('csv', undefined);
    const { code, stderr, text } = await exported('csv', { kind: 'latin1', declared: true });
    expect(code).toBe(0);
    expect(stderr).not.toContain('UTF-8');
    expect(text === right.text).toBe(true);
  });

  it.each(['csv', 'tsv', 'json', 'ndjson', 'ids', 'xlsx', 'parquet'])(
    'that it does not name has its records counted and named, in %s too',
    async (ending) => {
      const { code, stderr, manifest } = await exported(ending, { kind: 'latin1' });
      expect(code).toBe(0);
      const { records, ids } = manifest.notUtf8;
      expect(records).toBeGreaterThan(5);
      expect(ids).toHaveLength(records);
      const said = `${records} records with bytes that are not UTF-8, written as U+FFFD: ${ids.slice(0, 5).join(', ')}, …`;
      expect(stderr).toContain(`warning: ${said}`);
      expect(manifest.warnings).toContain(said);
    },
  );

  it('names just the records whose text has replacements', async () => {
    const { text, manifest } = await exported('ndjson', { kind: 'latin1' });
    const replaced = text.split('\n').filter((line) => line.includes('\ufffd'));
    expect(replaced.map((line) => String(JSON.parse(line).opacObjectId))).toEqual(manifest.notUtf8.ids);
  });

  it('is exit 6 with --strict, which --resume could not mend', async () => {
    const { code, stderr } = await exported('csv', { kind: 'latin1' }, '--strict');
    expect(code).toBe(6);
    expect(stderr).toContain('without --strict');
  });
});

describe('records by id', () => {
  it.each([
    ['objects get 20055 20011 20132', '2 records', '20055, 20132'],
    ['objects get --by accession_no 1869.1.21 1E5', '1 record', '20055'],
    ['objects list --external-id 20055,20011,20132', '2 records', '20055, 20132'],
  ])('%s', async (line, count, ids) => {
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

it('takes no escape for a byte', () => {
  const page = Buffer.from(
    '{"opacObjects":[{"opacObjectId":"1","slug":"\\u00e9\\\\u00e9\\""},{"slug":"\xe9"}]}',
    'latin1',
  );
  expect(findInvalidUtf8Records(page, 'objects', 0)).toEqual([1]);
});

describe('records that are not UTF-8', () => {
  const latin1 = (...records: string[]) =>
    Buffer.from(`{"opacObjects":[${records}],"totalObjects":9}`, 'latin1');
  const bad = (id: number | string) => `{"opacObjectId":"${id}","slug":"\xe9"}`;
  const good = '{"opacObjectId":"0","slug":"e"}';

  it.each<[string, Buffer, readonly number[]]>([
    ['none', latin1(good, good), []],
    ['of ASCII', latin1('{"slug":"\\u00e9"}'), []],
    ['of UTF-8', Buffer.from(`{"opacObjects":[{"slug":"é"}]}`), []],
    ['some', latin1(good, bad(1), good, bad(2)), [1, 3]],
    ['beside what is no record', latin1('7', bad(1), '"\xe9"', bad(2)), [0, 1]],
    ['outside of records', latin1(good).subarray(0, -1), []],
    ['of no JSON', Buffer.from('\xe9', 'latin1'), []],
    ['of no list', Buffer.from('{"status":"\xe9"}', 'latin1'), []],
    ['behind escapes', latin1('{"a":"\\"\\\\","b":"\\\\u00e9","c":"\\n\xe9"}', '{"a":"\\\\u00E9\\/"}'), [0]],
  ])('are found: %s', (_, bytes, positions) => {
    expect(findInvalidUtf8Records(bytes, 'objects', 0)).toEqual(positions);
  });

  it('are counted once, by their ids or else by their places', () => {
    const counter = new InvalidUtf8Counter('objects');
    expect(counter.counts).toEqual({ records: 0, ids: [] });
    const see = (bytes: Buffer, offset: number) => {
      const list = readPage(bytes, 'objects', offset);
      if (!list) expect.unreachable();
      counter.addPage(bytes, offset, list);
    };
    see(latin1(good, bad(1)), 0);
    see(latin1(bad(2), bad(1)), 0);
    see(latin1(good, '{"slug":"\xe9"}'), 10);
    expect(counter.counts).toEqual({ records: 3, ids: ['1', '2', 'record 12'] });
  });

  it('go on from the run that is resumed, a thousand of them by name', () => {
    const ids = Array.from({ length: 999 }, (_, n) => `id${n}`);
    const counter = new InvalidUtf8Counter('objects', { records: 2000, ids });
    expect(counter.counts).toEqual({ records: 2000, ids });
    const bytes = latin1(bad('id5'), bad('x'), bad('y'));
    counter.addPage(bytes, 0, readPage(bytes, 'objects', 0) as never);
    expect(counter.counts).toEqual({ records: 2002, ids: [...ids, 'x'] });
  });

  it.each([
    [1, '1 record with bytes that are not UTF-8, written as U+FFFD: a'],
    [5, '5 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e'],
    [6, '6 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e, …'],
    [1234, '1,234 records with bytes that are not UTF-8, written as U+FFFD: a, b, c, d, e, …'],
  ])('that are %i are named so in a warning', (records, text) => {
    expect(formatInvalidUtf8({ records, ids: [...'abcdef'].slice(0, records) })).toBe(text);
  });
});
