import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.js';
import { createFakeClock } from './fake-clock.js';
import { sendHtml, sendJson, serve } from './server.js';

/** Starts a server with this listener. Returns a client of the server, and the requests that the server received. */
async function open(listener: RequestListener, options: Partial<ClientOptions> = {}) {
  const served = await serve(listener);
  const client: Client = createClient({
    baseUrl: `${served.url}/api/v3/`,
    clock: createFakeClock(),
    random: () => 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return { ...served, client };
}

describe('get', () => {
  it('requests an endpoint with an encoded path and query, and returns its JSON', async () => {
    const { client, paths } = await open((_, response) => sendJson(response, { opacObjectId: 7 }));
    expect(await client.get('objects.get', { path: { opacObjectId: 'a/ b' } })).toEqual({ opacObjectId: 7 });
    await client.get('persons.search', {
      query: [
        ['limit', '0'],
        ['query', '"blake"'],
      ],
    });
    expect(paths).toEqual(['/opacobjects/a%2F%20b', '/opacpersons?limit=0&query=%22blake%22']);
  });

  it('returns all digits of long ids', async () => {
    const { client } = await open((_, response) => response.end('{"opacObjectId":12345678901234567890}'));
    expect(await client.get('objects.get', { path: { opacObjectId: '1' } })).toEqual({
      opacObjectId: '12345678901234567890',
    });
  });

  it('returns the first valid response after busy, HTML, firewall, invalid and lost responses', async () => {
    const failures: RequestListener[] = [
      (_, response) => sendJson(response, {}, 503),
      (_, response) => response.writeHead(429, { 'retry-after': '5' }).end(),
      (_, response) => sendHtml(response),
      (_, response) => sendHtml(response, 202, { 'x-amzn-waf-action': 'challenge' }),
      (_, response) => sendHtml(response, 403),
      (_, response) => response.end('{"opacObjects":[{"a":1}'),
      (_, response) => response.end(),
      (request) => request.socket.destroy(),
      (_, response) =>
        response.writeHead(200, { 'content-length': '50' }).write('{', () => response.destroy()),
    ];
    const { client, requests } = await open(
      (request, response) =>
        (failures.shift() ?? ((_, last) => sendJson(last, { whole: true })))(request, response),
      { retries: failures.length },
    );
    expect(await client.get('objects.search')).toEqual({ whole: true });
    expect(requests).toHaveLength(10);
  });
});

describe('the error of a request', () => {
  const text =
    (body: string, status: number): RequestListener =>
    (_, response) =>
      response.writeHead(status).end(body);
  const message = (words: string, status: number) => text(JSON.stringify({ message: words }), status);

  it.each<[string, RequestListener, string, string]>([
    ['400', message('bad query', 400), 'usage', 'rejected the request (400): "bad query"'],
    [
      '400 with a web page',
      (_, response) => sendHtml(response, 400),
      'deployment',
      'unexpected response (400)',
    ],
    ['401', message('headers are missing', 401), 'auth', 'valid credentials (401): "headers are missing"'],
    ['403', message('no', 403), 'auth', 'denied access (403): "no"'],
    ['403 with a web page', (_, response) => sendHtml(response, 403), 'deployment', 'a web firewall'],
    [
      '404',
      message('Person with ID : 671988 does not exist', 404),
      'not-found',
      '"Person with ID : 671988 does not exist"',
    ],
    [
      '404 with a web page',
      (_, response) => sendHtml(response, 404),
      'deployment',
      'the API was not found at this URL',
    ],
    ['410', text('', 410), 'deployment', 'unexpected response (410)'],
    ['429', text('', 429), 'deployment', 'the service is busy (429)'],
    ['500', message('oops', 500), 'deployment', 'the service failed (500): "oops"'],
    ['503', text('', 503), 'deployment', 'the service is busy (503)'],
    [
      'a challenge',
      (_, response) => sendHtml(response, 202, { 'x-amzn-waf-action': 'challenge' }),
      'deployment',
      'a web firewall',
    ],
    ['a web page', (_, response) => sendHtml(response), 'deployment', 'a web page instead of records'],
    [
      'a web page that calls itself JSON',
      text(' <html>', 200),
      'deployment',
      'a web page instead of records',
    ],
    ['nothing', text('', 200), 'deployment', 'an empty response (200)'],
    ['204', (_, response) => response.writeHead(204).end(), 'deployment', 'an empty response (204)'],
    ['JSON cut short', text('{"opacObjects":[', 200), 'deployment', 'is incomplete or damaged: 16 bytes'],
    ['plain text', text('OK', 200), 'deployment', 'the response is not JSON'],
    ['a bare value', text('"OK"', 200), 'deployment', 'a single JSON value instead of records'],
    ['a redirect to nowhere', text('', 302), 'deployment', 'unexpected response (302)'],
  ])('has the right kind, path and message for %s', async (_, listener, kind, expected) => {
    const { client } = await open(listener, { retries: 1 });
    const path = { opacPersonId: '671988' };
    await expect(client.get('persons.get', { path })).rejects.toMatchObject({
      name: 'HttpError',
      kind,
      method: 'GET',
      path: '/opacpersons/671988',
      message: expect.stringContaining(expected),
    });
    await expect(client.fetch('persons.get', { path })).rejects.toMatchObject({ kind });
  });

  it('has a hint to check the base URL if a search returns 404', async () => {
    const { client } = await open(message('no route', 404));
    await expect(client.get('objects.search')).rejects.toMatchObject({
      kind: 'deployment',
      message: 'the API was not found at this URL (404): "no route" (GET /opacobjects)',
      hint: expect.stringMatching(/^check that http.* is the right base URL$/),
    });
  });

  it('contains the status, the cleaned message of the service, and the number of retries', async () => {
    const { client } = await open(message(' No\u0007\u001b[31m such\n\n thing ', 500), { retries: 3 });
    await expect(client.get('objects.search', { query: [['query', 'x']] })).rejects.toMatchObject({
      status: 500,
      serviceMessage: 'No [31m such thing',
      retries: 3,
      path: '/opacobjects?query=x',
      message: 'the service failed (500): "No [31m such thing" (GET /opacobjects?query=x)',
    });
  });

  it('shortens long texts in its message, but contains the complete path', async () => {
    const { client } = await open(message('very '.repeat(1_000), 400));
    const error = await client
      .get('objects.search', { query: [['query', 'x'.repeat(5_000)]] })
      .catch((reason) => reason);
    expect(error.message.length).toBeLessThan(700);
    expect(error.path).toHaveLength('/opacobjects?query='.length + 5_000);
  });

  it('has the hint of the credentials after a 401', async () => {
    const credentials = {
      scheme: 'basic',
      authorization: async () => 'Basic k',
      hint: 'ask for a new key',
    } as const;
    const { client } = await open(message('no', 401), { credentials });
    await expect(client.get('objects.search')).rejects.toMatchObject({
      kind: 'auth',
      hint: 'ask for a new key',
    });
  });

  it('has a hint with the base URL if the response is HTML', async () => {
    const { client, url } = await open((_, response) => sendHtml(response), { retries: 0 });
    await expect(client.get('objects.search')).rejects.toMatchObject({
      hint: `check that ${url} is the right base URL`,
    });
  });
});

describe('fetch', () => {
  it('returns the bytes unchanged, and the number of retries', async () => {
    let first = true;
    const { client } = await open((_, response) => {
      if (first) sendJson(response, {}, 500);
      else response.end(' {"a" : 1.0} ');
      first = false;
    });
    const response = await client.fetch('objects.search');
    expect(response.bytes.toString()).toBe(' {"a" : 1.0} ');
    expect(response.retries).toBe(1);
  });

  it('returns the value of decode together with the bytes', async () => {
    const { client } = await open((_, response) => response.end('scanned'));
    const response = await client.fetch('objects.search', { decode: ({ bytes }) => bytes.length });
    expect(response.value).toBe(7);
    expect(response.bytes.toString()).toBe('scanned');
  });
});

describe('getPath', () => {
  it('requests any path below /api/v3, with a query in the path and in the options', async () => {
    const { client, paths } = await open((_, response) => sendJson(response, []));
    await client.getPath('/some/thing?a=1', { query: [['b', '2']] });
    expect(paths).toEqual(['/some/thing?a=1&b=2']);
  });

  it.each(['opacobjects', 'https://elsewhere.example/', '@elsewhere.example/'])(
    'refuses %s',
    async (path) => {
      const { client, paths } = await open((_, response) => sendJson(response, []));
      await expect(client.getPath(path)).rejects.toMatchObject({ kind: 'usage' });
      expect(paths).toEqual([]);
    },
  );

  it.each(['//elsewhere.example/x', '/../../x', '/%2e%2e/x', '/\\elsewhere.example'])(
    'requests %s from the deployment, not from another host',
    async (path) => {
      const { client, requests } = await open((_, response) => sendJson(response, []));
      await client.getPath(path);
      expect(requests).toHaveLength(1);
    },
  );
});

describe('wrapTransport', () => {
  it('receives every attempt with its credentials, and can respond without the server', async () => {
    const seen: string[] = [];
    const { client, paths } = await open((_, response) => sendJson(response, {}), {
      credentials: { scheme: 'basic', authorization: async () => 'Basic k' },
      wrapTransport: () => async (request) => {
        seen.push(`${request.path} ${request.headers?.authorization}`);
        const status = seen.length === 1 ? 503 : 200;
        return { status, headers: {}, bytes: Buffer.from('{"dry":true}'), elapsed: 0 };
      },
    });
    expect(await client.get('objects.search')).toEqual({ dry: true });
    expect(seen).toEqual(['/opacobjects Basic k', '/opacobjects Basic k']);
    expect(paths).toEqual([]);
  });
});
