/** The lists that are not searches: every item, or exit 6. */
import { describe, expect, it } from 'vitest';
import { lines } from '../../../e2e/run-against-museum.js';
import { opac } from '../../run-in-process.js';
import { serveTiny, type TinyService } from './tiny-service.js';

/** Command, list key, id key. */
const LISTS = [
  ['collections list', ['opacCollections', 'totalCollections'], 'opacCollectionId'],
  ['highlights list', ['highlights', 'totalHighlights'], 'highlightId'],
  ['imagelabels list --all', ['imageLabels', 'totalImageLabels'], 'imageLabelId'],
  ['comments list --all', ['comments', 'totalComments'], 'commentId'],
  ['relationships list objects', ['relationships', 'totalRelationships'], 'relationshipId'],
  ['views list objects', ['views', 'totalViews'], 'viewName'],
  ['authorities list persons birth_place --all', ['authorityTerms', 'totalAuthorityTerms'], 'term'],
  ['api /opacobjects/comments --all', ['comments', 'totalComments'], 'commentId'],
  ['api /opacobjects/views --all', ['views', 'totalViews'], 'viewName'],
] as const;

const COUNT = 157;

async function listed(line: string, keys: readonly [string, string], service: TinyService, format = 'ids') {
  const { url, paths } = await serveTiny(service, keys);
  const ended = await opac([...line.split(' '), '-f', format, '--base-url', url, '--retries', '0']);
  return { ...ended, ids: lines(ended.stdout), paths };
}

const itemsOf = (idKey: string, count = COUNT) =>
  Array.from({ length: count }, (_, n) => ({ [idKey]: `item ${n}`, name: `Name ${n}` }));

describe.each(LISTS)('%s', (line, keys, idKey) => {
  const items = itemsOf(idKey);
  const ids = items.map((item) => item[idKey]);

  it.each<[string, Omit<TinyService, 'items'>]>([
    ['pages, total right', { cap: 50, total: COUNT }],
    ['pages, no total', { cap: 50 }],
    ['pages, total too low', { cap: 50, total: 60 }],
    ['pages, total of each page', { cap: 50, total: 'page' }],
    ['pages, ignores limit, no total', { cap: 50, limit: 'ignored' }],
    ['pages of one', { cap: 1 }],
    ['gives the last page again past the end', { cap: 50, total: COUNT, offset: 'clamped' }],
    ['does not page, total right', { total: COUNT, offset: 'ignored', limit: 'ignored' }],
    ['does not page, no total', { offset: 'ignored', limit: 'ignored' }],
    ['gives all, refuses offset, total right', { total: COUNT, offset: 'refused' }],
    ['gives all, then the same again, no total', { offset: 'clamped' }],
    [
      'has one empty page by mistake',
      { cap: 50, total: COUNT, instead: (_, n) => (n === 1 ? { [keys[0]]: [] } : undefined) },
    ],
  ])('is complete where the service %s', async (_, service) => {
    const { code, ids: got, stderr } = await listed(line, keys, { items, ...service });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(got).toEqual(ids);
  });

  it.each<[string, Omit<TinyService, 'items'>, RegExp]>([
    [
      'ignores offset, total right',
      { cap: 50, total: COUNT, offset: 'ignored' },
      /50 of 157 items were received/,
    ],
    ['ignores offset, no total', { cap: 50, offset: 'ignored' }, /50 items/],
    ['claims more than it gives', { cap: 50, total: 200 }, /157 of 200 items were received/],
    [
      'has an empty page in the middle',
      { cap: 50, total: COUNT, instead: (at) => (at === 50 ? { [keys[0]]: [] } : undefined) },
      /50 of 157 items were received/,
    ],
    [
      'refuses later pages',
      { cap: 50, total: COUNT, instead: (at) => (at >= 100 ? 400 : undefined) },
      /100 of 157 items were received/,
    ],
    [
      'refuses later pages, no total',
      { cap: 50, instead: (at) => (at >= 100 ? 404 : undefined) },
      /100 items/,
    ],
    ['repeats some items, no total', { cap: 50, offset: 'clamped' }, /157 items|200 items/],
  ])('exits with 6 where the service %s, also with --quiet', async (_, service, message) => {
    const { code, stderr } = await listed(`${line} --quiet`, keys, { items, ...service });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('--all');
    expect(code).toBe(6);
  });
});

