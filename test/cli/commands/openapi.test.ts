/** A mock server that another library creates from the description of `opac openapi` responds to the requests of opac. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenApiDocument } from '../../../src/service/openapi/document.js';
import { opac } from '../run-in-process.js';

describe('a mock server created from the OpenAPI description', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const api = new OpenAPIBackend({
      definition: createOpenApiDocument({ version: '1' }) as unknown as Document,
      quick: true,
      apiRoot: '/api/v3',
      handlers: {
        notImplemented: (context) =>
          context.api.mockResponseForOperation(context.operation.operationId ?? ''),
        notFound: () => ({ status: 404, mock: { message: 'no such path' } }),
      },
    });
    await api.init();
    server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock');
      const reply = (await api.handleRequest({
        method: request.method ?? 'GET',
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: { authorization: request.headers.authorization ?? '' },
      })) as { readonly status: number; readonly mock: unknown };
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.mock));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    'objects list --limit 1',
    'persons list --limit 1',
    'venues list --limit 1',
    'records list --limit 1',
    'objects get 1',
    'persons get 1',
    'venues get 1',
    'facets get objects classification',
    'relationships list objects',
    'relationships get objects 1 made_by',
    'views list objects',
    'views get objects detail',
    'authorities list persons birth_place',
    'collections list',
    'colors list',
    'comments list',
    'highlights list',
    'highlights get 1',
    'imagelabels list',
    'imagelabels list --object 1',
    'imagelabels get 1 2',
  ])('responds to opac %s', async (line) => {
    const words = [...line.split(' '), '--base-url', url, '--retries', '0', '-f', 'json'];
    const { code, stdout, stderr } = await opac(words);
    expect(stderr).not.toMatch(/^opac:/m);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});
