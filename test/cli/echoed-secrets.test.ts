/** A deployment repeats the credentials in its responses. opac neither prints nor stores them. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendJson, serve } from '../client/server.js';
import { opac, type RunResult } from './run-in-process.js';

const KEY = 'k3y-Of/The+museum=';
const SECRET = 'cl13nt s3cret/of+museum';

const FORMS = [KEY, SECRET].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]);

function expectNoSecrets(shown: string): void {
  for (const form of FORMS) expect(shown).not.toContain(form);
}

function echo(request: IncomingMessage): string {
  const key = request.headers.authorization?.replace('Basic ', '') ?? '';
  const encoded = `${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')}`;
  return `the key "${key}" ${encoded} is bad: ${JSON.stringify(request.headers)}`;
}

const withKey = (url: string) => ({ environment: { OPAC_BASE_URL: url, OPAC_BASIC_KEY: KEY } });

async function createFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'opac-echo-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Returns the key with the escapes that servers use in error pages, logs and JSON. */
function escapeKey(key: string): string {
  const escapeWith = (write: (code: string) => string) =>
    key.replace(/\W/g, (character) => write(character.charCodeAt(0).toString(16)));
  return [
    escapeWith((code) => `\\u00${code}`),
    escapeWith((code) => `&#x${code};`),
    escapeWith((code) => `%25${code}`),
    key.replaceAll('/', '\\/'),
    key.toUpperCase(),
  ].join(' ');
}

describe('credentials that a service repeats', () => {
  it.each([
    [401, 'message'],
    [500, 'message'],
    [400, 'error'],
    [418, 'message'],
  ])('are hidden in the message of a response with status %i', async (status, name) => {
    const { url } = await serve((request, response) => sendJson(response, { [name]: echo(request) }, status));
    for (const flags of [[], ['--debug']]) {
      const { stdout, stderr } = await opac(['objects', 'list', '--retries', '0', ...flags], withKey(url));
      expect(stderr).toContain('[hidden]');
      expectNoSecrets(stdout + stderr);
    }
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['damaged JSON', (request, response) => response.end(`{"a": ${request.headers.authorization}`)],
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
  ])('are not printed if they are in %s', async (_, listener) => {
    const { url } = await serve(listener);
    const result = await opac(['objects', 'list', '--retries', '0', '--debug'], withKey(url));
    expect(result.code).toBe(5);
    expectNoSecrets(result.stdout + result.stderr);
  });

  it('are not written to the files of an export', async () => {
    const target = join(await createFolder(), 'o.ndjson');
    const { url } = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const offset = Number(searchParams.get('offset') ?? 0);
      if (offset === 1) return sendJson(response, { message: echo(request) }, 500);
      sendJson(response, {
        totalObjects: 3,
        objects: offset > 2 ? [] : [{ opacObjectId: String(offset + 1), title: 'x', recordType: 'object' }],
      });
    });
    const words = ['objects', 'export', '-o', target, '--page-size', '1', '--retries', '0'];
    const result = await opac(words, withKey(url));
    expect(result.code).toBe(6);
    const names = await readdir(join(target, '..'));
    expect(names.some((name) => name.endsWith('.manifest.json'))).toBe(true);
    const files = await Promise.all(names.map((name) => readFile(join(target, '..', name), 'utf8')));
    expectNoSecrets([result.stderr, ...files].join('\n'));
  });

  it('are hidden in all reports of a check, also if they are escaped', async () => {
    const path = await createFolder();
    const { url } = await serve((request, response) => {
      const id = encodeURIComponent(KEY);
      if (!request.url?.includes('/views')) return sendJson(response, { totalObjects: 0, objects: [] });
      response.setHeader('www-authenticate', `Basic realm="${KEY}"`);
      // The message is so long that its excerpt ends within a key.
      sendJson(response, { message: escapeKey(KEY), more: `${id} ${escapeKey(KEY)}`.repeat(40) }, 500);
    });
    const formats = ['junit', 'json', 'markdown', 'html', 'github'];
    const reports = formats.flatMap((format) => ['--report', `${format}=${join(path, format)}`]);
    const words = ['check', '--only', 'endpoint.objects.views', '--retries', '0', ...reports];
    const result = await opac(words, withKey(url));
    expect(result.code).toBe(7);
    const files = await Promise.all(formats.map((format) => readFile(join(path, format), 'utf8')));
    for (const text of [result.stdout, result.stderr, ...files]) expect(text).not.toMatch(/k3y|museum=/i);
    expect(files.every((text) => text.includes('[hidden]'))).toBe(true);
  });

  it.each([400, 401, 500])('are hidden in the error of a login with status %i', async (status) => {
    const sent: string[] = [];
    const { url } = await serve(async (request, response) => {
      const address = new URL(request.url ?? '', 'http://x');
      if (address.pathname.endsWith('/oauth/authorize')) {
        const redirect = new URL(address.searchParams.get('redirectURI') ?? '');
        redirect.searchParams.set('state', address.searchParams.get('state') ?? '');
        redirect.searchParams.set('code', 'c0de-of-this-login');
        response.writeHead(302, { location: redirect.href }).end();
        return;
      }
      const body = await text(request);
      const { codeVerifier, code } = JSON.parse(body) as Record<string, string>;
      sent.push(codeVerifier ?? '', code ?? '');
      sendJson(
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
    const result: RunResult = await opac(['objects', 'list', '--retries', '0', '--debug'], { environment });
    expect(sent.length).toBeGreaterThan(0);
    expect(result.stderr).toContain('[hidden]');
    for (const secret of [...sent, SECRET]) expect(result.stderr).not.toContain(secret);
  });
});
