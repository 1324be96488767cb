/** Lists other than searches: opac prints every item, or exits with 6. */
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../../e2e/run-against-museum.js';
import { opac } from '../../run-in-process.js';
import { serveTiny, type TinyService } from './tiny-service.js';

/** Command, keys of the list and the total, key of the id. */
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

async function runList(line: string, keys: readonly [string, string], service: TinyService, format = 'ids') {
  const { url, paths } = await serveTiny(service, keys);
  const ended = await opac([...line.split(' '), '-f', format, '--base-url', url, '--retries', '0']);
  return { ...ended, ids: splitLines(ended.stdout), paths };
}

const createItems = (idKey: string, count = COUNT) =>
  Array.from({ length: count }, (_, n) => ({ [idKey]: `item ${n}`, name: `Name ${n}` }));

describe.each(LISTS)('%s', (line, keys, idKey) => {
  const items = createItems(idKey);
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
  ])('prints all items if the service %s', async (_, service) => {
    const { code, ids: printed, stderr } = await runList(line, keys, { items, ...service });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed).toEqual(ids);
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
  ])('exits with 6 if the service %s, also with --quiet', async (_, service, message) => {
    const { code, stderr } = await runList(`${line} --quiet`, keys, { items, ...service });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('--all');
    expect(code).toBe(6);
  });
});

describe('--limit of a list', () => {
  const keys = ['imageLabels', 'totalImageLabels'] as const;
  const items = createItems('imageLabelId');
  const ids = items.map(({ imageLabelId }) => imageLabelId);

  it.each([
    [60, { cap: 50, total: COUNT }, '60 of 157 (use --all)\n'],
    [60, { cap: 50 }, ''],
    [20, { total: COUNT }, '20 of 157 (use --all)\n'],
    [200, { cap: 50, total: COUNT }, ''],
    [200, { cap: 50 }, ''],
  ])('returns up to %i items from as many pages as needed: %j', async (limit, service, note) => {
    const {
      code,
      ids: printed,
      stderr,
    } = await runList(`imagelabels list --limit ${limit}`, keys, { items, ...service });
    expect({ code, stderr }).toEqual({ code: 0, stderr: note });
    expect(printed).toEqual(ids.slice(0, limit));
  });

  it('causes exit code 6 if a cap and an ignored offset hide the other items', async () => {
    const { code, stderr } = await runList('imagelabels list --limit 60', keys, {
      items,
      cap: 50,
      total: COUNT,
      offset: 'ignored',
    });
    expect(code).toBe(6);
    expect(stderr).toContain('50 of 157 items were received');
    expect(stderr).not.toContain('--all');
  });

  it('causes a hint to remove --limit if the list has no --all', async () => {
    const { stderr } = await runList('collections list --limit 5', ['opacCollections', 'totalCollections'], {
      items,
      total: COUNT,
    });
    expect(stderr).toBe('5 of 157 (remove --limit)\n');
  });

  it('causes only one request if the first page has enough items', async () => {
    const { paths } = await runList('imagelabels list', keys, { items, total: COUNT });
    expect(paths).toEqual(['/opacrecords/imagelabels?limit=20']);
  });
});

describe('a list with repeated items', () => {
  const repeated = ['a', 'b', 'b', 'c', 'a', 'd'].map((term) => ({ term }));
  const keys = ['authorityTerms', 'totalAuthorityTerms'] as const;
  it.each([{ cap: 2, total: 6 }, { cap: 4, total: 6 }, {}])('keeps them: %j', async (service) => {
    const { code, ids } = await runList('authorities list persons birth_place --all', keys, {
      items: repeated,
      ...service,
    });
    expect({ code, ids }).toEqual({ code: 0, ids: ['a', 'b', 'b', 'c', 'a', 'd'] });
  });
});

describe('a name that opac looks up in a list', () => {
  const collections = createItems('opacCollectionId').map((item, n) => ({
    ...item,
    opacCollectionId: `${n}`,
    collectionName: `Coins ${n}x`,
  }));

  it('is found on all pages of the collections', async () => {
    const keys = ['opacCollections', 'totalCollections'] as const;
    const { url, paths } = await serveTiny({ items: collections, cap: 50 }, keys);
    const { stderr } = await opac(['objects', 'list', '--collection', 'Coins 150x', '--base-url', url]);
    expect(stderr).toContain('collection 150 (Coins 150x)');
    expect(paths.some((path) => path.includes(encodeURIComponent('collections:"150"')))).toBe(true);
  });

  it('causes exit code 6 if opac received only a part of the list', async () => {
    const keys = ['opacCollections', 'totalCollections'] as const;
    const { url } = await serveTiny({ items: collections, cap: 50, total: COUNT, offset: 'ignored' }, keys);
    const { code, stderr } = await opac(['objects', 'list', '--collection', 'Coins 150x', '--base-url', url]);
    expect(stderr).toContain('50 of 157 items were received');
    expect(code).toBe(6);
  });

  it('is found on all pages of the views and in the fields of all views', async () => {
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

describe('api --all with a path that opac does not know', () => {
  const items = createItems('id', 77);
  it.each<[string, Omit<TinyService, 'items'>, number]>([
    ['pages', { cap: 20, total: 77 }, 0],
    ['ignores offset', { cap: 20, total: 77, offset: 'ignored' }, 6],
    ['has too low a total', { cap: 20, total: 30 }, 0],
  ])('prints all items or exits with 6 if the service %s', async (_, service, exit) => {
    const { code, ids } = await runList('api /things --all --quiet', ['things', 'totalThings'], {
      items,
      ...service,
    });
    expect({ code, length: ids.length }).toEqual({ code: exit, length: exit === 0 ? 77 : 20 });
  });

  it.each([{ cap: 20, total: 77 }, { total: 77, offset: 'ignored', limit: 'ignored' } as const])(
    'refuses --param offset: %j',
    async (service) => {
      const line = 'api /things --param offset=70 --param limit=10 --all';
      const { code, ids } = await runList(line, ['things', 'totalThings'], { items, ...service });
      expect({ code, ids }).toEqual({ code: 2, ids: [] });
    },
  );
});

describe('an empty list', () => {
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

  it.each(HEADERS)('has only a header in csv and tsv, and no ids: %s', async (line, header) => {
    const { url } = await serveTiny({ items: [], total: 0 }, ['things', 'totalThings']);
    const argv = [...line.split(' '), '--base-url', url, '--quiet', '-f'];
    expect(await opac([...argv, 'csv'])).toEqual({ code: 0, stdout: `${header}\n`, stderr: '' });
    const { stdout } = await opac([...argv, 'tsv']);
    expect(stdout).toBe(`${header.replaceAll(',', '\t')}\n`);
    expect(await opac([...argv, 'ids'])).toMatchObject({ stdout: '' });
  });

  it('has only a header in objects fields', async () => {
    const { url } = await serveTiny({ items: [], total: 0 }, ['things', 'totalThings']);
    const { stdout } = await opac(['objects', 'fields', '-f', 'csv', '--base-url', url]);
    expect(stdout).toBe('column,label,filled,empty,percent,most,example,attributes,views,placeholders\n');
  });

  it('has the header of --columns', async () => {
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
