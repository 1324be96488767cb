import { describe, expect, it } from 'vitest';
import { type Environment, proxiesFor } from '../../../src/client/wire/proxy.js';
import { redact } from '../../../src/service/redact.js';

const HTTPS = 'https://museum.example';
const HTTP = 'http://museum.example';
const NONE = { httpProxy: '', httpsProxy: '', noProxy: '' };

describe('the proxy', () => {
  it.each<[string, Environment, ReturnType<typeof proxiesFor>]>([
    [HTTPS, {}, undefined],
    [HTTPS, { HTTPS_PROXY: '' }, undefined],
    [HTTPS, { HTTPS_PROXY: '  ' }, undefined],
    [HTTPS, { HTTPS_PROXY: 'http://p:1' }, { ...NONE, httpsProxy: 'http://p:1' }],
    [HTTPS, { HTTPS_PROXY: ' p:1 ' }, { ...NONE, httpsProxy: 'http://p:1' }],
    [HTTPS, { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' }, { ...NONE, httpsProxy: 'http://q:2' }],
    [HTTPS, { HTTPS_PROXY: 'http://p:1', https_proxy: '' }, undefined],
    // undici would fall back to it.
    [HTTPS, { HTTP_PROXY: 'http://p:1' }, undefined],
    [HTTP, { HTTP_PROXY: 'http://p:1' }, { ...NONE, httpProxy: 'http://p:1' }],
    [HTTP, { HTTPS_PROXY: 'http://p:1' }, { ...NONE, httpsProxy: 'http://p:1' }],
    [
      HTTPS,
      { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'https://q:2', no_proxy: 'a,b' },
      { httpProxy: 'http://p:1', httpsProxy: 'https://q:2', noProxy: 'a,b' },
    ],
    ['http://localhost:8700', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['https://127.0.0.1', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ])('to %s in %j: %j', (origin, environment, proxies) => {
    expect(proxiesFor(origin, environment)).toEqual(proxies);
  });

  it('of a wrong address is named, and not shown', () => {
    expect(() => proxiesFor(HTTPS, { http_proxy: 'http://me:pass@' })).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: 'HTTP_PROXY is not the address of a proxy',
        hint: 'use the form http://proxy.example:8080',
      }),
    );
  });

  it.each([
    ['http://me:pass-of%20proxy@p:1', 'pass-of proxy'],
    ['http://me:pass-100%25-%zz@p:1', 'pass-100%25-%zz'],
  ])('has a password that is never shown: %s', (HTTPS_PROXY, password) => {
    proxiesFor(HTTPS, { HTTPS_PROXY });
    expect(redact(`used ${password} there`)).toBe('used [hidden] there');
  });
});
