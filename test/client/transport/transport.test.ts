import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../../src/client/transport/transport.js';
import { VERSION } from '../../../src/service/version.js';
import { createGate, listen, sendHtml, sendJson, serve } from '../server.js';

const GET = { method: 'GET', path: '/opacobjects' } as const;

function open(options: TransportOptions): Transport {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

const secret = {
  key: readFileSync('test/fixtures/tls/key.pem'),
  cert: readFileSync('test/fixtures/tls/certificate.pem'),
};

describe('a request', () => {
  it('has a path below /api/v3, an encoded query, a User-Agent and its own headers', async () => {
    const { url, requests } = await serve((_, response) => sendJson(response, {}));
    const { send } = open({ baseUrl: `${url}/sub` });
    const query = [
      ['query', 'name:"a b" AND c:"é+&#"'],
      ['query', '\ud800'],
    ] as const;
    await send({ ...GET, query, headers: { authorization: 'Bearer x' } });
    expect(requests[0]?.url).toBe(
      '/sub/api/v3/opacobjects?query=name%3A%22a%20b%22%20AND%20c%3A%22%C3%A9%2B%26%23%22&query=%EF%BF%BD',
    );
    expect(requests[0]?.headers).toMatchObject({
      'user-agent': `opac/${VERSION}`,
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      authorization: 'Bearer x',
    });
  });

  it('sends the body of a POST', async () => {
    const { url } = await serve(async (request, response) => {
      const chunks = await request.toArray();
      sendJson(response, { got: Buffer.concat(chunks).toString(), type: request.headers['content-type'] });
    });
    const headers = { 'content-type': 'application/json' };
    const response = await open({ baseUrl: url }).send({
      method: 'POST',
      path: '/oauth/token',
      body: '{"a":1}',
      headers,
    });
    expect(JSON.parse(response.bytes.toString())).toEqual({ got: '{"a":1}', type: 'application/json' });
  });

  it('uses the connection of the request before it', async () => {
    const { url, requests } = await serve((_, response) => sendJson(response, {}));
    const { send } = open({ baseUrl: url, connections: 1 });
    await send(GET);
    await send(GET);
    expect(requests[1]?.socket.remotePort).toBe(requests[0]?.socket.remotePort);
  });
});

describe('a response', () => {
  it.each([200, 202, 400, 401, 404, 429, 500, 503])(
    'is returned, not thrown, with status %i',
    async (status) => {
      const { url } = await serve((_, response) => sendJson(response, { message: 'm' }, status));
      const response = await open({ baseUrl: url }).send(GET);
      expect(response).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
      expect(response.bytes.toString()).toBe('{"message":"m"}');
      expect(response.elapsed).toBeGreaterThan(0);
    },
  );

  const text = JSON.stringify({ text: 'Ōtautahi '.repeat(20_000) });
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('is decoded from the Content-Encoding %s', async (coding, bytes) => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    const response = await open({ baseUrl: url }).send(GET);
    expect(response.bytes.toString()).toBe(text);
  });

  it('has one header for several headers with the same name', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'x-a': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] }).end('{}'),
    );
    const { headers } = await open({ baseUrl: url }).send(GET);
    expect(headers).toMatchObject({ 'x-a': '1, 2', 'set-cookie': 'a=1, b=2' });
  });

  it('is converted to UTF-8 from another charset', async () => {
    const { url } = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from('{"a":"é"}', 'latin1')),
    );
    const { bytes } = await open({ baseUrl: url }).send(GET);
    expect(bytes.toString()).toBe('{"a":"é"}');
  });

  it.each([
    ['told', true],
    ['not told', false],
  ])('may have exactly maxBytes, and not one byte more: Content-Length %s', async (_, hasLength) => {
    const { url } = await serve((_request, response) => {
      const body = Buffer.alloc(1000, 'x');
      response.writeHead(200, hasLength ? { 'content-length': body.length } : {});
      response.write(body.subarray(0, 500), () => response.end(body.subarray(500)));
    });
    const { send } = open({ baseUrl: url });
    expect((await send({ ...GET, maxBytes: 1000 })).bytes).toHaveLength(1000);
    await expect(send({ ...GET, maxBytes: 999 })).rejects.toMatchObject({
      code: 'response-too-large',
      retry: 'never',
    });
  });

  it('may have any Content-Encoding if it is empty', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(404, { 'content-encoding': 'gzip' }).end(),
    );
    const response = await open({ baseUrl: url }).send(GET);
    expect(response.bytes).toHaveLength(0);
  });

  it.each([
    ['cut compressed data', 'gzip', gzipSync(text).subarray(0, -20)],
    ['an encoding nobody asked for', 'zstd', Buffer.from('x')],
  ])('causes an error with the retry policy "always": %s', async (_, coding, bytes) => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    await expect(open({ baseUrl: url }).send(GET)).rejects.toMatchObject({
      kind: 'deployment',
      retry: 'always',
    });
  });
});

