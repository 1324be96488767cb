/** A deployment that repeats what it was sent: the program shows and keeps none of it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { json, serve } from '../client/server.js';
import { opac, type RunResult } from './run-in-process.js';

const KEY = 'k3y-Of/The+museum=';
const SECRET = 'cl13nt s3cret/of+museum';

const FORMS = [KEY, SECRET].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]);

function expectNone(shown: string): void {
  for (const form of FORMS) expect(shown).not.toContain(form);
}

function echo(request: IncomingMessage): string {
  const key = request.headers.authorization?.replace('Basic ', '') ?? '';
  const encoded = `${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')}`;
  return `the key "${key}" ${encoded} is bad: ${JSON.stringify(request.headers)}`;
}

const withKey = (url: string) => ({ environment: { OPAC_BASE_URL: url, OPAC_BASIC_KEY: KEY } });

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'opac-echo-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** As pages of errors, logs and JSON of many a server write it. */
function escaped(key: string): string {
  const by = (write: (code: string) => string) =>
    key.replace(/\W/g, (sign) => write(sign.charCodeAt(0).toString(16)));
  return [
    by((code) => `\\u00${code}`),
    by((code) => `&#x${code};`),
    by((code) => `%25${code}`),
    key.replaceAll('/', '\\/'),
    key.toUpperCase(),
  ].join(' ');
}

describe('a service that repeats the credentials', () => {
  it.each([
    [401, 'message'],
    [500, 'message'],
    [400, 'error'],
    [418, 'message'],
  ])('does not get them shown by a status of %i', async (status, name) => {
    const { url } = await serve((request, response) => json(response, { [name]: echo(request) }, status));
    for (const flags of [[], ['--debug']]) {
      const { stdout, stderr } = await opac(['objects', 'list', '--retries', '0', ...flags], withKey(url));
      expect(stderr).toContain('[hidden]');
      expectNone(stdout + stderr);
    }
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['JSON that is damaged', (request, response) => response.end(`{"a": ${request.headers.authorization}`)],
    ['text', (request, response) => response.end(request.headers.authorization)],
    [
      'a redirect',
      (request, response) =>
        response.writeHead(302, { location: `http://x.invalid/?${request.headers.authorization}` }).end(),
    ],
    [
      'a content coding',
      (request, response) =>
        response.writeHead(200, { 'content-encoding': request.headers.authorization }).end('{}'),
    ],
    [
      'a content type',
      (request, response) =>
        response.writeHead(200, { 'content-type': request.headers.authorization }).end('{'),
    ],
  ])('does not get them shown by %s', async (_, listener) => {
    const { url } = await serve(listener);
    const ran = await opac(['objects', 'list', '--retries', '0', '--debug'], withKey(url));
    expect(ran.code).toBe(5);
    expectNone(ran.stdout + ran.stderr);
  });

  it('does not get them into the files of an export', async () => {
    const target = join(await folder(), 'o.ndjson');
    const { url } = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const offset = Number(searchParams.get('offset') ?? 0);
      if (offset === 1) return json(response, { message: echo(request) }, 500);
      json(response, {
        totalObjects: 3,
        objects: offset > 2 ? [] : [{ opacObjectId: String(offset + 1), title: 'x', recordType: 'object' }],
      });
    });
    const words = ['objects', 'export', '-o', target, '--page-size', '1', '--retries', '0'];
    const ran = await opac(words, withKey(url));
    expect(ran.code).toBe(6);
    const names = await readdir(join(target, '..'));
    expect(names.some((name) => name.endsWith('.manifest.json'))).toBe(true);
    const files = await Promise.all(names.map((name) => readFile(join(target, '..', name), 'utf8')));
    expectNone([ran.stderr, ...files].join('\n'));
  });

  it('does not get them into any report of a check, however it escapes them', async () => {
    const path = await folder();
    const { url } = await serve((request, response) => {
      const id = encodeURIComponent(KEY);
      if (!request.url?.includes('/views')) return json(response, { totalObjects: 0, objects: [] });
      response.setHeader('www-authenticate', `Basic realm="${KEY}"`);
      // So long that the excerpt is cut within one of them.
      json(response, { message: escaped(KEY), more: `${id} ${escaped(KEY)}`.repeat(40) }, 500);
    });
    const formats = ['junit', 'json', 'markdown', 'html', 'github'];
    const reports = formats.flatMap((format) => ['--report', `${format}=${join(path, format)}`]);
    const words = ['check', '--only', 'endpoint.objects.views', '--retries', '0', ...reports];
    const ran = await opac(words, withKey(url));
    expect(ran.code).toBe(7);
    const files = await Promise.all(formats.map((format) => readFile(join(path, format), 'utf8')));
    for (const text of [ran.stdout, ran.stderr, ...files]) expect(text).not.toMatch(/k3y|museum=/i);
    expect(files.every((text) => text.includes('[hidden]'))).toBe(true);
  });

  it.each([400, 401, 500])('does not get those of a login shown by a status of %i', async (status) => {
    const sent: string[] = [];
    const { url } = await serve(async (request, response) => {
      const address = new URL(request.url ?? '', 'http://x');
      if (address.pathname.endsWith('/oauth/authorize')) {
        const back = new URL(address.searchParams.get('redirectURI') ?? '');
        back.searchParams.set('state', address.searchParams.get('state') ?? '');
        back.searchParams.set('code', 'c0de-of-this-login');
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      const body = await text(request);
      const { codeVerifier, code } = JSON.parse(body) as Record<string, string>;
      sent.push(codeVerifier ?? '', code ?? '');
      json(
        response,
        { message: `got ${body}; verifier ${codeVerifier}, secret ${SECRET}, code ${code}` },
        status,
      );
    });
    const environment = {
      OPAC_CLIENT_ID: 'me',
      OPAC_CLIENT_SECRET: SECRET,
      OPAC_REDIRECT_URI: 'http://127.0.0.1:9/back',
      OPAC_BASE_URL: url,
    };
    const ran: RunResult = await opac(['objects', 'list', '--retries', '0', '--debug'], { environment });
    expect(sent.length).toBeGreaterThan(0);
    expect(ran.stderr).toContain('[hidden]');
    for (const secret of [...sent, SECRET]) expect(ran.stderr).not.toContain(secret);
  });
});
