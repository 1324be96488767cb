/** Downloads of files: which hosts receive credentials, which addresses are refused, and which responses are errors. */
import { isIP, type LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../src/client/client.js';
import { HttpError } from '../../src/client/errors/http-error.js';
import type { HttpResponse } from '../../src/client/http-request.js';
import { createSsrfGuard } from '../../src/client/ssrf-guard.js';
import * as dispatchers from '../../src/client/transport/dispatcher.js';
import { sendHtml, serve } from './server.js';

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const credentials = { scheme: 'bearer', authorization: async () => 'Bearer secret' } as const;
  const client = createClient({ baseUrl, credentials, retries: 0, ...options });
  onTestFinished(() => client.close());
  return client;
}

const asText = { accept: 'image/*', decode: ({ bytes }: { readonly bytes: Buffer }) => bytes.toString() };

/** Starts a server that responds with its name. */
const serveName = (name: string) => serve((_, response) => response.end(name));

/** Creates a resolver that knows only these names, so that no test uses the network. */
const createResolver =
  (names: Readonly<Record<string, readonly string[]>>): LookupFunction =>
  (name, options, callback) => {
    const found = (names[name] ?? []).map((address) => ({ address, family: isIP(address) }));
    if (found.length === 0) return callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), []);
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };

describe('the host name of a URL', () => {
  const deployment = 'https://museum.example';
  const lookup = createResolver({
    'mixed.example': ['192.0.2.1', '10.1.2.3'],
    'inner.example': ['127.0.0.1'],
    'inner6.example': ['::1'],
    'cloud.example': ['169.254.169.254'],
    'mapped.example': ['::ffff:10.0.0.1'],
    'nat64.example': ['64:ff9b::a00:1'],
    'link.example': ['fe80::1%lo'],
  });

  it.each(['mixed', 'inner', 'inner6', 'cloud', 'mapped', 'nat64', 'link'])(
    'is refused without a retry if it has a private address: %s.example',
    async (name) => {
      const other = await serveName('other');
      const client = clientFor(deployment, { lookup, retries: 3 });
      const url = `http://${name}.example:${new URL(other.url).port}/a.png`;
      const error = await client.fetchFile(url, asText).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        message: expect.stringContaining('use --allow-private-images'),
        retries: 0,
      });
      expect(other.requests).toEqual([]);
    },
  );

  it('may have a private address with allowPrivateImages, or if it is the deployment', async () => {
    const other = await serveName('other');
    const url = `http://inner.example:${new URL(other.url).port}`;
    const allowed = clientFor(deployment, { lookup, allowPrivateImages: true });
    expect((await allowed.fetchFile(`${url}/a.png`, asText)).value).toBe('other');
    const own = clientFor('http://inner.example:1', { lookup, allowHttp: true });
    expect((await own.fetchFile(`${url}/b.png`, asText)).value).toBe('other');
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it('is looked up by the resolver without changes if its addresses are public', () => {
    const { lookup: guarded } = createSsrfGuard(deployment, {
      lookup: createResolver({ 'images.example': ['203.0.113.9', '64:ff9b::808:808'] }),
    });
    guarded('images.example', { all: true }, (error, found) =>
      expect([error, found]).toEqual([
        null,
        [
          { address: '203.0.113.9', family: 4 },
          { address: '64:ff9b::808:808', family: 6 },
        ],
      ]),
    );
    guarded('images.example', {}, (...found) => expect(found).toEqual([null, '203.0.113.9', 4]));
    guarded('unknown.example', { all: true }, (error) => expect(error?.code).toBe('ENOTFOUND'));
    expect.assertions(3);
  });

  // This test opens no connection, because this machine does not have these addresses.
  it.each([
    ['::ffff:0:a00:1', true],
    ['::ffff:0:808:808', true],
    ['2001:db8::5efe:7f00:1', true],
    ['2001:db8:1:2:0:5efe:c0a8:1', true],
    ['2001:db8:1:2:200:5efe:a00:1', true],
    ['::200:5efe:a00:1', true],
    ['2001:db8::5efe:808:808', false],
    ['2001:db8:1:2:3:5efe:a00:1', false],
    ['2a00:200:5efe::1', false],
  ])('is refused if its IPv6 address contains a private one: %s, refused %s', (address, isRefused) => {
    const guard = createSsrfGuard(deployment, { lookup: createResolver({ 'six.example': [address] }) });
    expect(guard.isRefused(`[${address}]`)).toBe(isRefused);
    guard.lookup('six.example', { all: true }, (error) =>
      expect(error?.code).toBe(isRefused ? 'OPAC_PRIVATE_ADDRESS' : undefined),
    );
    expect.assertions(2);
  });

  it('is checked again after each redirect', async () => {
    const other = await serveName('other');
    const port = new URL(other.url).port;
    const own = await serve((request, response) => {
      const host = request.url === '/name' ? 'cloud.example' : '169.254.169.254';
      response.writeHead(302, { location: `http://${host}:${port}/x.png` }).end();
    });
    // The deployment is on this machine, so this machine is allowed, but no other private address.
    const client = clientFor(own.url, { lookup });
    for (const path of ['/name', '/address'])
      await expect(client.fetchFile(path, asText)).rejects.toThrow('private network');
    expect(other.requests).toEqual([]);
  });
});