describe('a redirect', () => {
  it('is followed within the origin, with the Authorization header', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url?.startsWith('/api/v3/opacobjects'))
        response.writeHead(308, { location: '/new?x=1' }).end();
      else sendJson(response, { here: true });
    });
    const response = await open({ baseUrl: url }).send({ ...GET, headers: { authorization: 'Basic k' } });
    expect(response.bytes.toString()).toBe('{"here":true}');
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v3/opacobjects', 'Basic k'],
      ['/new?x=1', 'Basic k'],
    ]);
  });

  it('causes an error with both URLs if it leaves the origin, and nothing is sent there', async () => {
    const other = await serve((_, response) => sendJson(response, {}));
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/x` }).end(),
    );
    const failed = expect(
      open({ baseUrl: url }).send({ ...GET, headers: { authorization: 'Basic k' } }),
    ).rejects;
    await failed.toMatchObject({ kind: 'deployment', status: 302, message: expect.stringContaining(url) });
    await expect(open({ baseUrl: url }).send(GET)).rejects.toThrow(other.url);
    expect(other.requests).toHaveLength(0);
  });

  it('causes an error after five redirects', async () => {
    const { url, requests } = await serve((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    await expect(open({ baseUrl: url }).send(GET)).rejects.toThrow(
      'redirects this request more than 5 times',
    );
    expect(requests).toHaveLength(6);
  });

  it('is followed for a POST only if the next request is also a POST', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url?.endsWith('/303')) response.writeHead(303, { location: '/get' }).end();
      else if (request.url?.endsWith('/307')) response.writeHead(307, { location: '/post' }).end();
      else sendJson(response, {});
    });
    const { send } = open({ baseUrl: url });
    await send({ method: 'POST', path: '/307', body: '{}' });
    await expect(send({ method: 'POST', path: '/303', body: '{}' })).rejects.toThrow(
      'redirects this request (303), which would drop the request body',
    );
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v3/307',
      'POST /post',
      'POST /api/v3/303',
    ]);
  });

  it.each([301, 302, 303, 307, 308])('is followed for a GET with status %i', async (status) => {
    const { url, paths } = await serve((request, response) => {
      if (request.url === '/new') sendJson(response, {});
      else response.writeHead(status, { location: '../../new' }).end();
    });
    expect(await open({ baseUrl: url }).send(GET)).toMatchObject({ status: 200 });
    expect(paths).toEqual(['/opacobjects', '/new']);
  });

  it.each([
    [300, '/new'],
    [304, '/new'],
    [302, 'http://['],
    [302, undefined],
  ])('is returned as a response with status %i and the location %s', async (status, location) => {
    const { url, requests } = await serve((_, response) =>
      response.writeHead(status, location === undefined ? {} : { location }).end(),
    );
    expect(await open({ baseUrl: url }).send(GET)).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is followed up to five times', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url?.endsWith('xxxxx')) sendJson(response, {});
      else response.writeHead(302, { location: `${request.url}x` }).end();
    });
    expect(await open({ baseUrl: url }).send(GET)).toMatchObject({ status: 200 });
    expect(requests).toHaveLength(6);
  });

  it('causes an error with a hint if it is not followed', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: 'https://other.example/api/v3/opacobjects' }).end(),
    );
    await expect(open({ baseUrl: url }).send(GET)).rejects.toMatchObject({
      code: 'unexpected-response',
      retry: 'never',
      hint: 'if https://other.example is the service, use it as the base URL',
      message: `${url} redirects to https://other.example; credentials must not be sent there (GET /opacobjects)`,
    });
    await expect(open({ baseUrl: url }).send({ ...GET, method: 'POST' })).rejects.toMatchObject({
      hint: 'if https://other.example is the service, use it as the base URL',
    });
    const own = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(open({ baseUrl: own.url }).send({ ...GET, method: 'POST' })).rejects.toMatchObject({
      hint: 'check the base URL',
      status: 302,
    });
  });

  it('causes an error with the scheme of the location if this is not http or https', async () => {
    const { url } = await serve((_, response) => response.writeHead(302, { location: 'file:///x' }).end());
    await expect(open({ baseUrl: url }).send(GET)).rejects.toMatchObject({
      hint: 'check the base URL',
      message: `${url} redirects to a file: URL; credentials must not be sent there (GET /opacobjects)`,
    });
  });

  it('is returned with the option redirect "manual"', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: 'https://me.example/?code=1' }).end(),
    );
    const response = await open({ baseUrl: url }).send({ ...GET, redirect: 'manual' });
    expect(response).toMatchObject({ status: 302, headers: { location: 'https://me.example/?code=1' } });
  });
});

