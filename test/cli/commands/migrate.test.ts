/** `opac migrate`: each row of the document's two tables, from arguments and standard input. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { opac } from '../run-in-process.js';

const DOCUMENT = await readFile(new URL('../../../docs/service/INTERFACE.md', import.meta.url), 'utf8');

/** Returns the first cell of each row of the table below this heading in the document. */
function readFirstCells(heading: string): string[] {
  const section = DOCUMENT.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  return [...section.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell).slice(1);
}

interface Row {
  /** The text in the document. */
  readonly row: string;
  readonly before: string;
  /** The output, with exit code 0. */
  readonly after?: string;
  /** The suggestions, with exit code 2, if the old path does not contain all values that the new path needs. */
  readonly suggestions?: readonly string[];
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
    after: '/opacobjects?query=external_object_id%3A(%221%22%2C%20%222%22)',
  },
];

const REMOVED: readonly Row[] = [
  { row: '/directory/opaccollections', before: '/directory/opaccollections', after: '/opaccollections' },
  {
    row: '/roles',
    before: '/roles',
    suggestions: ['/opacobjects/relationships', '/opacpersons/relationships', '/opacvenues/relationships'],
  },
  {
    row: '/opacpersons/{opacPersonId}/objectroles/{roleId}',
    before: '/opacpersons/5/objectroles/9',
    suggestions: ['/opacpersons/5/relationships/{relationshipId}'],
  },
  {
    row: '/opacobjects/{opacObjectId}/personroles/{roleId}',
    before: '/opacobjects/5/personroles/9',
    suggestions: ['/opacobjects/5/relationships/{relationshipId}'],
  },
];

const ROWS = [...DEPRECATED, ...REMOVED];

it('tests exactly the rows of the document', () => {
  expect(DEPRECATED.map(({ row }) => row)).toEqual(
    readFirstCells('Deprecated methods and their replacements'),
  );
  expect(REMOVED.map(({ row }) => row)).toEqual(readFirstCells('Removed methods'));
});

describe('opac migrate', () => {
  it.each(ROWS)(
    'prints the new path, or suggests new paths: $row (row %#)',
    async ({ before, after, suggestions = [] }) => {
      const { code, stdout, stderr } = await opac(['migrate', before]);
      expect(stdout).toBe(`${after ?? before}\n`);
      for (const one of suggestions) expect(stderr).toContain(one);
      expect(code).toBe(after === undefined ? 2 : 0);
    },
  );

  it('reads all paths from standard input, and prints a line for each', async () => {
    const stdin = ROWS.map(({ before }) => `${before}\r\n`).join('');
    for (const words of [['migrate'], ['migrate', '-']]) {
      const { code, stdout, stderr } = await opac(words, { stdin });
      expect(stdout).toBe(ROWS.map(({ before, after }) => `${after ?? before}\n`).join(''));
      expect(stderr).toContain('cannot migrate 3 of 11');
      expect(code).toBe(2);
    }
  });

  it('does not change a URL of version 3', async () => {
    const current = 'https://museum.example/api/v3/opacobjects?limit=5';
    expect(await opac(['migrate', current])).toMatchObject({ code: 0, stdout: `${current}\n` });
  });

  it('prints the status of each path with -f json', async () => {
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

  it('prints "nothing to migrate" for empty input', async () => {
    const { code, stdout, stderr } = await opac(['migrate'], { stdin: '\n' });
    expect([code, stdout, stderr]).toEqual([0, '', 'nothing to migrate\n']);
  });
});
