/** What `opac openapi` prints is of use to others: a linter finds no error, and a mock server made of it answers our own calls. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openapi } from '../../src/service/openapi/document.js';
import { newFolder, opac } from './opac.js';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

it('a public linter finds no error in the description', async () => {
  const folder = await newFolder();
  const file = join(folder, 'openapi.json');
  expect(await opac(['openapi', '-o', file])).toMatchObject({ code: 0, stdout: '' });
  const { stdout } = await promisify(execFile)(REDOCLY, ['lint', file, '--format', 'json'], {
    cwd: folder,
    env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number };
    problems: { ruleId: string }[];
  };
  expect(totals.errors).toBe(0);
  // Of the service itself: some of its paths can be read in two ways, and its authorization answers with a redirect.
  expect([...new Set(problems.map(({ ruleId }) => ruleId))].toSorted()).toEqual([
    'no-ambiguous-paths',
    'operation-2xx-response',
  ]);
});

describe('a public mock server made of the description', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const api = new OpenAPIBackend({
      definition: openapi({ version: '1' }) as unknown as Document,
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
      const answer = (await api.handleRequest({
        method: request.method ?? 'GET',
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: { authorization: request.headers.authorization ?? '' },
      })) as { readonly status: number; readonly mock: unknown };
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.mock));
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
  ])('answers: opac %s', async (line) => {
    const words = [...line.split(' '), '--base-url', url, '--retries', '0', '-f', 'json'];
    const { code, stdout, stderr } = await opac(words);
    expect(stderr).not.toMatch(/^opac:/m);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});

it('a file of it is indented, so that versions can be compared line by line', async () => {
  const folder = await newFolder();
  await opac(['openapi', '-o', 'openapi.json'], { folder });
  expect(await readFile(join(folder, 'openapi.json'), 'utf8')).toMatch(/^\{\n {2}"openapi": "3\.1\.0",\n/);
});