describe('a connection that is not open yet', () => {
  it.each([
    ['to a port that never speaks TLS', (url: string) => ({ baseUrl: url.replace('http:', 'https:') })],
    [
      'to a proxy that never speaks',
      (url: string) => ({ baseUrl: 'https://museum.test', environment: { HTTPS_PROXY: url } }),
    ],
  ])('is closed by close() of its transport: %s', async (_, optionsFor) => {
    const [opened, ended] = [createGate(), createGate()];
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .on('close', ended.resolve)
        .resume();
      opened.resolve();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = open({ ...optionsFor(url), timeout: 60 });
    const interruption = new AbortController();
    const failed = transport.send({ ...GET, signal: interruption.signal }).catch(String);
    await opened.promise;
    interruption.abort(new Error('enough'));
    expect(await failed).toContain('enough');
    await transport.close();
    await ended.promise;
  });
});

describe('the error of a failed request', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.7\r\n', 'is not valid HTTP'],
    ['a response that breaks off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nx', 'was lost'],
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`,
      'too many or too long headers',
    ],
  ])('has its own message: %s', async (_, answer, message) => {
    const { url: baseUrl } = await serve((request) => void request.socket.end(answer));
    await expect(open({ baseUrl }).send(GET)).rejects.toThrow(message);
  });

  /** Tries longer timeouts until the response begins before the timeout, because a busy machine may need long. */
  async function expectUnfinished(baseUrl: string): Promise<void> {
    for (let timeout = 0.1; ; timeout *= 4) {
      const error = await open({ baseUrl, timeout })
        .send(GET)
        .catch((reason: unknown) => reason);
      if (timeout < 60 && !String(error).includes('started a response')) continue;
      expect(error).toMatchObject({
        retry: 'always',
        message: expect.stringContaining(`did not finish it within ${timeout} s`),
      });
      return;
    }
  }

  it('reports that the connection was refused', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const baseUrl = `http://127.0.0.1:${port}`;
    await expect(open({ baseUrl }).send(GET)).rejects.toMatchObject({
      kind: 'deployment',
      status: undefined,
      retry: 'always',
      message: `cannot connect to ${baseUrl}: connection refused (GET /opacobjects)`,
      hint: expect.stringContaining('base URL'),
    });
  });

  it('contains the name of an unknown host', async () => {
    await expect(open({ baseUrl: 'https://museum.invalid' }).send(GET)).rejects.toMatchObject({
      kind: 'deployment',
      message: expect.stringContaining('museum.invalid'),
    });
  });

  it('reports a self-signed certificate, with a hint', async () => {
    const url = await listen(createSecureServer(secret, (_, response) => response.end('{}')));
    await expect(open({ baseUrl: url.replace('http:', 'https:') }).send(GET)).rejects.toMatchObject({
      kind: 'deployment',
      retry: 'never',
      message: expect.stringContaining('self-signed'),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('reports a port that does not use HTTPS', async () => {
    const { url } = await serve((_, response) => response.end('{}'));
    await expect(open({ baseUrl: url.replace('http:', 'https:') }).send(GET)).rejects.toThrow(
      'does not use HTTPS',
    );
  });

  it.each([
    ['before the headers', ''],
    ['in the middle of a body of known length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    [
      'in the middle of a chunked body',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
    ],
  ])('has the retry policy "always" if the connection is lost %s', async (_, begin) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(begin));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(open({ baseUrl }).send(GET)).rejects.toMatchObject({
      retry: 'always',
      message: expect.stringContaining('was lost'),
    });
  });

  it('reports the timeout if the response does not begin', async () => {
    const { url } = await serve(() => {});
    await expect(open({ baseUrl: url, timeout: 0.05 }).send(GET)).rejects.toMatchObject({
      retry: 'always',
      message: expect.stringContaining('did not respond within 0.05 s'),
    });
  });

  it('does not occur with a timeout of 30 days, which is too long for a timer', async () => {
    const { url } = await serve((_, response) => void setTimeout(() => response.end('{}'), 50));
    await expect(open({ baseUrl: url, timeout: 30 * 86_400 }).send(GET)).resolves.toMatchObject({
      status: 200,
    });
  });

  it('reports the timeout if the body stops', async () => {
    const { url } = await serve((_, response) => void response.writeHead(200).write('{"a":'));
    await expectUnfinished(url);
  });

  it('reports the timeout if the body is slow, because the limit is for the complete request', async () => {
    let drops = 0;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => {
        drops++;
        response.write(' ');
      }, 20);
      response.once('close', () => clearInterval(drip));
      onTestFinished(() => clearInterval(drip));
    });
    await expectUnfinished(url);
    expect(drops).toBeGreaterThan(1);
  });
});

