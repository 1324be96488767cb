/** The contents of an HttpError, and the detection of HTML pages and web firewalls. */
import { describe, expect, it } from 'vitest';
import { isFirewallResponse, isHtmlResponse } from '../../../src/client/errors/firewall-response.js';
import { HttpError } from '../../../src/client/errors/http-error.js';

describe('HttpError', () => {
  const createError = (query: string, more: object = {}) =>
    new HttpError({
      kind: 'deployment',
      request: { method: 'GET', path: '/a', query: [['query', query]] },
      message: 'no',
      ...more,
    });

  it('shows at most 200 characters of the path in its message', () => {
    const room = 200 - '/a?query='.length;
    expect(createError('x'.repeat(room)).message).toBe(`no (GET /a?query=${'x'.repeat(room)})`);
    expect(createError('x'.repeat(room + 1)).message).toBe(`no (GET /a?query=${'x'.repeat(room)}…)`);
    expect(createError('x'.repeat(500)).path).toHaveLength('/a?query='.length + 500);
  });

  it.each([
    ['/opacobjects', '/opacobjects?code=s3cret'],
    ['/oauth/token', '/oauth/token'],
  ])('hides the parameters of /oauth/token, and of no other path: %s', (path, shown) => {
    const request = { method: 'POST', path: `${path}?code=s3cret` } as const;
    expect(new HttpError({ kind: 'auth', request, message: 'no' })).toMatchObject({
      path: path === '/oauth/token' ? `${path}?code=[hidden]` : shown,
      message: `no (POST ${shown})`,
      name: 'HttpError',
      method: 'POST',
    });
  });

  it('has by default its kind as code, no retry and no response', () => {
    expect(createError('x')).toMatchObject({
      code: 'deployment',
      retry: 'never',
      retries: 0,
      status: undefined,
    });
    const more = { code: 'busy', retry: 'always', response: { status: 429, retries: 2 }, hint: 'wait' };
    expect(createError('x', more)).toMatchObject({
      code: 'busy',
      retry: 'always',
      retries: 2,
      status: 429,
      hint: 'wait',
    });
  });
});

describe('the detection of HTML and firewalls', () => {
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
  ])('classifies %j: HTML %s, firewall %s', (received, isHtml, isFirewall) => {
    expect(isHtmlResponse(received)).toBe(isHtml);
    expect(isFirewallResponse(received)).toBe(isFirewall);
  });
});
