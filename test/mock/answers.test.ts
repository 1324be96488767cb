import { createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { type Body, getJson, listOf } from './requests.js';

const open: Museum[] = [];
afterEach(() => Promise.all(open.splice(0).map((museum) => museum.close())));

async function museumWith(options: MuseumOptions): Promise<Museum> {
  const museum = await startMuseum(options);
  open.push(museum);
  return museum;
}

describe('the museum', () => {
  it('needs no credentials by default, but needs them with access: authorized', async () => {
    expect((await getJson(await museumWith({}), '/opacpersons')).status).toBe(200);
    const museum = await museumWith({ access: 'authorized' });
    expect(await getJson(museum, '/opacpersons')).toEqual({
      status: 401,
      body: { message: 'Aborting request as authorization headers are missing' },
    });
  });

  it.each([
    ['accepts its basic key', (museum: Museum) => `Basic ${museum.basicKey}`, 200],
    ['accepts a token that the museum issued', (museum: Museum) => `Bearer ${museum.issueToken()}`, 200],
    ['refuses another key', () => 'Basic nonsense', 401],
    ['refuses another token', () => 'Bearer nonsense', 401],
    ['refuses its basic key as a token', (museum: Museum) => `Bearer ${museum.basicKey}`, 401],
  ])('%s', async (_, authorization, status) => {
    const museum = await museumWith({ access: 'authorized' });
    expect((await getJson(museum, '/opacpersons', { authorization: authorization(museum) })).status).toBe(
      status,
    );
  });

  it('refuses a token after its last use, and after its lifetime', async () => {
    const museum = await museumWith({ access: 'authorized', oauth: { tokenUses: 2 } });
    const authorization = `Bearer ${museum.issueToken()}`;
    const statuses = [];
    for (let use = 0; use < 3; use++)
      statuses.push((await getJson(museum, '/colors/css', { authorization })).status);
    expect(statuses).toEqual([200, 200, 401]);
    const shortLived = await museumWith({ access: 'authorized', oauth: { tokenLifetime: 0 } });
    expect(
      (await getJson(shortLived, '/colors/css', { authorization: `Bearer ${shortLived.issueToken()}` }))
        .status,
    ).toBe(401);
  });
});

describe('the response', () => {
  it.each([
    ['/opacpersons/671988', 'Person with ID : 671988 does not exist'],
    ['/opacobjects/x%2Fy', 'Object with ID : x/y does not exist'],
    ['/opacobjects/20011/relationships/nonsense', 'Relationship with ID : nonsense does not exist'],
    ['/opacvenues/facets/nonsense', 'Facet with ID : nonsense does not exist'],
    ['/opacpersons/authorities/nonsense', 'Authority field with ID : nonsense does not exist'],
  ])('has status 404 and the message of the service for %s', async (path, message) => {
    expect(await getJson(await museumWith({}), path)).toEqual({ status: 404, body: { message } });
  });

  it('contains ids and image sizes as numbers with idType and sizeType', async () => {
    const museum = await museumWith({ idType: 'number', sizeType: 'number' });
    const { body } = await getJson(museum, '/opacobjects?view=detail&hasImages=true&limit=1');
    const [record] = listOf(body) as [Body];
    expect(record.opacObjectId).toBeTypeOf('number');
    expect((record.opacCollection as Body).opacCollectionId).toBeTypeOf('number');
    const [image] = listOf(record.imagesCollection as Body) as [Body];
    const [derivative] = image.imageDerivatives as [Body];
    expect([typeof image.imageId, typeof derivative.width]).toEqual(['number', 'number']);
    // Field values remain text, even if they look like numbers.
    expect(JSON.stringify(record.opacObjectFieldSets)).not.toMatch(/"value":\d/);
  });

  it('contains complete records in a list without a view if hasStubs is false', async () => {
    const { body } = await getJson(await museumWith({ hasStubs: false }), '/opacvenues?limit=1');
    expect(listOf(body)[0]).toHaveProperty('opacVenueFieldSets');
  });

  it('is compressed only if the museum and the client use gzip', async () => {
    const encodingOf = async (gzip: boolean, accepted: string) => {
      const museum = await museumWith({ gzip });
      const response = await fetch(`${museum.url}/api/v3/colors/css`, {
        headers: { 'accept-encoding': accepted },
      });
      expect(await response.json()).toHaveProperty('totalCssColors', 148);
      return response.headers.get('content-encoding');
    };
    expect(await encodingOf(true, 'gzip')).toBe('gzip');
    expect(await encodingOf(true, 'identity')).toBeNull();
    expect(await encodingOf(false, 'gzip')).toBeNull();
  });

  it('appears in the request log with the method, path, headers and status', async () => {
    const museum = await museumWith({});
    await getJson(museum, '/opacobjects?query=name%3A%22a+b%22&limit=0', { 'x-trace': '7' });
    expect(museum.requests).toMatchObject([
      {
        method: 'GET',
        path: '/api/v3/opacobjects?query=name:"a b"&limit=0',
        headers: { 'x-trace': '7' },
        status: 200,
      },
    ]);
    expect(museum.requests[0]?.query.get('query')).toBe('name:"a b"');
  });
});

describe('the server', () => {
  it('throws an error with the port if the port is in use', async () => {
    const { url } = await museumWith({});
    const port = Number(new URL(url).port);
    await expect(startMuseum({ port })).rejects.toThrow(`port ${port} is already in use`);
  });

  it('closes immediately, even with open connections and unfinished responses', async () => {
    const museum = await startMuseum({ latency: 60_000 });
    const idle = createConnection({ port: Number(new URL(museum.url).port), host: '127.0.0.1' });
    const waiting = expect(fetch(`${museum.url}/api/v3/colors/css`)).rejects.toThrow('fetch failed');
    const ended = new Promise((resolve) => idle.on('close', resolve));
    await new Promise((resolve) => idle.on('connect', resolve));
    await museum.close();
    await Promise.all([waiting, ended]);
  });
});