describe('--limit of a list', () => {
  const keys = ['imageLabels', 'totalImageLabels'] as const;
  const items = itemsOf('imageLabelId');
  const ids = items.map(({ imageLabelId }) => imageLabelId);

  it.each([
    [60, { cap: 50, total: COUNT }, '60 of 157 (use --all)\n'],
    [60, { cap: 50 }, ''],
    [20, { total: COUNT }, '20 of 157 (use --all)\n'],
    [200, { cap: 50, total: COUNT }, ''],
    [200, { cap: 50 }, ''],
  ])('%i is reached by several pages: %j', async (limit, service, note) => {
    const {
      code,
      ids: got,
      stderr,
    } = await listed(`imagelabels list --limit ${limit}`, keys, { items, ...service });
    expect({ code, stderr }).toEqual({ code: 0, stderr: note });
    expect(got).toEqual(ids.slice(0, limit));
  });

  it('that a cap does not let pass is exit 6', async () => {
    const { code, stderr } = await listed('imagelabels list --limit 60', keys, {
      items,
      cap: 50,
      total: COUNT,
      offset: 'ignored',
    });
    expect(code).toBe(6);
    expect(stderr).toContain('50 of 157 items were received');
    expect(stderr).not.toContain('--all');
  });

  it('names an option that the list has', async () => {
    const { stderr } = await listed('collections list --limit 5', ['opacCollections', 'totalCollections'], {
      items,
      total: COUNT,
    });
    expect(stderr).toBe('5 of 157 (remove --limit)\n');
  });

  it('asks once where the first page has all that is wanted', async () => {
    const { paths } = await listed('imagelabels list', keys, { items, total: COUNT });
    expect(paths).toEqual(['/opacrecords/imagelabels?limit=20']);
  });
});

describe('items that a list holds twice', () => {
  const twice = ['a', 'b', 'b', 'c', 'a', 'd'].map((term) => ({ term }));
  const keys = ['authorityTerms', 'totalAuthorityTerms'] as const;
  it.each([{ cap: 2, total: 6 }, { cap: 4, total: 6 }, {}])('stay: %j', async (service) => {
    const { code, ids } = await listed('authorities list persons birth_place --all', keys, {
      items: twice,
      ...service,
    });
    expect({ code, ids }).toEqual({ code: 0, ids: ['a', 'b', 'b', 'c', 'a', 'd'] });
  });
});

describe('names of a list', () => {
  const collections = itemsOf('opacCollectionId').map((item, n) => ({
    ...item,
    opacCollectionId: `${n}`,
    collectionName: `Coins ${n}x`,
  }));

  it('are taken from all its pages', async () => {
    const keys = ['opacCollections', 'totalCollections'] as const;
    const { url, paths } = await serveTiny({ items: collections, cap: 50 }, keys);
    const { stderr } = await opac(['objects', 'list', '--collection', 'Coins 150x', '--base-url', url]);
    expect(stderr).toContain('collection 150 (Coins 150x)');
    expect(paths.some((path) => path.includes(encodeURIComponent('collections:"150"')))).toBe(true);
  });

  it('are not looked up in a part of the list', async () => {
    const keys = ['opacCollections', 'totalCollections'] as const;
    const { url } = await serveTiny({ items: collections, cap: 50, total: COUNT, offset: 'ignored' }, keys);
    const { code, stderr } = await opac(['objects', 'list', '--collection', 'Coins 150x', '--base-url', url]);
    expect(stderr).toContain('50 of 157 items were received');
    expect(code).toBe(6);
  });

  it('of views and of their fields are those of all views', async () => {
    const views = Array.from({ length: 30 }, (_, n) => ({
      viewName: `v${n}`,
      fields: [{ identifier: `field_${n}` }],
    }));
    const service: TinyService = {
      items: views,
      cap: 10,
      instead: (_, __, path) =>
        path.endsWith('views')
          ? undefined
          : path.endsWith('opacobjects')
            ? { opacObjects: [], totalObjects: 0 }
            : 404,
    };
    const { url } = await serveTiny(service, ['views', 'totalViews']);
    const view = await opac(['views', 'get', 'objects', 'v29x', '--base-url', url]);
    expect(view.stderr).toContain('did you mean "v29"');
    const known = await opac(['objects', 'list', '--where', 'field_29=x', '--base-url', url]);
    expect(known).toMatchObject({ code: 0, stderr: expect.stringContaining('no records match') });
  });
});

