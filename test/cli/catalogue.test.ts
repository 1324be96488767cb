/** Runs a command for each endpoint of the catalogue. The museum must receive a request to this endpoint. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOUNS } from '../../src/cli/nouns.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { CATALOGUE, type EndpointId, getEndpoint } from '../../src/service/endpoints/catalogue.js';
import { KINDS, RECORD_KINDS } from '../../src/service/kinds.js';
import { opac } from './run-in-process.js';

const IDS = { objects: '20011', persons: '5003', venues: '301' } as const;
const RELATIONSHIPS = {
  objects: 'object_prod_pri_person',
  persons: 'person_prod_object',
  venues: 'venue_object',
} as const;
const FACETS = {
  objects: 'classification',
  persons: 'occupation',
  venues: 'place',
  records: 'recordType',
} as const;
const LOGIN = 'login --method headless --insecure-storage';

/** A command line for each endpoint, without `opac`. */
const COMMANDS: Readonly<Record<string, string>> = {
  'oauth.authorize': LOGIN,
  'oauth.token': LOGIN,
  'persons.authorities': 'authorities list persons birth_place',
  'venues.authorities': 'authorities list venues place',
  'collections.authorities': 'authorities list objects classification',
  'collections.list': 'collections list',
  'colors.list': 'colors list',
  'comments.list': 'comments list',
  'highlights.list': 'highlights list',
  'highlights.get': 'highlights get 1',
  'records.imagelabels': 'imagelabels list',
  'objects.imagelabels': 'imagelabels list --object 20022',
  'objects.imagelabel': 'imagelabels get 20022 LABEL',
  ...Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`${kind}.search`, `${kind} list`],
      [`${kind}.facet`, `facets get ${kind} ${FACETS[kind]}`],
    ]),
  ),
  ...Object.fromEntries(
    RECORD_KINDS.flatMap((kind) => [
      [`${kind}.get`, `${kind} get ${IDS[kind]}`],
      [`${kind}.relationships`, `relationships list ${kind}`],
      [`${kind}.relationship`, `relationships get ${kind} ${IDS[kind]} ${RELATIONSHIPS[kind]}`],
      [`${kind}.views`, `views list ${kind}`],
      [`${kind}.view`, `views get ${kind} detail`],
      [`${kind}.advancedsearch`, `views get ${kind} advancedsearch`],
    ]),
  ),
};

let museum: Museum;
let folder: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  museum = await startMuseum();
  folder = await mkdtemp(join(tmpdir(), 'opac-test-'));
  environment = {
    OPAC_BASE_URL: museum.url,
    OPAC_CONFIG_DIR: folder,
    OPAC_CLIENT_ID: museum.client.clientId,
    OPAC_CLIENT_SECRET: museum.client.clientSecret,
    OPAC_REDIRECT_URI: museum.client.redirectURI,
  };
});

afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns an expression that matches the paths of this endpoint, but of no other endpoint. */
function createPathPattern(id: EndpointId): RegExp {
  const template = getEndpoint(id).path;
  return new RegExp(`^/api/v3${template.replace(/\{\w+\}/g, '(?!advancedsearch$)[^/?]+')}$`);
}

describe('the endpoint catalogue', () => {
  it.each(CATALOGUE.map(({ id, method, path }) => [id, method, path] as const))(
    'has a command that sends a request to %s (%s %s)',
    async (id, method) => {
      const label = await fetchLabelId();
      const words = (COMMANDS[id] ?? '').replace('LABEL', label).split(' ');
      const before = museum.requests.length;
      const { code, stderr } = await opac(words, { environment });
      expect(stderr).not.toMatch(/^opac:/m);
      expect(code).toBe(0);
      const arrived = museum.requests.slice(before).map((request) => ({
        method: request.method,
        path: request.path.split('?')[0] ?? '',
      }));
      expect(arrived).toContainEqual({ method, path: expect.stringMatching(createPathPattern(id)) });
    },
  );

  it('contains exactly the endpoints that the commands declare', async () => {
    const loaded = await Promise.all(NOUNS.map(({ load }) => load()));
    const declared = new Set(
      loaded.flatMap(({ commands }) => commands).flatMap((each) => each.endpoints ?? []),
    );
    expect([...declared].toSorted()).toEqual(CATALOGUE.map(({ id }) => id).toSorted());
  });

  it('contains exactly the endpoints that have a command line in this test', () => {
    expect(Object.keys(COMMANDS).toSorted()).toEqual(CATALOGUE.map(({ id }) => id).toSorted());
  });
});

/** Returns the id of an image label of the object 20022. */
async function fetchLabelId(): Promise<string> {
  const response = await fetch(`${museum.url}/api/v3/opacobjects/20022/imagelabels`);
  const { imageLabels } = (await response.json()) as { imageLabels: { imageLabelId: string }[] };
  return String(imageLabels[0]?.imageLabelId);
}
