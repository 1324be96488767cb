/** Reads the headers of tables that spreadsheet programs have saved. */
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isTableName, readColumnHeaders } from '../../../src/export/verify/table-header.js';
import { withFolder, withMuseum } from '../export-setup.js';

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('table header', () => {
  it.each<[string, string, string | Buffer, string[]]>([
    ['commas', 'f.csv', 'id,title\n1,a\n', ['id', 'title']],
    ['spaces around names', 'f.csv', ' id , title\r\n', ['id', 'title']],
    ['quotes and line breaks', 'f.csv', '"id","a ""b"",\nc",d\n1', ['id', 'a "b",\nc', 'd']],
    ['tabs', 'f.tsv', 'id\ttitle, of\n', ['id', 'title, of']],
    ['semicolons', 'f.csv', 'id;"a,b"\n', ['id', 'a,b']],
    ['tabs in a CSV file', 'f.csv', 'id\ttitle\n', ['id', 'title']],
    ['commas and semicolons, separated at commas', 'f.csv', 'id,a;b\n', ['id', 'a;b']],
    ['a "sep=" line', 'f.csv', '\ufeffsep=;\r\nid;a,b\r\n', ['id', 'a,b']],
    ['a "sep=" line with another separator', 'f.csv', 'sep=|\nid|a\n', ['id', 'a']],
    ['a UTF-8 BOM', 'f.csv', '\ufeffid,é\n', ['id', 'é']],
    ['UTF-16 little-endian', 'f.csv', utf16('id\té\n1', false), ['id', 'é']],
    ['UTF-16 big-endian', 'f.csv', utf16('id\té\n1', true), ['id', 'é']],
    ['one column', 'f.csv', 'id', ['id']],
    ['compression', 'f.csv.gz', gzipSync('id,title\n'), ['id', 'title']],
    ['formula escapes for Excel', 'f.csv', '="id",\'=x\n', ['id', '=x']],
    ['CR as line end', 'f.csv', 'id,a\rb\n', ['id', 'a']],
    ['a "sep=" line that names no separator', 'f.csv', 'sep=,x\nid\n', ['sep=', 'x']],
    ['a "sep=" line after it', 'f.csv', 'a;b,c\nsep=;\n', ['a;b', 'c']],
    ['separators in quotes', 'f.csv', '"a;b\tc,"\n', ['a;b\tc,']],
    ['semicolons and tabs in a CSV file, separated at semicolons', 'f.csv', 'a;b\tc\n', ['a', 'b\tc']],
    ['semicolons in a TSV file, separated at tabs', 'f.tsv', 'a;b\tc\n', ['a;b', 'c']],
    [
      'a character at the end of a chunk',
      'f.csv',
      `a${'é'.repeat(50_000)},b\n`,
      [`a${'é'.repeat(50_000)}`, 'b'],
    ],
    [
      'the maximum length of 1 MiB',
      'f.csv',
      `id,${'x'.repeat((1 << 20) - 4)}\n`,
      ['id', 'x'.repeat((1 << 20) - 4)],
    ],
  ])('is read with %s', (_, name, content, headers) =>
    withFolder(async (path) => {
      await writeFile(path(name), content);
      expect(await readColumnHeaders(path(name))).toEqual(
        headers.map((header) => ({ name: header, header })),
      );
    }),
  );

  it.each<readonly [string, string | Buffer | undefined, string, string | undefined]>([
    ['an empty file', '', '"PATH" is empty: it has no header', undefined],
    ['a column without a name', 'id,,title\n', 'column 2 of "PATH" has no header', undefined],
    ['a missing file', undefined, 'file not found: "PATH"', undefined],
    [
      'damaged UTF-8',
      Buffer.from('id,\xc3\xa9\xc3\xa9\xe9\n', 'latin1'),
      '"PATH" is not UTF-8: see line 1',
      'save it as CSV UTF-8',
    ],
    [
      'a header longer than 1 MiB',
      'x'.repeat((1 << 20) + 1),
      '"PATH" does not begin with a header',
      'save the table as CSV UTF-8',
    ],
  ])('causes an error for %s', (_, content, message, hint) =>
    withFolder(async (path) => {
      const file = path('f.csv');
      if (content !== undefined) await writeFile(file, content);
      const error = { kind: 'usage', message: message.replace('PATH', file), hint };
      await expect(readColumnHeaders(file)).rejects.toMatchObject(error);
    }),
  );

  it.each([
    ['id;K\xfcnstler\r\n', ['id', 'Künstler']],
    ['\xffid,a\n', ['ÿid', 'a']],
    ['id,\x80\n', ['id', '€']],
  ])('is read as Windows-1252, and opac reports the encoding: %j', (content, headers) =>
    withFolder(async (path) => {
      await writeFile(path('f.csv'), Buffer.from(content, 'latin1'));
      const notes: string[] = [];
      const found = await readColumnHeaders(path('f.csv'), undefined, (text) => notes.push(text));
      expect(found.map(({ header }) => header)).toEqual(headers);
      expect(notes).toEqual([`"${path('f.csv')}" is not UTF-8; it was read as Windows-1252`]);
    }),
  );

  it('has the column names and headers of XLSX and CSV exports', () =>
    withMuseum({ records: 5 }, async ({ run, path }) => {
      const columns = 'id=Nr,title';
      for (const [name, format] of [
        ['o.xlsx', 'xlsx'],
        ['o.csv', 'csv'],
      ] as const) {
        await run(name, { format, columns });
        expect(await readColumnHeaders(path(name))).toEqual([
          { name: 'id', header: 'Nr' },
          { name: 'title', header: 'title' },
        ]);
      }
      await writeFile(path('none.xlsx'), 'text');
      const message = `cannot read "${path('none.xlsx')}" as an XLSX file`;
      await expect(readColumnHeaders(path('none.xlsx'))).rejects.toMatchObject({ kind: 'usage', message });
    }));

  it.each([
    ['a.csv', true],
    ['a.TSV.gz', true],
    ['a.xlsx', true],
    ['a.ndjson', false],
    ['csv', false],
    ['a.txt', false],
  ])('is expected in %s: %s', (name, isTable) => {
    expect(isTableName(name)).toBe(isTable);
  });
});
