/** Formats, columns and where the data goes. What depends on the process: test/e2e/output.test.ts. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MuseumRecord, museumRecords } from '../e2e/museum-records.js';
import { newFolder, words } from '../e2e/opac.js';
import { lines, outcomesByName } from '../e2e/run-against-museum.js';
import { opac, runAgainstMuseum } from './run-in-folder.js';

let held: readonly MuseumRecord[];
beforeAll(async () => {
  held = (await museumRecords()).filter(({ kind }) => kind === 'objects');
});

const mock = (line: string, surroundings = {}) => opac(words(`${line} --mock`), surroundings);

/** Records as they are but for the addresses of their pictures, which name the museum they came from. */
const withoutAddresses = (json: string) => json.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

describe('formats', () => {
  it('for programs hold every record as the museum has it', async () => {
    const [json, ndjson] = await Promise.all([
      mock('objects list --all -f json'),
      mock('objects list --all -f ndjson'),
    ]);
    const records = JSON.parse(withoutAddresses(JSON.stringify(held.map(({ record }) => record))));
    expect(JSON.parse(withoutAddresses(json.stdout))).toEqual(records);
    expect(lines(withoutAddresses(ndjson.stdout)).map((line) => JSON.parse(line))).toEqual(records);
  });

  it('for spreadsheets hold the values of fields, one column each', async () => {
    const { stdout } = await mock('objects list --all -f csv --columns id,accession_no,credit_line');
    expect(lines(stdout).slice(1)).toEqual(
      held.map(({ id, values }) =>
        [id, values('accession_no').join('|'), values('credit_line').join('|')].map(quoted).join(','),
      ),
    );
  });

  it('for people are tables and cards, which strip control characters', async () => {
    const [table, card] = await Promise.all([
      mock('objects list --limit 3 -f table'),
      mock('objects get 20011 -f card'),
    ]);
    expect(table.stdout).toContain('Early wax model');
    expect(card.stdout).toContain('Early wax model');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    for (const { stdout } of [table, card]) expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });

  it('with --flat hold the normal form', async () => {
    const { stdout } = await mock('objects get 20011 -f json --flat');
    const [record] = JSON.parse(stdout);
    expect(record).toMatchObject({ id: '20011', recordType: 'object', title: 'Early wax model' });
  });
});

describe('--columns', () => {
  it('gives those named, in that order, from the line or a file', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'columns.txt'), 'title\nid\nproduction_date@earliest_date\n');
    const [line, file] = await Promise.all([
      mock('objects get 20011 --columns title,id,production_date@earliest_date'),
      mock('objects get 20011 --columns @columns.txt', { folder }),
    ]);
    expect(line.stdout).toBe(
      'title\tid\tproduction_date@earliest_date\nEarly wax model\t20011\t1861-01-01Z\n',
    );
    expect(file.stdout).toBe(line.stdout);
  });

  it('all adds the attributes', async () => {
    const [every, all] = await Promise.all([
      mock('objects get 20011 -f csv'),
      mock('objects get 20011 -f csv --columns all'),
    ]);
    const header = (text: string) => text.slice(0, text.indexOf('\n')).split(',');
    expect(header(all.stdout)).toEqual(expect.arrayContaining(header(every.stdout)));
    expect(header(all.stdout)).toContain('production_date@earliest_date');
    expect(header(every.stdout)).not.toContain('production_date@earliest_date');
  });
});

describe('--output', () => {
  it('takes the format from the ending, and compresses with .gz', async () => {
    const folder = await newFolder();
    const files = ['a.csv', 'a.json', 'a.ndjson', 'a.tsv', 'a.csv.gz', 'a.json.gz'] as const;
    const outcome = await outcomesByName(
      files.map((file) => [file] as const),
      async ([file]) => {
        const { code, stdout } = await mock(`objects list --limit 2 --columns id,title -o ${file}`, {
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

  it('- is standard output, and --format goes before the ending', async () => {
    const folder = await newFolder();
    const [dash] = await Promise.all([
      mock('objects list --limit 1 -f ids -o -'),
      mock('objects list --limit 1 -f ids -o a.csv', { folder }),
    ]);
    expect(dash.stdout).toBe('20011\n');
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe(dash.stdout);
  });

  it('says which file cannot be written and why, with exit 1 (needs /dev/full and /sys)', async () => {
    const folder = await newFolder();
    await Promise.all([mkdir(join(folder, 'folder')), writeFile(join(folder, 'file'), '')]);
    const rows = [
      ['missing/a.csv', 'opac: cannot write "missing/a.csv": the folder "missing" does not exist\n'],
      ['file/a.csv', 'opac: cannot write "file/a.csv": part of the path is not a folder\n'],
      ['folder', 'opac: cannot write "folder": it is a folder\n'],
      ['/dev/full', 'opac: cannot write "/dev/full": the disk is full\n'],
      ['/sys/a.csv', 'opac: cannot write "/sys/a.csv": permission denied\n'],
    ] as const;
    const outcome = await outcomesByName(rows, async ([file]) => {
      const { code, stderr } = await mock(`objects list --limit 2 -o ${file}`, { folder });
      return { code, stderr };
    });
    expect(outcome).toEqual(Object.fromEntries(rows.map(([file, stderr]) => [file, { code: 1, stderr }])));
  });

  it('leaves the old file alone when the deployment fails', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'a.csv'), 'old');
    const { code } = await runAgainstMuseum('objects list --all -o a.csv --retries 0', {
      folder,
      museum: { faults: [{ kind: 'status', status: 500, after: 1 }] },
    });
    expect(code).toBe(5);
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('does not replace a link, and does not write through it', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'a.csv'), 'old');
    await symlink('a.csv', join(folder, 'link'));
    const { code } = await mock('objects list --limit 1 -f ids -o link', { folder });
    expect({ code, isLink: (await lstat(join(folder, 'link'))).isSymbolicLink() }).toEqual({
      code: 2,
      isLink: true,
    });
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('old');
  });
});

describe('how many', () => {
  it('are listed is up to --limit, --offset and --all, and what is left is said', async () => {
    const ids = held.map(({ id }) => id);
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
    const outcome = await outcomesByName(rows, async ([option]) => {
      const { code, stdout, stderr } = await mock(`objects list -f ids ${option}`);
      return { code, found: lines(stdout), stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(rows.map(([option, found, stderr]) => [option, { code: 0, found, stderr }])),
    );
  });

  it('are asked for at once is up to --page-size', async () => {
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

describe('what the terminal decides', () => {
  it('is left out with --no-color and NO_COLOR, and forced with FORCE_COLOR', async () => {
    const colored = '\u001b[';
    const [forced, option, variable] = await Promise.all([
      mock('objects get 20011 -f card', { environment: { FORCE_COLOR: '1' } }),
      mock('objects get 20011 -f card --no-color', { environment: { FORCE_COLOR: '1' } }),
      mock('objects get 20011 -f card', { environment: { NO_COLOR: '1' } }),
    ]);
    expect(forced.stdout).toContain(colored);
    expect(option.stdout).not.toContain(colored);
    expect(variable.stdout).not.toContain(colored);
  });
});

/** A cell as CSV has it (RFC 4180 section 2). */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
