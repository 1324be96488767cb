/** Files that records point to: who is told who asks, which addresses are asked at all, and what is no file. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../src/client/client.js';
import { HttpError } from '../../src/client/errors/http-error.js';
import type { HttpResponse } from '../../src/client/http-request.js';
import { html, serve } from './server.js';

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const credentials = { scheme: 'bearer', authorization: async () => 'Bearer secret' } as const;
  const client = createClient({ baseUrl, credentials, retries: 0, ...options });
  onTestFinished(() => client.close());
  return client;
}

const asText = { accept: 'image/*', decode: ({ bytes }: { readonly bytes: Buffer }) => bytes.toString() };

/** A server that gives its name. */
const named = (name: string) => serve((_, response) => response.end(name));

describe('a file', () => {
  it('is asked for with credentials on the origin of the deployment alone', async () => {
    const [own, other] = [await named('own'), await named('other')];
    const client = clientFor(own.url);
    expect((await client.fetchFile(`${own.url}/a.png?size=1`, asText)).value).toBe('own');
    expect((await client.fetchFile(`${other.url}/b.png`, asText)).value).toBe('other');
    expect((await client.fetchFile('/relative.png', asText)).value).toBe('own');
    expect(own.paths).toEqual(['/a.png?size=1', '/relative.png']);
    expect(own.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ]);
    expect(other.requests.map(({ headers }) => [headers.authorization, headers.accept])).toEqual([
      [undefined, 'image/*'],
    ]);
  });

  it('is followed to another host, which is not told who asks', async () => {
    const other = await named('other');
    const own = await serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/x.png` }).end(),
    );
    expect((await clientFor(own.url).fetchFile(`${own.url}/a.png`, asText)).value).toBe('other');
    expect(own.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('that is redirected in a circle is given up', async () => {
    const own = await serve((_, response) => response.writeHead(301, { location: '/again' }).end());
    await expect(clientFor(own.url).fetchFile(`${own.url}/a`, asText)).rejects.toThrow(
      'redirects more than 5 times',
    );
    expect(own.requests).toHaveLength(6);
  });

  it.each([
    ['file:///etc/passwd', 'the URL does not use http or https'],
    ['data:image/png;base64,xyz', 'the URL does not use http or https'],
    ['http://', 'the URL does not use http or https'],
    ['http://127.0.0.1:9/x.png', 'points to this machine'],
    ['http://localhost/x.png', 'points to this machine'],
    ['http://[::1]/x.png', 'points to this machine'],
    ['http://LOCALHOST./x.png', 'points to this machine'],
    ['http://db.localhost/x.png', 'points to this machine'],
    ['http://0/x.png', 'points to this machine'],
    ['http://0x7f.1/x.png', 'points to this machine'],
    ['http://[::]/x.png', 'points to this machine'],
    ['http://[::ffff:127.0.0.1]/x.png', 'points to this machine'],
    ['http://169.254.169.254/latest/meta-data', 'points to this machine'],
    ['http://[fe80::1]/x.png', 'points to this machine'],
  ])('at %s is not asked for', async (url, message) => {
    let sent = 0;
    const client = clientFor('https://museum.example', {
      wrapTransport: (send) => (request) => {
        sent++;
        return send(request);
      },
    });
    await expect(client.fetchFile(url, asText)).rejects.toThrow(message);
    expect(sent).toBe(0);
  });

  it.each([
    [404, 'not found on the server (404)'],
    [410, 'not found on the server (410)'],
    [300, 'responded with 300'],
    [302, 'responded with 302'],
    [304, 'responded with 304'],
    [403, 'a web firewall blocked the request (403)'],
    [401, 'the server denied access (401)'],
    [500, 'responded with 500'],
    [202, 'a web firewall blocked the request (202)'],
  ])('answered with %d is an error', async (status, message) => {
    const own = await serve((_, response) => html(response, status));
    const error = await clientFor(own.url)
      .fetchFile(`${own.url}/a`, asText)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(String(error)).toContain(message);
  });

  it('that is denied without a page is no firewall', async () => {
    const own = await serve((_, response) => response.writeHead(403).end('no'));
    await expect(clientFor(own.url).fetchFile('/a', asText)).rejects.toThrow(
      'the server denied access (403)',
    );
  });

  it('may be redirected five times, also to an address without a host', async () => {
    const own = await serve((request, response) => {
      if (request.url === '/11111') response.end('here');
      else response.writeHead(307, { location: `${request.url}1` }).end();
    });
    expect((await clientFor(own.url).fetchFile('/', asText)).value).toBe('here');
    expect(own.paths).toEqual(['/', '/1', '/11', '/111', '/1111', '/11111']);
  });

  it.each([
    ['data:text/plain,x', 'the URL does not use http or https'],
    ['http://[', 'the URL does not use http or https'],
  ])('is not followed to %s', async (location, message) => {
    const own = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(clientFor(own.url).fetchFile('/a', asText)).rejects.toMatchObject({
      kind: 'deployment',
      path: location,
      message: expect.stringContaining(message),
    });
    expect(own.requests).toHaveLength(1);
  });

  it('of a size that is allowed is read whole', async () => {
    const own = await serve((_, response) => response.end(Buffer.alloc(1000, 'x')));
    const { value } = await clientFor(own.url).fetchFile('/a', { ...asText, maxBytes: 1000 });
    expect(value).toHaveLength(1000);
  });

  it.each(['identity', 'gzip'])('may be larger than a page of records: %s', async (coding) => {
    const body = Buffer.alloc(65 * 1024 * 1024);
    const own = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(coding === 'gzip' ? gzipSync(body) : body),
    );
    const decode = ({ bytes }: HttpResponse) => bytes.length;
    const { value } = await clientFor(own.url).fetchFile('/a', { ...asText, decode });
    expect(value).toBe(body.length);
  });

  it('larger than allowed once it is decompressed is refused', async () => {
    const own = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2000))),
    );
    await expect(clientFor(own.url).fetchFile('/a', { ...asText, maxBytes: 1000 })).rejects.toThrow(
      'larger than allowed',
    );
  });

  it('that decode refuses is an error as decode has it', async () => {
    const own = await named('own');
    const decode = () => {
      throw new Error('no picture');
    };
    await expect(clientFor(own.url).fetchFile('/a', { ...asText, decode })).rejects.toThrow('no picture');
  });

  it('larger than allowed is not read', async () => {
    const own = await serve((request, response) => {
      if (request.url === '/told') response.writeHead(200, { 'content-length': 1e9 });
      response.write(Buffer.alloc(2000));
    });
    const client = clientFor(own.url);
    for (const path of ['/told', '/untold'])
      await expect(client.fetchFile(own.url + path, { ...asText, maxBytes: 1000 })).rejects.toThrow(
        'larger than allowed',
      );
  });

  it('is asked for again as any request is', async () => {
    let asked = 0;
    const own = await serve((_, response) =>
      ++asked < 3 ? response.writeHead(503).end() : response.end('third'),
    );
    const client = clientFor(own.url, { retries: 2, random: () => 0 });
    expect((await client.fetchFile(own.url, asText)).value).toBe('third');
  });
});
