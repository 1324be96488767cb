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

/** Path parameters that exist in the museum. */
const KNOWN: Readonly<Record<string, string>> = {
  opacObjectId: '20011',
  opacPersonId: '5003',
  opacVenueId: '301',
  facetId: 'color',
  viewName: 'label',
  highlightId: '1',
};

describe('the museum', () => {
  const rows = CATALOGUE.filter(({ id }) => !id.startsWith('oauth.'));

  it.each(rows)('responds to $id in the shape that the catalogue states', async (row) => {
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
      imageLabelId: await findImageLabel(),
    };
    // The first object may have no known maker.
    if (row.id === 'objects.relationship') parameters.opacObjectId = await findObjectWithMaker();
    if (row.id.startsWith('objects.imagelabel')) parameters.opacObjectId = await findObjectWithImages();
    const { status, body } = await getJson(museum, fillPath(row, parameters));
    expect(status).toBe(200);
    if (row.response.shape === 'list') {
      expect(body[row.response.total]).toBeGreaterThan(0);
      expect((body[row.response.key] as unknown[]).length).toBeGreaterThan(0);
    }
  });

  it('returns 405 with the allowed methods', async () => {
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
  ])('returns 404 with JSON for %s', async (path) => {
    const response = await fetch(museum.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('message');
  });

  it('prefers a literal path to a path with a parameter', async () => {
    expect((await getJson(museum, '/opacvenues/views/advancedsearch')).body.viewName).toBe('advancedsearch');
    expect((await getJson(museum, '/opacobjects/comments')).body).toHaveProperty('comments');
    expect((await getJson(museum, '/opacrecords/imagelabels')).body).toHaveProperty('imageLabels');
  });

  async function findObjectWithMaker(): Promise<string> {
    const { body } = await getJson(museum, '/opacobjects?query=maker_name:*&limit=1');
    return (body.opacObjects as { opacObjectId: string }[])[0]?.opacObjectId ?? '';
  }
  async function findObjectWithImages(): Promise<string> {
    const { body } = await getJson(museum, '/opacobjects?hasImages=true&limit=1');
    return (body.opacObjects as { opacObjectId: string }[])[0]?.opacObjectId ?? '';
  }
  async function findImageLabel(): Promise<string> {
    const { body } = await getJson(museum, `/opacobjects/${await findObjectWithImages()}/imagelabels`);
    return String((body.imageLabels as { imageLabelId: number }[])[0]?.imageLabelId);
  }
});

describe('the built-in museum', () => {
  it.each([
    ['/opacobjects', 'totalObjects', 150],
    ['/opacpersons', 'totalPersons', 40],
    ['/opacvenues', 'totalVenues', 8],
    ['/opaccollections', 'totalCollections', 5],
    ['/highlights', 'totalHighlights', 4],
    ['/opacobjects/comments', 'totalComments', 20],
    ['/opacrecords/imagelabels', 'totalImageLabels', 40],
    ['/colors/css', 'totalCssColors', 148],
  ])('responds to %s with %s of at least %d', async (path, total, least) => {
    expect((await getJson(museum, path)).body[total]).toBeGreaterThanOrEqual(least);
  });

  it('returns the same records after each start', async () => {
    const again = await startMuseum();
    const read = async (from: Museum) =>
      JSON.stringify(await readAllPages(from, '/opacrecords?view=detail', 100)).replaceAll(from.url, '');
    expect(await read(again)).toBe(await read(museum));
    await again.close();
  });

  it('contains each relationship in both directions', async () => {
    const links = new Set<string>();
    for (const kind of RECORD_KINDS) {
      for (const record of await readAllPages(museum, `/${KIND_KEYS[kind].segment}?view=detail`, 100)) {
        const { relationships } = record.relationshipsCollection as { relationships: Relationship[] };
        for (const { relatedRecordType, relatedRecords } of relationships) {
          for (const { relatedRecordId } of relatedRecords) {
            links.add(
              `${KIND_KEYS[kind].recordType} ${record[KIND_KEYS[kind].idKey]} ${relatedRecordType} ${relatedRecordId}`,
            );
          }
        }
      }
    }
    expect(links.size).toBeGreaterThan(300);
    for (const link of links) {
      const [type, id, otherType, otherId] = link.split(' ');
      expect(links).toContain(`${otherType} ${otherId} ${type} ${id}`);
    }
  });
  interface Relationship {
    relatedRecordType: string;
    relatedRecords: { relatedRecordId: string }[];
  }

  it.each(KINDS)(
    'returns each of the %s once on all pages, with record types only in mixed lists',
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
