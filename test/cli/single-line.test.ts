/** `--single-line`: each row of CSV and TSV is one line, for programs that read lines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTable } from '../../src/records/files/read-table.js';
import { opac } from './run-in-process.js';

let folder: string;
const at = (name: string) => join(folder, name);
const run = (...words: string[]) => opac(words);

const BREAKS = ['\n', '\r', '\r\n', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const isOneLine = (text: string) => !/[\n\r\v\f\u0085\u2028\u2029]/.test(text);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-single-line-'));
  const records = BREAKS.map((text, n) => ({
    opacObjectId: String(n + 1),
    opacObjectFieldSets: [
      { identifier: 'text', opacObjectFields: [{ value: `${text}a${text}"é"` }, { value: `b|${text}` }] },
      { identifier: 'head\n', opacObjectFields: [{ value: 'x' }] },
    ],
  }));
  await writeFile(at('now.ndjson'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function readRows(text: string, format: 'csv' | 'tsv'): Promise<readonly string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable([text], { format })) rows.push(row);
  return rows;
}

describe.each(['csv', 'tsv'] as const)('--single-line -f %s', (format) => {
  it.each([[], ['--multi', 'json'], ['--multi', 'join=\n'], ['--multi', 'rows=text'], ['--plain-text']])(
    'changes only tabs and line breaks: %s %s',
    async (...more) => {
      const words = ['objects', 'export', '--from', at('now.ndjson'), '-f', format, ...more];
      const [before, after] = [await run(...words), await run(...words, '--single-line')];
      expect(after.code).toBe(0);
      const lines = after.stdout.split('\n').slice(0, -1);
      expect(lines.filter((line) => !isOneLine(line))).toEqual([]);
      const rows = await readRows(before.stdout, format);
      expect(lines).toHaveLength(rows.length);
      if (format === 'tsv')
        for (const line of lines) expect(line.split('\t')).toHaveLength(rows[0]?.length ?? 0);
      expect(await readRows(after.stdout, format)).toEqual(
        rows.map((row) => row.map((cell) => cell.replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' '))),
      );
    },
  );

  it('writes the same text in a list and an export', async () => {
    const words = ['--from', at('now.ndjson'), '-f', format, '--single-line', '--columns', 'id,text'];
    const [list, exported] = [
      await run('objects', 'list', '--all', ...words),
      await run('objects', 'export', ...words),
    ];
    expect([list.code, list.stdout]).toEqual([0, exported.stdout]);
  });
});

it('writes one line per row with --excel', async () => {
  const words = [
    'objects',
    'export',
    '--from',
    at('now.ndjson'),
    '--excel',
    '--single-line',
    '--columns',
    'text',
  ];
  const { stdout } = await run(...words);
  expect(stdout.split('\r\n').filter((line) => !isOneLine(line))).toEqual([]);
  expect(stdout.split('\r\n')).toHaveLength(BREAKS.length + 2);
});

it('works for CSV next to Parquet and XLSX, and diff ignores the replaced line breaks', async () => {
  const outputs = ['-o', at('a.csv'), '-o', at('a.parquet'), '-o', at('a.xlsx')];
  expect((await run('objects', 'export', '--from', at('now.ndjson'), '--single-line', ...outputs)).code).toBe(
    0,
  );
  expect(isOneLine((await readFile(at('a.csv'), 'utf8')).trimEnd().replaceAll('\n', ''))).toBe(true);
  for (const name of ['a.csv', 'a.parquet', 'a.xlsx']) expect((await run('verify', at(name))).code).toBe(0);
  const workbook = await run('diff', at('a.xlsx'), at('now.ndjson'), '--exit-code');
  expect([workbook.code, workbook.stderr]).toEqual([0, expect.stringContaining('no records differ')]);
  for (const files of [
    ['a.csv', 'now.ndjson'],
    ['now.ndjson', 'a.csv'],
  ]) {
    const { code, stderr } = await run('diff', ...files.map(at), '--exit-code');
    expect([code, stderr]).toEqual([0, expect.stringContaining('no records differ')]);
  }
});

it.each([
  ['export', '-f', 'ndjson'],
  ['export', '-f', 'xlsx'],
  ['export', '-f', 'parquet'],
  ['list', '-f', 'json'],
  ['list', '-f', 'ids'],
])('refuses other formats: %s %s %s', async (verb, ...format) => {
  const { code, stdout, stderr } = await run('objects', verb, '--mock', '--single-line', ...format);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--single-line works only with CSV and TSV; use it with -f csv or -f tsv');
});
