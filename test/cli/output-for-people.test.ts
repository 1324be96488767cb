/** Output for people: fields, facets, charts, progress, messages and numbers; and the data of --mock. */
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../src/index.js';
import { readMuseumRecords } from '../e2e/museum-records.js';
import { splitLines } from '../e2e/run-against-museum.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

describe('fields', () => {
  it('counts all records with --all, and prints the number of requests and placeholders', async () => {
    const objects = (await readMuseumRecords()).filter(({ kind }) => kind === 'objects');
    const filled = objects.filter(({ values }) => values('inscription').join('') !== '').length;
    const { stdout, stderr } = await runAgainstMuseum('objects fields --all --empty -f json');
    const rows: { column: string; filled: number; empty: number }[] = JSON.parse(stdout);
    expect(rows.find(({ column }) => column === 'inscription')).toMatchObject({
      filled,
      empty: objects.length - filled,
    });
    const gaps = rows.map(({ empty }) => empty);
    expect(gaps).toEqual([...gaps].sort((one, other) => other - one));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    const undated = objects.filter(({ values }) =>
      values('production_date').includes('date not known'),
    ).length;
    expect(stderr).toBe(
      `reading ${objects.length} objects: about 2 requests\nproduction_date contains placeholders: date not known (${undated}); to count them as empty, add --placeholders\n`,
    );
    const counted = await runAgainstMuseum('objects fields --all --placeholders -f csv');
    expect(counted.stderr).toContain(`production_date contains placeholders: date not known (${undated})\n`);
  });

  it('prints the same counts with --all as with a sample of all records', async () => {
    const all = await runAgainstMuseum('objects fields --all -f json');
    const sample = await runAgainstMuseum('objects fields --sample 1000 -f json');
    const removeExamples = (text: string) => JSON.parse(text).map((row: object) => ({ ...row, example: '' }));
    expect(removeExamples(all.stdout)).toEqual(expect.arrayContaining(removeExamples(sample.stdout)));
  });
});

