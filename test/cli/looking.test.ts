/** What people see of fields, facets and the built-in museum: bases of shares, gaps, and URLs that stay. */
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../src/index.js';
import { museumRecords } from '../e2e/museum-records.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

describe('fields', () => {
  it('--all counts every record, says the cost first, and how to see the records behind a gap', async () => {
    const objects = (await museumRecords()).filter(({ kind }) => kind === 'objects');
    const filled = objects.filter(({ values }) => values('inscription').join('') !== '').length;
    const { stdout, stderr } = await runAgainstMuseum('objects fields --all --empty --sort empty -f json');
    const rows: { column: string; filled: number; empty: number }[] = JSON.parse(stdout);
    expect(rows.find(({ column }) => column === 'inscription')).toMatchObject({
      filled,
      empty: objects.length - filled,
    });
    const gaps = rows.map(({ empty }) => empty);
    expect(gaps).toEqual([...gaps].sort((one, other) => other - one));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(stderr).toMatch(
      new RegExp(`^reading ${objects.length} objects: about 2 requests\n.*--where prov_person=\n$`),
    );
  });

  it('gives the same census page by page as at once', async () => {
    const whole = await runAgainstMuseum('objects fields --all -f json');
    const sample = await runAgainstMuseum('objects fields --sample 1000 -f json');
    const names = (text: string) => JSON.parse(text).map((row: object) => ({ ...row, example: '' }));
    expect(names(whole.stdout)).toEqual(expect.arrayContaining(names(sample.stdout)));
  });
});

it('charts say of how many records they are, and shares are of records', async () => {
  const { stdout } = await runAgainstMuseum('facets get objects subject_category --top 1', { columns: 80 });
  const [, base = '', bar = ''] = stdout.split('\n');
  const [, records = '0', values = '0'] = /of (\d+) records; (\d+) values/.exec(base) ?? [];
  expect(Number(values)).toBeGreaterThan(Number(records));
  const [, number = '0', share = ''] = /(\d+) {2}([\d.]+)%/.exec(bar) ?? [];
  expect(share).toBe(((Number(number) / Number(records)) * 100).toFixed(1));
});

it('exports of --mock are the same bytes each time, and their pictures load', async () => {
  const line = ['objects', 'export', '--mock', '-f', 'ndjson'];
  const [one, other] = await Promise.all([opac(line), opac(line)]);
  expect(one.stdout).toBe(other.stdout);
  expect(one.stdout).toContain('"url":"http://127.0.0.1:8700/');
});

it('fields and attributes of a record serialise', () => {
  const record = readRecord({
    opacObjectFieldSets: [
      {
        identifier: 'date',
        opacObjectFields: [
          { value: '1861', opacObjectFieldAttributes: [{ key: 'earliest_date', value: '1861' }] },
        ],
      },
    ],
  });
  expect(JSON.parse(JSON.stringify(record.fields))).toEqual({
    date: [{ value: '1861', attributes: { earliest_date: '1861' } }],
  });
});
