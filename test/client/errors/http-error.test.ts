/** What an error of a request shows, and which responses are a web firewall's. */
import { describe, expect, it } from 'vitest';
import { isFirewallResponse, isHtmlResponse } from '../../../src/client/errors/firewall-response.js';
import { HttpError } from '../../../src/client/errors/http-error.js';

describe('the error of a request', () => {
  const of = (query: string, more: object = {}) =>
    new HttpError({
      kind: 'deployment',
      request: { method: 'GET', path: '/a', query: [['query', query]] },
      message: 'no',
      ...more,
    });

  it('shows a path of up to 200 characters', () => {
    const room = 200 - '/a?query='.length;
    expect(of('x'.repeat(room)).message).toBe(`no (GET /a?query=${'x'.repeat(room)})`);
    expect(of('x'.repeat(room + 1)).message).toBe(`no (GET /a?query=${'x'.repeat(room)}…)`);
    expect(of('x'.repeat(500)).path).toHaveLength('/a?query='.length + 500);
  });

  it.each([
    ['/opacobjects', '/opacobjects?code=s3cret'],
    ['/oauth/token', '/oauth/token'],
  ])('shows no parameters of OAuth: %s', (path, shown) => {
    const request = { method: 'POST', path: `${path}?code=s3cret` } as const;
    expect(new HttpError({ kind: 'auth', request, message: 'no' })).toMatchObject({
      path: path === '/oauth/token' ? `${path}?code=[hidden]` : shown,
      message: `no (POST ${shown})`,
      name: 'HttpError',
      method: 'POST',
    });
  });

  it('is one of its kind, not to be repeated, and without a response, unless it is told otherwise', () => {
    expect(of('x')).toMatchObject({ code: 'deployment', retry: 'never', retries: 0, status: undefined });
    const more = { code: 'busy', retry: 'always', response: { status: 429, retries: 2 }, hint: 'wait' };
    expect(of('x', more)).toMatchObject({
      code: 'busy',
      retry: 'always',
      retries: 2,
      status: 429,
      hint: 'wait',
    });
  });
});

describe('a response', () => {
  const response = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) => ({
    status,
    headers,
    bytes: Buffer.from(body),
    elapsed: 1,
  });
  const type = (value: string) => ({ 'content-type': value });

  it.each([
    [response(200, '{}', type('text/html')), true, false],
    [response(202, '{}', type('text/HTML;charset=utf-8')), true, true],
    [response(403, '\n\t <p>'), true, true],
    [response(404, '<p>'), true, false],
    [response(403, `${' '.repeat(64)}<p>`), false, false],
    [response(403, '{"a":"<p>"}'), false, false],
    [response(403, '{}', type('application/xhtml')), false, false],
    [response(202, ''), false, false],
    [response(200, '{}', { 'x-amzn-waf-action': '' }), false, true],
  ])('%j: of the web %s, of a firewall %s', (received, page, firewall) => {
    expect(isHtmlResponse(received)).toBe(page);
    expect(isFirewallResponse(received)).toBe(firewall);
  });
});
