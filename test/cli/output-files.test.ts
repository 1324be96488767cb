/** Formats, columns, output files, limits and colours. Tests that need a process: test/e2e/output.test.ts. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { createFolder, splitCommandLine } from '../e2e/opac.js';
import { collectOutcomes, splitLines } from '../e2e/run-against-museum.js';
import { opac, runAgainstMuseum } from './run-in-folder.js';

let objects: readonly MuseumRecord[];
beforeAll(async () => {
  objects = (await readMuseumRecords()).filter(({ kind }) => kind === 'objects');
});

const runMock = (line: string, surroundings = {}) => opac(splitCommandLine(`${line} --mock`), surroundings);

/** Removes the address of the museum from the URLs of images, because it differs between museums. */
const removeAddresses = (json: string) => json.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

describe('--format', () => {
  it('writes all records of the museum unchanged as json and ndjson', async () => {
    const [json, ndjson] = await Promise.all([
      runMock('objects list --all -f json'),
      runMock('objects list --all -f ndjson'),
    ]);
    const records = JSON.parse(removeAddresses(JSON.stringify(objects.map(({ record }) => record))));
    expect(JSON.parse(removeAddresses(json.stdout))).toEqual(records);
    expect(splitLines(removeAddresses(ndjson.stdout)).map((line) => JSON.parse(line))).toEqual(records);
  });

  it('writes the values of each field to one column of csv', async () => {
    const { stdout } = await runMock('objects list --all -f csv --columns id,accession_no,credit_line');
    expect(splitLines(stdout).slice(1)).toEqual(
      objects.map(({ id, values }) =>
        [id, values('accession_no').join('|'), values('credit_line').join('|')].map(quoteCell).join(','),
      ),
    );
  });

  it('writes tables and cards without control characters', async () => {
    const [table, card] = await Promise.all([
      runMock('objects list --limit 3 -f table'),
      runMock('objects get 20011 -f card'),
    ]);
    expect(table.stdout).toContain('Early wax model');
    expect(card.stdout).toContain('Early wax model');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    for (const { stdout } of [table, card]) expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });

  it('writes records as flat json with --flat', async () => {
    const { stdout } = await runMock('objects get 20011 -f json --flat');
    const [record] = JSON.parse(stdout);
    expect(record).toMatchObject({ id: '20011', recordType: 'object', title: 'Early wax model' });
  });
});

describe('--columns', () => {
  it('selects columns in the given order, from the command line or a file', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'columns.txt'), 'title\nid\nproduction_date@earliest_date\n');
    const [line, file] = await Promise.all([
      runMock('objects get 20011 --columns title,id,production_date@earliest_date'),
      runMock('objects get 20011 --columns @columns.txt', { folder }),
    ]);
    expect(line.stdout).toBe(
      'title\tid\tproduction_date@earliest_date\nEarly wax model\t20011\t1861-01-01Z\n',
    );
    expect(file.stdout).toBe(line.stdout);
  });

  it('adds columns for attributes with the value all', async () => {
    const [every, all] = await Promise.all([
      runMock('objects get 20011 -f csv'),
      runMock('objects get 20011 -f csv --columns all'),
    ]);
    const header = (text: string) => text.slice(0, text.indexOf('\n')).split(',');
    expect(header(all.stdout)).toEqual(expect.arrayContaining(header(every.stdout)));
    expect(header(all.stdout)).toContain('production_date@earliest_date');
    expect(header(every.stdout)).not.toContain('production_date@earliest_date');
  });
});

