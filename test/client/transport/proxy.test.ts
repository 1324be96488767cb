import { describe, expect, it } from 'vitest';
import { type Environment, findProxy } from '../../../src/client/transport/proxy.js';
import { redactText } from '../../../src/service/redact.js';

const HTTPS = 'https://museum.example';
const HTTP = 'http://museum.example';
const SECURE = { variable: 'HTTPS_PROXY', noProxy: '' } as const;

describe('findProxy', () => {
  it.each<[string, Environment, ReturnType<typeof findProxy>]>([
    [HTTPS, {}, undefined],
    [HTTPS, { HTTPS_PROXY: '' }, undefined],
    [HTTPS, { HTTPS_PROXY: '  ' }, undefined],
    [HTTPS, { HTTPS_PROXY: 'http://p:1' }, { ...SECURE, url: 'http://p:1' }],
    [HTTPS, { HTTPS_PROXY: ' p:1 ' }, { ...SECURE, url: 'http://p:1' }],
    [HTTPS, { HTTPS_PROXY: 'HTTPS://p:1' }, { ...SECURE, url: 'HTTPS://p:1' }],
    [
      HTTPS,
      { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' },
      { ...SECURE, variable: 'https_proxy', url: 'http://q:2' },
    ],
    [HTTPS, { HTTPS_PROXY: 'http://p:1', https_proxy: '' }, undefined],
    // undici would use HTTP_PROXY for https.
    [HTTPS, { HTTP_PROXY: 'http://p:1' }, undefined],
    [HTTP, { HTTP_PROXY: 'http://p:1' }, { variable: 'HTTP_PROXY', url: 'http://p:1', noProxy: '' }],
    [HTTP, { HTTPS_PROXY: 'http://p:1' }, undefined],
    [
      HTTPS,
      { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'https://q:2', no_proxy: 'a,b' },
      { variable: 'HTTPS_PROXY', url: 'https://q:2', noProxy: 'a,b' },
    ],
    ['http://localhost:8700', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['https://127.0.0.1', { HTTPS_PROXY: 'http://p:1' }, undefined],
    // opac does not check variables that it does not use.
    ['http://localhost:8700', { HTTP_PROXY: 'socks5://p:1' }, undefined],
    [HTTPS, { HTTP_PROXY: 'socks5://p:1' }, undefined],
  ])('finds the proxy for %s in %j: %j', (origin, environment, expected) => {
    expect(findProxy(origin, environment)).toEqual(expected);
  });

  it.each(['http://me:pass@', 'socks5://me:pass@p:1', 'socks5h://p:1', 'ftp://p:1', 'file:///p'])(
    'throws an error with the name of the variable, but not its value: %s',
    (http_proxy) => {
      expect(() => findProxy(HTTP, { http_proxy })).toThrow(
        expect.objectContaining({
          kind: 'usage',
          message: 'http_proxy is not the URL of an http or https proxy',
          hint: 'use the form http://proxy.example:8080',
        }),
      );
    },
  );

  it.each([
    ['http://me:pass-of%20proxy@p:1', 'pass-of proxy'],
    ['http://me:pass-100%25-%zz@p:1', 'pass-100%25-%zz'],
  ])('registers the password as a secret: %s', (HTTPS_PROXY, password) => {
    findProxy(HTTPS, { HTTPS_PROXY });
    expect(redactText(`used ${password} there`)).toBe('used [hidden] there');
  });
});
