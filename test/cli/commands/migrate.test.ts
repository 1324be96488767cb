/** `opac migrate`: each row of the document's two tables, from arguments, standard input and files. */
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opac } from '../run-in-process.js';

const DOCUMENT = await readFile(new URL('../../fixtures/INTERFACE.md', import.meta.url), 'utf8');

/** The first cells of the table below a heading of the document. */
function rowsBelow(heading: string): string[] {
  const section = DOCUMENT.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  return [...section.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell).slice(1);
}

interface Row {
  /** As the document has it. */
  readonly row: string;
  readonly before: string;
  /** What is printed, with exit code 0. */
  readonly after?: string;
  /** What is offered, with exit code 2, where the old spelling does not say all that the new one needs. */
  readonly offered?: readonly string[];
}

const DEPRECATED: readonly Row[] = [
  {
    row: '/opaccollections/{opacCollectionId}/opacobjects',
    before: '/opaccollections/7/opacobjects',
    after: '/opacobjects?query=collections%3A%227%22',
  },
  {
    row: '/opaccollections/{opacCollectionId}/opacobjects/facets/{facetId}',
    before: 'https://museum.example/api/v2/opaccollections/7/opacobjects/facets/maker_name',
    after: 'https://museum.example/api/v3/opacobjects/facets/maker_name?query=collections%3A%227%22',
  },
  {
    row: '/highlights/{highlightId}/opacobjects',
    before: '/api/v2/highlights/3/opacobjects?limit=5',
    after: '/api/v3/opacobjects?query=highlight%3A%223%22&limit=5',
  },
  {
    row: '/highlights/{highlightId}/opacobjects/facets/{facetId}',
    before: '/highlights/3/opacobjects/facets/color',
    after: '/opacobjects/facets/color?query=highlight%3A%223%22',
  },
  {
    row: '/opaccollections/{opacCollectionId}/opacobjects/search/advanced',
    before: '/opaccollections/7/opacobjects/search/advanced?maker_name=Ann',
    after: '/opacobjects?query=collections%3A%227%22%20AND%20maker_name%3A%22Ann%22',
  },
  {
    row: '/opaccollections/{opacCollectionId}/opacobjects/facets/{facetId}/search/advanced',
    before: '/opaccollections/7/opacobjects/facets/color/search/advanced?maker_name=Ann',
    after: '/opacobjects/facets/color?query=collections%3A%227%22%20AND%20maker_name%3A%22Ann%22',
  },
  {
    row: 'Query parameter opacObjectIds on /opacobjects and /opacobjects/facets/{facetId}',
    before: '/opacobjects?opacObjectIds=1,2',
    after: '/opacobjects?query=external_object_id%3A%28%221%22%2C%20%222%22%29',
  },
];

const REMOVED: readonly Row[] = [
  { row: '/directory/opaccollections', before: '/directory/opaccollections', after: '/opaccollections' },
  {
    row: '/roles',
    before: '/roles',
    offered: ['/opacobjects/relationships', '/opacpersons/relationships', '/opacvenues/relationships'],
  },
  {
    row: '/opacpersons/{opacPersonId}/objectroles/{roleId}',
    before: '/opacpersons/5/objectroles/9',
    offered: ['/opacpersons/5/relationships/{relationshipId}'],
  },
  {
    row: '/opacobjects/{opacObjectId}/personroles/{roleId}',
    before: '/opacobjects/5/personroles/9',
    offered: ['/opacobjects/5/relationships/{relationshipId}'],
  },
];

const ROWS = [...DEPRECATED, ...REMOVED];

it('the rows are those of the document', () => {
  expect(DEPRECATED.map(({ row }) => row)).toEqual(rowsBelow('Deprecated methods and their replacements'));
  expect(REMOVED.map(({ row }) => row)).toEqual(rowsBelow('Removed methods'));
});

describe('opac migrate', () => {
  it.each(ROWS)('$row', async ({ before, after, offered = [] }) => {
    const { code, stdout, stderr } = await opac(['migrate', before]);
    expect(stdout).toBe(`${after ?? before}\n`);
    for (const one of offered) expect(stderr).toContain(one);
    expect(code).toBe(after === undefined ? 2 : 0);
  });

  it('takes all of them from standard input, and gives a line for each', async () => {
    const stdin = ROWS.map(({ before }) => `${before}\r\n`).join('');
    for (const words of [['migrate'], ['migrate', '-']]) {
      const { code, stdout, stderr } = await opac(words, { stdin });
      expect(stdout).toBe(ROWS.map(({ before, after }) => `${after ?? before}\n`).join(''));
      expect(stderr).toContain('cannot migrate 3 of 11');
      expect(code).toBe(2);
    }
  });

  it('leaves what is version 3 already', async () => {
    const current = 'https://museum.example/api/v3/opacobjects?limit=5';
    expect(await opac(['migrate', current])).toMatchObject({ code: 0, stdout: `${current}\n` });
  });

  it('tells programs what became of each', async () => {
    const { stdout } = await opac(['migrate', '/comments', '/roles', '-f', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { before: '/comments', text: '/opacobjects/comments', status: 'moved' },
      {
        before: '/roles',
        status: 'choose',
        alternatives: expect.arrayContaining(['/opacvenues/relationships']),
      },
    ]);
  });

  it('has nothing to do with an empty input', async () => {
    const { code, stdout, stderr } = await opac(['migrate'], { stdin: '\n' });
    expect([code, stdout, stderr]).toEqual([0, '', 'nothing to migrate\n']);
  });
});