describe('--output', () => {
  it('uses the format of the file extension, and compresses .gz files', async () => {
    const folder = await createFolder();
    const files = ['a.csv', 'a.json', 'a.ndjson', 'a.tsv', 'a.csv.gz', 'a.json.gz'] as const;
    const outcome = await collectOutcomes(
      files.map((file) => [file] as const),
      async ([file]) => {
        const { code, stdout } = await runMock(`objects list --limit 2 --columns id,title -o ${file}`, {
          folder,
        });
        const bytes = await readFile(join(folder, file));
        const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
        return { code, stdout, begins: text.slice(0, 9) };
      },
    );
    const begins = ['id,title\n', '[\n{"id":"', '{"id":"20', 'id\ttitle\n', 'id,title\n', '[\n{"id":"'];
    expect(outcome).toEqual(
      Object.fromEntries(files.map((file, index) => [file, { code: 0, stdout: '', begins: begins[index] }])),
    );
    expect((await readdir(folder)).sort()).toEqual([...files].sort());
  });

  it('writes to standard output for -, and prefers --format to the extension', async () => {
    const folder = await createFolder();
    const [dash] = await Promise.all([
      runMock('objects list --limit 1 -f ids -o -'),
      runMock('objects list --limit 1 -f ids -o a.csv', { folder }),
    ]);
    expect(dash.stdout).toBe('20011\n');
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe(dash.stdout);
  });

  it('prints why it cannot write a file, with exit code 1 (needs /dev/full and /sys)', async () => {
    const folder = await createFolder();
    await Promise.all([mkdir(join(folder, 'folder')), writeFile(join(folder, 'file'), '')]);
    const rows = [
      ['missing/a.csv', 'opac: cannot write "missing/a.csv": the folder "missing" does not exist\n'],
      ['file/a.csv', 'opac: cannot write "file/a.csv": part of the path is not a folder\n'],
      ['folder', 'opac: cannot write "folder": it is a folder\n'],
      ['/dev/full', 'opac: cannot write "/dev/full": the disk is full\n'],
      ['/sys/a.csv', 'opac: cannot write "/sys/a.csv": permission denied\n'],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([file]) => {
      const { code, stderr } = await runMock(`objects list --limit 2 -o ${file}`, { folder });
      return { code, stderr };
    });
    expect(outcome).toEqual(Object.fromEntries(rows.map(([file, stderr]) => [file, { code: 1, stderr }])));
  });

  it('keeps the old file if the deployment fails', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'a.csv'), 'old');
    const { code } = await runAgainstMuseum('objects list --all -o a.csv --retries 0', {
      folder,
      museum: { faults: [{ kind: 'status', status: 500, after: 1 }] },
    });
    expect(code).toBe(5);
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('neither replaces nor follows a symbolic link', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'a.csv'), 'old');
    await symlink('a.csv', join(folder, 'link'));
    const { code } = await runMock('objects list --limit 1 -f ids -o link', { folder });
    expect({ code, isLink: (await lstat(join(folder, 'link'))).isSymbolicLink() }).toEqual({
      code: 2,
      isLink: true,
    });
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('old');
  });
});

describe('objects list', () => {
  it('obeys --limit, --offset and --all, and prints how many of all records it listed', async () => {
    const ids = objects.map(({ id }) => id);
    const rows = [
      ['', ids.slice(0, 20), `20 of ${ids.length} (use --all or export)\n`],
      ['--limit 3', ids.slice(0, 3), `3 of ${ids.length} (use --all or export)\n`],
      ['--limit 3 --offset 150', ids.slice(150, 153), `3 of ${ids.length} (use --all or export)\n`],
      ['--all --offset 150', ids.slice(150), `${ids.length - 150} of ${ids.length} (use --all or export)\n`],
      ['--limit 1000', ids, ''],
      ['--all', ids, ''],
      ['--all --page-size 7', ids, ''],
      ['--limit 3 --quiet', ids.slice(0, 3), ''],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([option]) => {
      const { code, stdout, stderr } = await runMock(`objects list -f ids ${option}`);
      return { code, found: splitLines(stdout), stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([option, found, stderr]) => [option, { code: 0, found, stderr }])),
    );
  });

  it('requests pages of --page-size records', async () => {
    const { requests } = await runAgainstMuseum(
      'objects list --limit 50 --page-size 20 -f ids --concurrency 1',
    );
    expect(requests.map(({ query }) => [query.get('offset'), query.get('limit')])).toEqual([
      ['0', '20'],
      ['20', '20'],
      ['40', '10'],
    ]);
  });
});

describe('objects get', () => {
  it('prints colours with FORCE_COLOR, but not with --no-color', async () => {
    const colored = '\u001b[';
    const [forced, option] = await Promise.all([
      runMock('objects get 20011 -f card', { environment: { FORCE_COLOR: '1' } }),
      runMock('objects get 20011 -f card --no-color', { environment: { FORCE_COLOR: '1' } }),
    ]);
    expect(forced.stdout).toContain(colored);
    expect(option.stdout).not.toContain(colored);
  });
});

/** Quotes a cell for CSV if necessary (RFC 4180 section 2). */
function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
