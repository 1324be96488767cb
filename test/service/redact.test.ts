import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpacError } from '../../src/service/errors.js';
import { keepSecret, redact, redactSecrets } from '../../src/service/redact.js';

const SECRET = 'S3cr3tV4lue';

describe('redact', () => {
  it.each([
    `Authorization: Bearer ${SECRET}`,
    `authorization: Basic ${SECRET}==`,
    `authorization: ${SECRET}`,
    `{"authorization":"Bearer ${SECRET}"}`,
    `{ 'authorization': 'Basic ${SECRET}' }`,
    `-H 'Authorization: Bearer ${SECRET}' next`,
    `sent Bearer ${SECRET} and failed`,
    `{"accessToken":"${SECRET}","tokenType":"bearer"}`,
    `{"clientSecret" : "${SECRET}"}`,
    `"{\\"codeVerifier\\":\\"${SECRET}\\"}"`,
    `/oauth/authorize?clientId=me&state=${SECRET}&codeChallenge=${SECRET}&x=1`,
    `code=${SECRET}`,
    `https://app.example/back?code=${SECRET}`,
    `https://me:${SECRET}@museum.example/`,
    `Proxy-Authorization: Basic ${SECRET}`,
  ])('takes the secret out of %s', (text) => {
    const clean = redact(text);
    expect(clean).not.toContain(SECRET);
    expect(clean).toContain('[hidden]');
  });

  it.each([
    '/opacobjects?query=postcode%3A%221010%22&collection_code=7&limit=100',
    '{"objectCode":"7","status":"code red","zipcode":1}',
    'the bearer of this letter',
    'see https://museum.example/a@b',
  ])('leaves %s as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('takes known values out wherever they stand, also percent-encoded', () => {
    keepSecret('pā+ss/wā');
    keepSecret('me');
    expect(redact('a=p%C4%81%2Bss%2Fw%C4%81 pā+ss/wā p%c4%81%2bss%2fw%c4%81')).not.toMatch(/ss/);
    expect(redact('for me')).toBe('for me');
  });

  const encodings: readonly (readonly [how: string, encode: (secret: string) => string])[] = [
    ['as it is', (secret) => secret],
    ['percent-encoded', encodeURIComponent],
    [
      'percent-encoded in lower case',
      (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
    ],
    ['in a form', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
    ['in base64', (secret) => Buffer.from(secret).toString('base64')],
    ['in base64 behind one byte', (secret) => Buffer.from(`:${secret}:`).toString('base64')],
    ['in base64 behind two bytes', (secret) => Buffer.from(`u:${secret}`).toString('base64')],
    ['in base64 for addresses', (secret) => Buffer.from(`me:${secret}`).toString('base64url')],
  ];
  it.each(encodings)('takes any known value out %s', (_, encode) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (drawn) => {
        const secret = `${drawn.trim()}/a+b c"d`;
        keepSecret(secret);
        const shown = encode(secret);
        // The letters at the ends of base64 are those of the neighbours as well.
        const core = shown.slice(3, -3);
        expect(redactSecrets(`before ${shown} behind`)).not.toContain(core);
      }),
    );
  });

  it('hides secrets that overlap whole', () => {
    keepSecret('abcdefghij');
    keepSecret('ghijklmnop');
    keepSecret('cdefgh');
    expect(redactSecrets('x abcdefghijklmnop y')).toBe('x [hidden] y');
  });

  it('keeps secrets out of every error, its hint and its causes', () => {
    keepSecret('S3cr3t-of-errors');
    const library = new Error('sent S3cr3t-of-errors', { cause: new TypeError('got S3cr3t-of-errors') });
    const error = new OpacError('deployment', 'it said S3cr3t-of-errors', {
      hint: 'not S3cr3t-of-errors',
      cause: library,
    });
    expect(inspect(error, { depth: 9 })).not.toContain('S3cr3t-of-errors');
    expect(error.message).toBe('it said [hidden]');
    expect(error.hint).toBe('not [hidden]');
  });
});

it('a secret in use is known however many tokens come after it', () => {
  keepSecret('client-secret-in-use');
  for (let renewal = 0; renewal < 500; renewal++) {
    keepSecret('client-secret-in-use');
    keepSecret(`token-number-${renewal}`);
    expect(redact('seen client-secret-in-use')).toBe('seen [hidden]');
  }
});
