import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { CATALOGUE, fillPath } from '../../src/service/endpoints/catalogue.js';
import { KIND_KEYS, KINDS, RECORD_KINDS } from '../../src/service/kinds.js';
import { getJson, readAllPages } from './requests.js';

let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
});
afterAll(() => museum.close());

/** Values that fill the path parameters of every row with something the museum has. */
const KNOWN: Readonly<Record<string, string>> = {
  opacObjectId: '20011',
  opacPersonId: '5003',
  opacVenueId: '301',
  facetId: 'color',
  viewName: 'label',
  highlightId: '1',
};

describe('the catalogue', () => {
  const rows = CATALOGUE.filter(({ id }) => !id.startsWith('oauth.'));

  it.each(rows)('$id is answered as its row says', async (row) => {
    const related = row.id.split('.')[0] as 'objects' | 'persons' | 'venues';
    const parameters: Record<string, string> = {
      ...KNOWN,
      authorityFieldName:
        { persons: 'occupation', venues: 'place' }[row.id.split('.')[0] ?? ''] ?? 'classification',
      relationshipId: {
        objects: 'object_prod_pri_person',
        persons: 'person_prod_object',
        venues: 'venue_object',
      }[related],
      imageLabelId: await anImageLabel(),
    };
    // The first object may have no known maker.
    if (row.id === 'objects.relationship') parameters.opacObjectId = await objectWithMaker();
    if (row.id.startsWith('objects.imagelabel')) parameters.opacObjectId = await objectWithImages();
    const { status, body } = await getJson(museum, fillPath(row, parameters));
    expect(status).toBe(200);
    if (row.response.shape === 'list') {
      expect(body[row.response.total]).toBeGreaterThan(0);
      expect((body[row.response.key] as unknown[]).length).toBeGreaterThan(0);
    }
  });

  it('answers 405 with the methods there are', async () => {
    const response = await fetch(`${museum.url}/api/v3/opacobjects`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it.each([
    '/',
    '//',
    '/api/v3/opacobjects/%',
    '/api/v3',
    '/api/v2/opacobjects',
    '/api/v3/roles',
    '/api/v3/opacobjects/',
    '/api/v3/opacobjects/a/b',
  ])('answers 404 with JSON at %s', async (path) => {
    const response = await fetch(museum.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('message');
  });

  it('prefers the literal to the parameter', async () => {
    expect((await getJson(museum, '/opacvenues/views/advancedsearch')).body.viewName).toBe('advancedsearch');
    expect((await getJson(museum, '/opacobjects/comments')).body).toHaveProperty('comments');
    expect((await getJson(museum, '/opacrecords/imagelabels')).body).toHaveProperty('imageLabels');
  });

  async function objectWithMaker(): Promise<string> {
    const { body } = await getJson(museum, '/opacobjects?query=maker_name:*&limit=1');
    return (body.opacObjects as { opacObjectId: string }[])[0]?.opacObjectId ?? '';
  }
  async function objectWithImages(): Promise<string> {
    const { body } = await getJson(museum, '/opacobjects?hasImages=true&limit=1');
    return (body.opacObjects as { opacObjectId: string }[])[0]?.opacObjectId ?? '';
  }
  async function anImageLabel(): Promise<string> {
    const { body } = await getJson(museum, `/opacobjects/${await objectWithImages()}/imagelabels`);
    return String((body.imageLabels as { imageLabelId: number }[])[0]?.imageLabelId);
  }
});

describe('the built-in set', () => {
  it.each([
    ['/opacobjects', 'totalObjects', 150],
    ['/opacpersons', 'totalPersons', 40],
    ['/opacvenues', 'totalVenues', 8],
    ['/opaccollections', 'totalCollections', 5],
    ['/highlights', 'totalHighlights', 4],
    ['/opacobjects/comments', 'totalComments', 20],
    ['/opacrecords/imagelabels', 'totalImageLabels', 40],
    ['/colors/css', 'totalCssColors', 148],
  ])('%s has at least as many as wanted', async (path, total, least) => {
    expect((await getJson(museum, path)).body[total]).toBeGreaterThanOrEqual(least);
  });

  it('is the same at every start', async () => {
    const again = await startMuseum();
    const read = async (from: Museum) =>
      JSON.stringify(await readAllPages(from, '/opacrecords?view=detail', 100)).replaceAll(from.url, '');
    expect(await read(again)).toBe(await read(museum));
    await again.close();
  });

  it('has every relationship both ways', async () => {
    const ties = new Set<string>();
    for (const kind of RECORD_KINDS) {
      for (const record of await readAllPages(museum, `/${KIND_KEYS[kind].segment}?view=detail`, 100)) {
        const { relationships } = record.relationshipsCollection as { relationships: Relationship[] };
        for (const { relatedRecordType, relatedRecords } of relationships) {
          for (const { relatedRecordId } of relatedRecords) {
            ties.add(
              `${KIND_KEYS[kind].recordType} ${record[KIND_KEYS[kind].idKey]} ${relatedRecordType} ${relatedRecordId}`,
            );
          }
        }
      }
    }
    expect(ties.size).toBeGreaterThan(300);
    for (const tie of ties) {
      const [type, id, otherType, otherId] = tie.split(' ');
      expect(ties).toContain(`${otherType} ${otherId} ${type} ${id}`);
    }
  });
  interface Relationship {
    relatedRecordType: string;
    relatedRecords: { relatedRecordId: string }[];
  }

  it.each(KINDS)(
    'gives every one of %s once over its pages, with their types in a mixed list',
    async (kind) => {
      const { segment, totalKey } = KIND_KEYS[kind];
      const records = await readAllPages(museum, `/${segment}`, 20);
      const { body } = await getJson(museum, `/${segment}?limit=0`);
      expect(records).toHaveLength(body[totalKey] as number);
      expect(new Set(records.map((record) => JSON.stringify(record))).size).toBe(records.length);
      expect(records.length).toBeGreaterThan(5);
      expect(records.every((record) => 'recordType' in record)).toBe(kind === 'records');
    },
  );
});