describe('opac migrate --in', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const moved = ROWS.filter(({ after }) => after !== undefined);
  const LINES = Array.from({ length: 1000 }, (_, index) => {
    const { before = '', after = '' } = moved[index % moved.length] ?? {};
    const other = `  note ${index}: māra\u0304 \t`;
    return index % 3 === 0 ? [`get("${before}") # ${index}`, `get("${after}") # ${index}`] : [other, other];
  });
  const BEFORE = LINES.map(([before], index) => `${before}${index % 5 === 0 ? '\r\n' : '\n'}`).join('');
  const AFTER = LINES.map(([, after], index) => `${after}${index % 5 === 0 ? '\r\n' : '\n'}`).join('');

  it('prints a diff and changes nothing', async () => {
    const file = join(folder, 'a.py');
    await writeFile(file, 'x = 1\nget("/views/opacpersons")\n\ny = 2\n');
    const { code, stdout, stderr } = await opac(['migrate', '--in', file]);
    expect(stdout).toContain(
      '@@ -1,3 +1,3 @@\n x = 1\n-get("/views/opacpersons")\n+get("/opacpersons/views")\n \n',
    );
    expect(stderr).toBe('would change 1 address in 1 file; use --write to do it\n');
    expect(code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('x = 1\nget("/views/opacpersons")\n\ny = 2\n');
  });

  it('changes a file of 1,000 lines with --write, and touches nothing else in it', async () => {
    const file = join(folder, 'a.py');
    await writeFile(file, BEFORE);
    expect(await opac(['migrate', '--in', file, '--write'])).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(AFTER);
    const again = await opac(['migrate', '--in', file, '--write']);
    expect([again.code, again.stdout, again.stderr]).toEqual([0, '', 'nothing to migrate\n']);
  });

  it('keeps permissions and links with --write, and a file that something stands beside', async () => {
    const [file, link] = [join(folder, 'a.py'), join(folder, 'link.py')];
    await writeFile(file, BEFORE, { mode: 0o750 });
    await symlink('a.py', link);
    await writeFile(`${file}.new`, 'mine');
    expect(await opac(['migrate', '--in', link, '--write'])).toMatchObject({ code: 0 });
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([AFTER, 0o750]);
    expect((await readdir(folder)).sort()).toEqual(['a.py', 'a.py.new', 'link.py']);
  });

  it('says what cannot be migrated, where it stands and what to choose from', async () => {
    const file = join(folder, 'a.py');
    await writeFile(file, 'get("/views/opacpersons")\n  get("/api/v2/roles")\n');
    const { code, stderr } = await opac(['migrate', '--in', file, '--write']);
    expect(stderr).toContain(`cannot migrate: ${file}:2:8: /api/v2/roles (`);
    expect(stderr).toContain('use one of /api/v3/opacobjects/relationships');
    expect(code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('get("/opacpersons/views")\n  get("/api/v2/roles")\n');
  });

  it.each([
    ['is not there', undefined, 'file not found'],
    ['is no text', Buffer.from([0x2f, 0xff, 0xfe]), 'is not UTF-8 text'],
  ])('changes no file at all when one %s', async (_, bytes, message) => {
    const good = join(folder, 'good.py');
    const bad = join(folder, 'bad.py');
    await writeFile(good, 'get("/views/opacpersons")\n');
    if (bytes) await writeFile(bad, bytes);
    const { code, stderr } = await opac(['migrate', '--in', good, bad, '--write']);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(await readFile(good, 'utf8')).toBe('get("/views/opacpersons")\n');
  });

  it('shows the diff in colours on a terminal, without what could act on it', async () => {
    const file = join(folder, 'a.py');
    await writeFile(file, '\u001b]0;title\u0007  get("/views/opacpersons")\n');
    const environment = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
    const { stdout } = await opac(['migrate', '--in', file], { columns: 80, environment });
    expect(stdout).toContain('\u001b[31m-  get("/views/opacpersons")\u001b[39m\n');
    expect(stdout).not.toContain('title');
  });

  it.each([
    ['--write without files', ['migrate', '/roles', '--write']],
    ['addresses beside files', ['migrate', '/roles', '--in', 'a.py']],
  ])('refuses %s', async (_, words) => {
    expect((await opac(words)).code).toBe(2);
  });
});