it('selects the most frequent values of a facet with --top, in each format', async () => {
  const lines = async (options: string) => {
    const { stdout } = await runAgainstMuseum(`facets get objects production_date ${options}`);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const readCounts = async (options: string): Promise<number[]> => {
    const [facet] = JSON.parse((await lines(`-f json ${options}`)).join('\n'));
    return facet.facetLabelValues.map(({ value }: { value: number }) => value);
  };
  const all = await readCounts('');
  const highest = all.toSorted((one, other) => other - one).slice(0, 2);
  expect(all.length).toBeGreaterThan(3);
  const counts = (await lines('--top 2 -f csv --columns count')).slice(1).map(Number);
  expect(counts.toSorted((one, other) => other - one)).toEqual(highest);
  expect(await readCounts('--top 2')).toHaveLength(2);
  // The header and two rows, as TSV in a pipe.
  expect(await lines('--top 2')).toHaveLength(3);
  const chart = await lines('--top 2 -f table');
  expect(chart.filter((line) => /^ *\d+-/.test(line)).length).toBe(2);
  expect(chart.at(-1)).toContain(`${all.length - 2} other value`);
});

it('prints the number of records above a chart, and shares of these records in it', async () => {
  const { stdout } = await runAgainstMuseum('facets get objects subject_category --top 1', { columns: 80 });
  const [, base = '', bar = ''] = stdout.split('\n');
  const [, values = '0', records = '0'] = /(\d+) values in (\d+) records/.exec(base) ?? [];
  expect(Number(values)).toBeGreaterThan(Number(records));
  const [, number = '0', share = ''] = /(\d+) {2}([\d.]+)%/.exec(bar) ?? [];
  expect(share).toBe(((Number(number) / Number(records)) * 100).toFixed(1));
});

it('exports the same bytes of --mock each time, with image URLs on port 8700', async () => {
  const line = ['objects', 'export', '--mock', '-f', 'ndjson'];
  const [one, other] = await Promise.all([opac(line), opac(line)]);
  expect(one.stdout).toBe(other.stdout);
  expect(one.stdout).toContain('"url":"http://127.0.0.1:8700/');
});

it('serializes the fields and attributes of a record', () => {
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

describe('list --all on a terminal', () => {
  const line = 'objects list --all --page-size 20 --columns id,title';

  it('prints progress on standard error, but not for NDJSON or in a pipe', async () => {
    const shown = await runAgainstMuseum(line, { columns: 80, environment: { NO_COLOR: '1' } });
    expect(shown.stderr).toMatch(/^\r[█░]{20} [\d.]+% · \d+ of 163 ·/);
    expect(splitLines(shown.stdout)).toHaveLength(165);
    const streamed = await runAgainstMuseum(`${line} -f ndjson`, { columns: 80 });
    const piped = await runAgainstMuseum(line);
    const brief = await runAgainstMuseum('objects list', { columns: 80 });
    expect([streamed.stderr, piped.stderr, brief.stderr]).toEqual([
      '',
      '',
      '20 of 163 (use --all or export)\n',
    ]);
  });
});

describe('messages', () => {
  const line = 'objects get 1869.1.21 --base-url';

  it('wrap at words on a terminal, but not in a pipe, in CI or as JSON', async () => {
    for (const columns of [40, 80, 120]) {
      const { stderr } = await runAgainstMuseum('objects list --where makr_name=x --sort name', { columns });
      for (const each of splitLines(stderr)) expect(each.length).toBeLessThanOrEqual(columns);
      expect(splitLines(stderr).join(' ')).toBe(
        'opac: unknown field "makr_name" of objects; did you mean "maker_name"?',
      );
    }
    const piped = await opac([...line.split(' '), 'http://127.0.0.1:1', '--retries', '0']);
    const inCi = await opac(['objects', 'get', 'x y z', '--mock'], {
      columns: 40,
      environment: { CI: 'true' },
    });
    const json = await opac(['objects', 'get', 'x', '--mock', '--error-format', 'json'], { columns: 40 });
    for (const { stderr } of [piped, inCi, json]) expect(splitLines(stderr)).toHaveLength(1);
  });

  it('group digits for people, but not in data for programs', async () => {
    const museum = { records: 1234 };
    const run = (words: string, columns?: number) =>
      runAgainstMuseum(`objects ${words}`, { museum, ...(columns && { columns }) });
    expect((await run('count', 80)).stdout).toBe('1,234\n');
    expect((await run('count')).stdout).toBe('1234\n');
    expect((await run('count -f json', 80)).stdout).toContain('"total":1234');
    expect((await run('list --limit 1 -f ids')).stderr).toBe('1 of 1,234 (use --all or export)\n');
    expect((await run('fields --sample 10')).stderr).toContain('of 1,234 objects');
    const missing = Array.from({ length: 1001 }, (_, n) => `x${n}`).join(',');
    expect((await run(`list -f ids --external-id ${missing}`)).stderr).toMatch(
      /^no records match\nwarning: 1,001 of 1,001 entries in the list were not/,
    );
    const tables = await opac(['collections', 'list', '--mock'], { columns: 80 });
    expect(tables.stdout).not.toMatch(/\d,\d{3}/);
  });
});

it('prints complete labels and numbers in 80 columns, and views with their field names', async () => {
  const shown = { columns: 80, environment: { NO_COLOR: '1' } };
  const fields = await opac(['objects', 'fields', '--mock'], shown);
  const labels = await fetchLabels();
  expect(labels.length).toBeGreaterThan(10);
  for (const label of labels) expect(fields.stdout).toMatch(new RegExp(`  ${label} +\\d+ \\([\\d.]+%\\)`));
  const views = await opac(['views', 'list', 'objects', '--mock'], shown);
  expect(views.stdout).toMatch(/^label +Label +accession_no; name; /m);
});

async function fetchLabels(): Promise<string[]> {
  const { stdout } = await opac(['views', 'get', 'objects', 'detail', '--mock', '-f', 'json']);
  return JSON.parse(stdout)[0].fields.map(({ label }: { label: string }) => label);
}
