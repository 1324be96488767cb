import { describe, expect, it } from 'vitest';
import { isLoopback, parseBaseUrl } from '../../src/client/base-url.js';

describe('parseBaseUrl', () => {
  it.each([
    ['https://museum.example', 'https://museum.example'],
    ['https://museum.example/', 'https://museum.example'],
    [' https://museum.example/api/v3 ', 'https://museum.example'],
    ['https://museum.example/api/v3/', 'https://museum.example'],
    ['https://museum.example/api/v2', 'https://museum.example'],
    ['https://museum.example/api', 'https://museum.example'],
    ['https://museum.example/collection/api/v3//', 'https://museum.example/collection'],
    ['https://museum.example/api/v3/more', 'https://museum.example/api/v3/more'],
    ['HTTPS://Museum.Example:443/', 'https://museum.example'],
    ['https://museum.example:8443/sub/', 'https://museum.example:8443/sub'],
    ['http://127.0.0.1:8700', 'http://127.0.0.1:8700'],
    ['http://localhost:8700/api/v3', 'http://localhost:8700'],
    ['http://[::1]:8700', 'http://[::1]:8700'],
  ])('reads %j as %j', (text, base) => {
    expect(parseBaseUrl(text)).toBe(base);
  });

  it('takes plain http to another machine only when allowed', () => {
    expect(() => parseBaseUrl('http://museum.example')).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('--allow-http') }),
    );
    expect(parseBaseUrl('http://museum.example', { allowHttp: true })).toBe('http://museum.example');
  });

  it.each([
    '',
    'museum',
    'ftp://museum.example',
    'https://',
    'https://a b',
    'https://museum.example/?q=1',
    'https://m.example/#x',
  ])('refuses %j', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('suggests https for a bare host', () => {
    expect(() => parseBaseUrl('museum.example/api/v3')).toThrow(
      expect.objectContaining({ hint: 'did you mean "https://museum.example/api/v3"?' }),
    );
  });

  it.each([
    'https://me:hunter2@museum.example',
    'me:hunter2@museum.example',
    'ftp://me:hunter2@museum.example',
  ])('refuses credentials in %j without repeating them', (text) => {
    expect.assertions(1);
    try {
      parseBaseUrl(text);
    } catch (error) {
      expect(JSON.stringify({ ...(error as Error), message: (error as Error).message })).not.toContain(
        'hunter2',
      );
    }
  });
});

describe('isLoopback', () => {
  it.each(['localhost', 'museum.localhost', '127.0.0.1', '127.8.9.1', '[::1]'])('knows %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['localhost.example', '128.0.0.1', 'notlocalhost', '127.0.0.1.example', '[::2]'])(
    'does not take %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