describe('an abort', () => {
  it('ends a running request with its reason, and closes the connection', async () => {
    const controller = new AbortController();
    const closed = createGate();
    const { url } = await serve((request) => {
      request.socket.once('close', () => closed.resolve());
      controller.abort(new Error('enough'));
    });
    await expect(open({ baseUrl: url }).send({ ...GET, signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    await closed.promise;
  });

  it('ends a request during the body of the response', async () => {
    const controller = new AbortController();
    const { url } = await serve((_, response) => {
      response.writeHead(200).write('{', () => controller.abort(new Error('enough')));
    });
    await expect(open({ baseUrl: url }).send({ ...GET, signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  it('prevents a request that waits for a connection', async () => {
    const controller = new AbortController();
    const received = createGate();
    const answer = createGate();
    const { url, paths } = await serve(async (_, response) => {
      received.resolve();
      await answer.promise;
      sendJson(response, {});
    });
    const { send } = open({ baseUrl: url, connections: 1 });
    const first = send(GET);
    await received.promise;
    const second = send({ ...GET, path: '/second', signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    answer.resolve();
    await first;
    await send({ ...GET, path: '/third' });
    expect(paths).toEqual(['/opacobjects', '/third']);
  });

  it('prevents a request before its start', async () => {
    const { url, requests } = await serve((_, response) => sendJson(response, {}));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(open({ baseUrl: url }).send({ ...GET, signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(0);
  });
});

describe('close', () => {
  it('rejects running requests', async () => {
    const received = createGate();
    const { url } = await serve(() => received.resolve());
    const transport = open({ baseUrl: url });
    const sent = transport.send(GET);
    await Promise.all([
      expect(sent).rejects.toMatchObject({ kind: 'deployment' }),
      received.promise.then(() => transport.close()),
    ]);
  });
});

describe('a proxy', () => {
  it('receives the complete URL without a tunnel if it is in HTTP_PROXY', async () => {
    const { url, requests } = await serve((_, response) => sendJson(response, { proxied: true }));
    const { send } = open({
      baseUrl: 'http://museum.test/sub',
      environment: { HTTP_PROXY: url.replace('//', '//me:pass@') },
    });
    const response = await send({ ...GET, headers: { authorization: 'Basic k' } });
    expect(response.bytes.toString()).toBe('{"proxied":true}');
    expect(requests[0]?.url).toBe('http://museum.test/sub/api/v3/opacobjects');
    expect(requests[0]?.headers).toMatchObject({
      host: 'museum.test',
      authorization: 'Basic k',
      'proxy-authorization': `Basic ${Buffer.from('me:pass').toString('base64')}`,
    });
  });

  it('receives a request for a tunnel if it is in https_proxy; the certificate is still checked', async () => {
    const target = await listen(createSecureServer(secret, (_, response) => response.end('{}')));
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket: Socket) => {
      tunnels.push(request.url ?? '');
      const through = connect(Number(new URL(target).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const end of [through, socket]) end.on('error', () => {});
    });
    const { send } = open({
      baseUrl: 'https://museum.test',
      environment: { https_proxy: await listen(proxy) },
    });
    await expect(send(GET)).rejects.toThrow('the certificate of museum.test is self-signed');
    expect(tunnels).toEqual(['museum.test:443']);
  });

  it.each([
    [407, 'never', 'the proxy requires a user name and password'],
    [403, 'always', 'the proxy refused to connect to museum.test'],
  ])('is reported if it refuses a tunnel with %i', async (status, retry, message) => {
    const proxy = createServer();
    proxy.on('connect', (_, socket: Socket) =>
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`),
    );
    const { send } = open({
      baseUrl: 'https://museum.test',
      environment: { HTTPS_PROXY: await listen(proxy) },
    });
    await expect(send(GET)).rejects.toMatchObject({
      kind: 'deployment',
      retry,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['ends the connection', (socket: Socket) => socket.end(), 'the connection to %s was lost'],
    ['never responds', () => {}, '%s did not respond within 0.3 s'],
    ['speaks no HTTP', (socket: Socket) => socket.end('SSH-2.0\r\n'), 'the response of %s is not valid HTTP'],
  ])('is reported after one attempt if it %s', async (_, act, message) => {
    let tunnels = 0;
    const proxy = createServer();
    proxy.on('connect', (_, socket: Socket) => {
      tunnels++;
      socket.on('error', () => {});
      socket.resume().on('end', () => socket.end());
      act(socket);
    });
    const url = await listen(proxy);
    const { send } = open({
      baseUrl: 'https://museum.test',
      environment: { HTTPS_PROXY: url },
      // In the other cases, even a busy machine must get the error before the timeout.
      timeout: message.includes('0.3') ? 0.3 : 30,
    });
    await expect(send(GET)).rejects.toMatchObject({
      code: 'proxy',
      retry: 'always',
      message: `${message.replace('%s', new URL(url).host)} (GET /opacobjects)`,
      hint: 'check the proxy in HTTPS_PROXY, or add museum.test to NO_PROXY to connect directly',
    });
    expect(tunnels).toBe(1);
  });

  it.each(['http', 'https'])(
    'is reported instead of the service if nothing listens at its port: %s',
    async (scheme) => {
      const variable = `${scheme.toUpperCase()}_PROXY`;
      const environment = { [variable]: 'http://me:pass@127.0.0.1:1' };
      const { send } = open({ baseUrl: `${scheme}://museum.test:99`, environment });
      await expect(send(GET)).rejects.toMatchObject({
        code: 'proxy',
        message: 'cannot connect to http://127.0.0.1:1: connection refused (GET /opacobjects)',
        hint: `check the proxy in ${variable}, or add museum.test:99 to NO_PROXY to connect directly`,
      });
    },
  );

  it('is reported if it does not use HTTPS, although its URL begins with https', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      onTestFinished(() => void socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const https = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { send } = open({ baseUrl: 'https://museum.test', environment: { HTTPS_PROXY: https } });
    await expect(send(GET)).rejects.toThrow(`${https} does not use HTTPS`);
  });

  it('receives no server name if its URL has an IP address; its certificate is checked', async () => {
    const names: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    const server = createSecureServer({ ...secret, SNICallback });
    const https = (await listen(server)).replace('http:', 'https:');
    const { send } = open({ baseUrl: 'https://museum.test', environment: { HTTPS_PROXY: https } });
    await expect(send(GET)).rejects.toMatchObject({
      code: 'proxy',
      message: expect.stringContaining(`the certificate of ${new URL(https).host} is self-signed`),
    });
    expect(names).toEqual([]);
  });

  it('is not reported if the connection is lost after it received the request', async () => {
    const { url } = await serve((_, response) => response.destroy());
    const { send } = open({ baseUrl: 'http://museum.test', environment: { HTTP_PROXY: url } });
    await expect(send(GET)).rejects.toMatchObject({
      code: 'connection-lost',
      message: 'the connection to museum.test was lost (GET /opacobjects)',
    });
  });

  it('is reported if it requires credentials for http', async () => {
    const { url } = await serve((_, response) => sendHtml(response, 407));
    const { send } = open({ baseUrl: 'http://museum.test', environment: { HTTP_PROXY: url } });
    await expect(send(GET)).rejects.toThrow('the proxy requires a user name and password');
  });

  it.each([
    ['loopback', { HTTP_PROXY: 'http://127.0.0.1:9' }],
    ['what NO_PROXY names', { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }],
    ['http when only HTTPS_PROXY is set', { HTTPS_PROXY: 'http://127.0.0.1:9' }],
  ])('is not used for %s', async (_, environment) => {
    const { url } = await serve((_request, response) => sendJson(response, {}));
    expect(await open({ baseUrl: url, environment }).send(GET)).toMatchObject({ status: 200 });
  });

  it('causes an error with the name of the variable, not its value, if it is not a URL', () => {
    const environment = { HTTPS_PROXY: 'http://me:pass@:x' };
    expect(() => createTransport({ baseUrl: 'https://museum.test', environment })).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: 'HTTPS_PROXY is not the URL of an http or https proxy',
      }),
    );
  });
});
