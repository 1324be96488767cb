/** `opac migrate`: each row of the document's two tables, from arguments and standard input. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { opac } from '../run-in-process.js';

const DOCUMENT = await readFile(new URL('../../../docs/service/INTERFACE.md', import.meta.url), 'utf8');

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
    after: '/opacobjects?query=external_object_id%3A(%221%22%2C%20%222%22)',
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
