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
    ['https://museum.example/API/V12', 'https://museum.example'],
    ['https://museum.example/api/v3x', 'https://museum.example/api/v3x'],
    ['https://museum.example/my-api', 'https://museum.example/my-api'],
    ['https://museum.example/a//api', 'https://museum.example/a'],
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

  it('accepts http to another machine only with allowHttp', () => {
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

  const EXAMPLE = 'use a URL like https://museum.example';

  it.each([
    ['', 'must begin with https:// or http://', EXAMPLE],
    ['museum', 'must begin with https:// or http://', 'did you mean "https://museum"?'],
    [' museum ', 'must begin with https:// or http://', 'did you mean "https://museum"?'],
    ['127.0.0.1:8773', 'must begin with https:// or http://', 'did you mean "http://127.0.0.1:8773"?'],
    ['two words', 'must begin with https:// or http://', EXAMPLE],
    ['http:/127.0.0.1:80/x', 'must begin with', 'did you mean "http://127.0.0.1:80/x"?'],
    ['https:museum', 'must begin with', 'did you mean "https://museum"?'],
    ['ftp://museum.example', 'must begin with https:// or http://', EXAMPLE],
    ['x https://museum.example', 'must begin with https:// or http://', EXAMPLE],
    ['me@museum.example', 'must begin with https:// or http://', EXAMPLE],
    ['https://', 'is not a valid URL', EXAMPLE],
    ['https://a b', 'is not a valid URL', EXAMPLE],
    ['https://museum.example/?q=1', 'contains a query (?)', EXAMPLE],
    ['https://museum.example/#x', 'or a fragment (#)', EXAMPLE],
    ['https://me@museum.example', 'contains a user name', `${EXAMPLE}, and log in with "opac login"`],
    ['https://:pass@museum.example', 'contains a user name', `${EXAMPLE}, and log in with "opac login"`],
    [
      'http://a.example:81',
      'anyone between here and a.example:81 can read',
      'use https, or add --allow-http',
    ],
    [
      'http://localhost.example',
      'anyone between here and localhost.example',
      'use https, or add --allow-http',
    ],
  ])('throws an error with the cause and a hint for %j', (text, message, hint) => {
    expect(() => parseBaseUrl(text)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
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
  ])('refuses credentials in %j without showing them', (text) => {
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
  it.each(['localhost', 'museum.LocalHost', '127.0.0.1', '127.8.9.1', '[::1]'])(
    'returns true for %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );
  it.each([
    'localhost.example',
    '.localhost',
    '1127.0.0.1',
    '127.0.0',
    '127.0.0.0.1',
    'x[::1]',
    '128.0.0.1',
    'notlocalhost',
    '127.0.0.1.example',
    '[::2]',
  ])('returns false for %s', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