it('uses one dispatcher for files from many hosts', async () => {
  const other = await serveName('other');
  const names = Array.from({ length: 20 }, (_, n) => `h${n}.example`);
  const client = clientFor('https://museum.example', {
    lookup: createResolver(Object.fromEntries(names.map((name) => [name, ['127.0.0.1']]))),
    allowPrivateImages: true,
  });
  const created = vi.spyOn(dispatchers, 'createDispatcher');
  onTestFinished(() => created.mockRestore());
  for (const name of names) await client.fetchFile(`http://${name}:${new URL(other.url).port}/a.png`, asText);
  expect(created).toHaveBeenCalledTimes(1);
  expect(other.requests).toHaveLength(20);
});

describe('fetchFile', () => {
  it('sends credentials only to the origin of the deployment', async () => {
    const [own, other] = [await serveName('own'), await serveName('other')];
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

  it('follows a redirect to another host without credentials', async () => {
    const other = await serveName('other');
    const own = await serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/x.png` }).end(),
    );
    expect((await clientFor(own.url).fetchFile(`${own.url}/a.png`, asText)).value).toBe('other');
    expect(own.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('throws after five redirects', async () => {
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
    ['http://127.0.0.1:9/x.png', 'private network'],
    ['http://localhost/x.png', 'private network'],
    ['http://[::1]/x.png', 'private network'],
    ['http://LOCALHOST./x.png', 'private network'],
    ['http://db.localhost/x.png', 'private network'],
    ['http://0/x.png', 'private network'],
    ['http://0x7f.1/x.png', 'private network'],
    ['http://[::]/x.png', 'private network'],
    ['http://[::ffff:127.0.0.1]/x.png', 'private network'],
    ['http://169.254.169.254/x.png', 'private network'],
    ['http://[fe80::1]/x.png', 'private network'],
    ['http://10.0.0.1/x.png', 'private network'],
    ['http://172.31.0.1/x.png', 'private network'],
    ['http://192.168.1.1/x.png', 'private network'],
    ['http://100.100.100.200/x.png', 'private network'],
    ['http://168.63.129.16/x.png', 'private network'],
    ['http://192.0.0.192/x.png', 'private network'],
    ['http://[fd00:ec2::254]/x.png', 'private network'],
    ['http://[::127.0.0.1]/x.png', 'private network'],
    ['http://[64:ff9b::7f00:1]/x.png', 'private network'],
    ['http://[64:ff9b::10.1.2.3]/x.png', 'private network'],
    ['http://[2002:7f00:1::]/x.png', 'private network'],
  ])('sends no request for %s', async (url, message) => {
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
  ])('throws an HttpError for an HTML response with status %d', async (status, message) => {
    const own = await serve((_, response) => sendHtml(response, status));
    const error = await clientFor(own.url)
      .fetchFile(`${own.url}/a`, asText)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(String(error)).toContain(message);
  });

  it('does not report a firewall for a 403 without HTML', async () => {
    const own = await serve((_, response) => response.writeHead(403).end('no'));
    await expect(clientFor(own.url).fetchFile('/a', asText)).rejects.toThrow(
      'the server denied access (403)',
    );
  });

  it('follows five redirects, also to URLs without a host', async () => {
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
  ])('does not follow a redirect to %s', async (location, message) => {
    const own = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(clientFor(own.url).fetchFile('/a', asText)).rejects.toMatchObject({
      kind: 'deployment',
      path: location,
      message: expect.stringContaining(message),
    });
    expect(own.requests).toHaveLength(1);
  });

  it('returns a file of exactly maxBytes', async () => {
    const own = await serve((_, response) => response.end(Buffer.alloc(1000, 'x')));
    const { value } = await clientFor(own.url).fetchFile('/a', { ...asText, maxBytes: 1000 });
    expect(value).toHaveLength(1000);
  });

  it.each(['identity', 'gzip'])(
    'returns a file that is larger than the limit for a page of records: %s',
    async (coding) => {
      const body = Buffer.alloc(65 * 1024 * 1024);
      const own = await serve((_, response) =>
        response
          .writeHead(200, { 'content-encoding': coding })
          .end(coding === 'gzip' ? gzipSync(body) : body),
      );
      const decode = ({ bytes }: HttpResponse) => bytes.length;
      const { value } = await clientFor(own.url).fetchFile('/a', { ...asText, decode });
      expect(value).toBe(body.length);
    },
  );

  it('throws if the decompressed file is larger than maxBytes', async () => {
    const own = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2000))),
    );
    await expect(clientFor(own.url).fetchFile('/a', { ...asText, maxBytes: 1000 })).rejects.toThrow(
      'larger than allowed',
    );
  });

  it('throws the error of decode', async () => {
    const own = await serveName('own');
    const decode = () => {
      throw new Error('no picture');
    };
    await expect(clientFor(own.url).fetchFile('/a', { ...asText, decode })).rejects.toThrow('no picture');
  });

  it('throws if a file is larger than maxBytes, with and without Content-Length', async () => {
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

  it('retries after 503', async () => {
    let attempts = 0;
    const own = await serve((_, response) =>
      ++attempts < 3 ? response.writeHead(503).end() : response.end('third'),
    );
    const client = clientFor(own.url, { retries: 2, random: () => 0 });
    expect((await client.fetchFile(own.url, asText)).value).toBe('third');
  });
});
