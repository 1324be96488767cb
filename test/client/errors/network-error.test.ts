/** The code, the retry policy and the message for each cause of a failed connection, also for nested causes. */
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/client/errors/http-error.js';
import { createNetworkError } from '../../../src/client/errors/network-error.js';

const GET = { method: 'GET', path: '/opacobjects' } as const;
const TO = { origin: 'https://museum.example:8443', host: 'museum.example:8443', timeout: 7 };

const coded = (code: unknown, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });

describe('createNetworkError', () => {
  it.each<[string, unknown, string, string, string]>([
    [
      'a host that was found before',
      coded('ENOTFOUND'),
      'host-not-found',
      'once-reached',
      '"museum.example:8443"',
    ],
    ['headers without end', coded('UND_ERR_HEADERS_OVERFLOW'), 'unexpected-response', 'always', 'headers'],
    ['a look-up that may pass', coded('EAI_AGAIN'), 'host-not-found', 'always', 'cannot look up'],
    [
      'a slow connection',
      coded('ETIMEDOUT'),
      'timeout',
      'always',
      'to https://museum.example:8443 within 7 s',
    ],
    [
      'a certificate',
      coded('CERT_HAS_EXPIRED'),
      'certificate',
      'never',
      'of museum.example:8443 has expired',
    ],
    [
      'a deep cause',
      new TypeError('f', { cause: coded('ECONNREFUSED') }),
      'connection-refused',
      'always',
      'refused',
    ],
    [
      'a code unknown above one known',
      coded('X', coded('EPROTO')),
      'not-https',
      'never',
      'does not use HTTPS',
    ],
    ['a code that is a number', coded(7, coded('ENETDOWN')), 'host-unreachable', 'always', 'cannot reach'],
    [
      'a proxy that asks',
      new Error('Proxy response (407) !'),
      'proxy',
      'never',
      'user name and password (407)',
    ],
    ['a proxy that asks in words', new Error('Proxy Authentication Required'), 'proxy', 'never', '(407)'],
    ['a proxy that refuses', new Error('Proxy response (502)'), 'proxy', 'always', 'refused to connect'],
    [
      'a proxy deep down',
      new Error('f', { cause: new Error('Proxy response (403)') }),
      'proxy',
      'always',
      'refused',
    ],
    [
      'one who speaks of proxies',
      new Error('no Proxy response (407)'),
      'connection-lost',
      'always',
      'was lost',
    ],
    ['a code that nobody knows', coded('EWHATEVER'), 'connection-lost', 'always', 'was lost'],
    ['a name of the prototype', coded('constructor'), 'connection-lost', 'always', 'was lost'],
    ['no error at all', 'broken', 'connection-lost', 'always', 'was lost'],
  ])('returns the code, retry policy, message and a hint for %s', (_, cause, code, retry, expected) => {
    const error = createNetworkError(GET, cause, TO);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ kind: 'deployment', code, retry, cause, status: undefined });
    expect(error.message).toContain(expected);
    expect(error.message).toMatch(/ \(GET \/opacobjects\)$/);
    expect(error.hint).toMatch(/./);
  });
});