describe('api --all of a path that is not in the catalogue', () => {
  const items = itemsOf('id', 77);
  it.each<[string, Omit<TinyService, 'items'>, number]>([
    ['pages', { cap: 20, total: 77 }, 0],
    ['ignores offset', { cap: 20, total: 77, offset: 'ignored' }, 6],
    ['has too low a total', { cap: 20, total: 30 }, 0],
  ])('where the service %s', async (_, service, exit) => {
    const { code, ids } = await listed('api /things --all --quiet', ['things', 'totalThings'], {
      items,
      ...service,
    });
    expect({ code, length: ids.length }).toEqual({ code: exit, length: exit === 0 ? 77 : 20 });
  });

  it.each([{ cap: 20, total: 77 }, { total: 77, offset: 'ignored', limit: 'ignored' } as const])(
    'does not accept an offset: %j',
    async (service) => {
      const line = 'api /things --param offset=70 --param limit=10 --all';
      const { code, ids } = await listed(line, ['things', 'totalThings'], { items, ...service });
      expect({ code, ids }).toEqual({ code: 2, ids: [] });
    },
  );
});

describe('an empty list as a table', () => {
  const HEADERS = [
    ['collections list', 'opacCollectionId,collectionName,title,description,totalObjects'],
    ['highlights list', 'highlightId,title,name,description,totalObjects'],
    ['imagelabels list', 'imageLabelId,imageLabel,status,count,score'],
    [
      'comments list',
      'commentId,recordType,opacRecordId,name,author,date,createdDate,dateCreated,comment,text',
    ],
    [
      'relationships list objects',
      'relationshipId,relatedRecordType,totalRelatedRecords,label,name,recordType',
    ],
    ['views list objects', 'viewName,name,label,fields'],
    ['authorities list persons birth_place', 'term,authorityTerm,value,label,count'],
    ['colors list', 'formattedColorName,colorName,hex,colorGroup'],
    ['api /opaccollections', 'opacCollectionId,collectionName,title,description,totalObjects'],
  ] as const;

  it.each(HEADERS)('has a header: %s', async (line, header) => {
    const { url } = await serveTiny({ items: [], total: 0 }, ['things', 'totalThings']);
    const argv = [...line.split(' '), '--base-url', url, '--quiet', '-f'];
    expect(await opac([...argv, 'csv'])).toEqual({ code: 0, stdout: `${header}\n`, stderr: '' });
    const { stdout } = await opac([...argv, 'tsv']);
    expect(stdout).toBe(`${header.replaceAll(',', '\t')}\n`);
    expect(await opac([...argv, 'ids'])).toMatchObject({ stdout: '' });
  });

  it('has a header where there are no fields', async () => {
    const { url } = await serveTiny({ items: [], total: 0 }, ['things', 'totalThings']);
    const { stdout } = await opac(['objects', 'fields', '-f', 'csv', '--base-url', url]);
    expect(stdout).toBe('column,label,filled,empty,percent,most,example,attributes,views,placeholders\n');
  });

  it('has the columns asked for', async () => {
    const { url } = await serveTiny({ items: [], total: 0 }, ['things', 'totalThings']);
    const { stdout } = await opac([
      'collections',
      'list',
      '--columns',
      'id,title',
      '-f',
      'csv',
      '--base-url',
      url,
    ]);
    expect(stdout).toBe('id,title\n');
  });
});
