import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpacError } from '../../src/service/errors.js';
import {
  clearSecrets,
  redactError,
  redactKnownSecrets,
  redactText,
  registerSecret,
} from '../../src/service/redact.js';

const SECRET = 'S3cr3tV4lue';

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const escapeAscii = (secret: string, write: (character: string) => string) =>
  secret.replace(/[\0-\x7f]/g, write);
const escapeAsHtmlNames = (secret: string) =>
  secret.replace(
    /[&"'/+=]/g,
    (c) => ({ '&': '&amp;', '"': '&quot;', "'": '&apos;', '/': '&sol;' })[c] ?? `&#${c.charCodeAt(0)};`,
  );

describe('redaction', () => {
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
    `code=${SECRET}&state=x`,
    `https://me:${SECRET}@museum.example/`,
    `Proxy-Authorization: Basic ${SECRET}`,
    `https://app.example/back?state=${SECRET}&code=${SECRET}`,
    `location: https://app.example/back?state=${SECRET}&code=x`,
    `{"code":"${SECRET}","grantType":"code"}`,
    `{"grant_type":"authorization_code","code":"${SECRET}"}`,
    `{\\"state\\":\\"${SECRET}\\",\\"clientId\\":\\"me\\"}`,
    `GET /oauth/authorize was answered with {"state":"${SECRET}"}`,
  ])('removes the secret from %s', (text) => {
    const clean = redactText(text);
    expect(clean).not.toContain(SECRET);
    expect(clean).toContain('[hidden]');
  });

  it.each([
    '/opacobjects?query=postcode%3A%221010%22&collection_code=7&limit=100',
    '{"objectCode":"7","status":"code red","zipcode":1}',
    'the bearer of this letter',
    '{"state":"Victoria","code":"ABC-12"}',
    '"{\\"code\\":\\"ABC-12\\"}"',
    'https://museum.example/places?country=AU&state=Victoria',
    'unknown field in state=Victoria',
    'https://museum.example/item?code=ABC-12',
    'GET /opacobjects?code=ABC-12 returned 500',
    'see https://museum.example/a@b',
  ])('does not change %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('removes registered secrets, also percent-encoded, but not a secret of two letters', () => {
    registerSecret('pā+ss/wā');
    registerSecret('me');
    expect(redactText('a=p%C4%81%2Bss%2Fw%C4%81 pā+ss/wā p%c4%81%2bss%2fw%c4%81')).not.toMatch(/ss/);
    expect(redactText('for me')).toBe('for me');
  });

  const encodings: readonly (readonly [how: string, encode: (secret: string) => string])[] = [
    ['without encoding', (secret) => secret],
    ['percent-encoded', encodeURIComponent],
    [
      'percent-encoded in lower case',
      (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
    ],
    ['in a form body', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
    ['in base64', (secret) => Buffer.from(secret).toString('base64')],
    ['in base64 after one byte', (secret) => Buffer.from(`:${secret}:`).toString('base64')],
    ['in base64 after two bytes', (secret) => Buffer.from(`u:${secret}`).toString('base64')],
    ['in base64url', (secret) => Buffer.from(`me:${secret}`).toString('base64url')],
    ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['with every ASCII character percent-encoded', (secret) => escapeAscii(secret, (c) => `%${hex(c)}`)],
    ['in JSON with every ASCII character escaped', (secret) => escapeAscii(secret, (c) => `\\u00${hex(c)}`)],
    ['in JSON inside JSON', (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in JSON with escaped slashes', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['in decimal HTML references', (secret) => escapeAscii(secret, (c) => `&#${c.charCodeAt(0)};`)],
    ['in hexadecimal HTML references', (secret) => escapeAscii(secret, (c) => `&#X00${hex(c)};`)],
    ['in named HTML references', (secret) => escapeAsHtmlNames(secret)],
    ['in a URL in HTML', (secret) => escapeAsHtmlNames(encodeURIComponent(secret)).replaceAll('%', '&#37;')],
    ['in hexadecimal', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
    ['in lower case', (secret) => secret.toLowerCase()],
    ['in percent-encoded base64', (secret) => encodeURIComponent(Buffer.from(secret).toString('base64'))],
  ];
  it.each(encodings)('removes any registered secret %s', (_, encode) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (drawn) => {
        const secret = `${drawn.trim()}/a+b c"d`;
        registerSecret(secret);
        const shown = encode(secret);
        // The first and the last characters of base64 also depend on the neighbours of the secret.
        const core = shown.slice(3, -3);
        expect(redactKnownSecrets(`before ${shown} behind`)).not.toContain(core);
      }),
    );
  });

  it('removes overlapping secrets completely', () => {
    registerSecret('abcdefghij');
    registerSecret('ghijklmnop');
    registerSecret('cdefgh');
    expect(redactKnownSecrets('x abcdefghijklmnop y')).toBe('x [hidden] y');
    registerSecret('121212');
    expect(redactKnownSecrets('x 121212121212121 y')).toBe('x [hidden]1 y');
    // "cdefgh" is inside "abcdefghij", and ends before it.
    expect(redactKnownSecrets('x abcdefghij y')).toBe('x [hidden] y');
  });

  it('removes secrets from all texts of an OpacError and from its causes', () => {
    registerSecret('S3cr3t-of-errors');
    const library = new Error('sent S3cr3t-of-errors', { cause: new TypeError('got S3cr3t-of-errors') });
    const error = new OpacError('deployment', 'it said S3cr3t-of-errors', {
      hint: 'not S3cr3t-of-errors',
      resume: 'opac objects export S3cr3t-of-errors --resume',
      ids: ['1', 'S3cr3t-of-errors'],
      cause: library,
    });
    expect(inspect(error, { depth: 9 })).not.toContain('S3cr3t-of-errors');
    expect(error.message).toBe('it said [hidden]');
    expect(error.hint).toBe('not [hidden]');
    expect(error.resume).toBe('opac objects export [hidden] --resume');
    expect(error.ids).toEqual(['1', '[hidden]']);
    expect(error.cause).toBe(library);
    expect(library).toMatchObject({ message: 'sent [hidden]', cause: { message: 'got [hidden]' } });
  });

  it('redacts the stack of an error that is its own cause, and returns a text unchanged', () => {
    registerSecret('S3cr3t-of-stacks');
    const loop = new Error('clean');
    loop.cause = loop;
    loop.stack = 'Error: clean\n    at S3cr3t-of-stacks';
    expect(redactError(loop)).toBe(loop);
    expect(loop.stack).toBe('Error: clean\n    at [hidden]');
    // The properties are still writable, because libraries change their errors.
    loop.message = 'changed';
    loop.stack = 'changed';
    expect(redactError('S3cr3t-of-stacks')).toBe('S3cr3t-of-stacks');
  });

  it('redacts a cause without a stack, also below errors without secrets', () => {
    registerSecret('S3cret-of-a-cause');
    const cause = new Error('got S3cret-of-a-cause');
    Reflect.deleteProperty(cause, 'stack');
    redactError(new Error('failed', { cause: new Error('also', { cause }) }));
    expect(cause.message).toBe('got [hidden]');
    expect(cause.stack ?? '').toBe('');
  });

  it('redacts errors that cause each other, also with the secret "hidden"', () => {
    registerSecret('hidden');
    const one = new Error('it was hidden');
    one.cause = new Error('hidden there', { cause: one });
    redactError(one);
    expect(one).toMatchObject({ message: 'it was [hidden]', cause: { message: '[hidden] there' } });
    clearSecrets();
    expect(redactKnownSecrets('hidden')).toBe('hidden');
  });

  it('redacts an error with a read-only message, and again after another secret is registered', () => {
    registerSecret('S3cret-of-an-abort');
    const error = new DOMException('stopped S3cret-of-an-abort and another-one');
    redactError(error);
    registerSecret('another-one');
    redactError(error);
    expect(error.message).toBe('stopped [hidden] and [hidden]');
    expect(error.stack).not.toMatch(/S3cret|another/);
  });

  it.each([
    ['that was registered with a line break', 'pasted-value-1\n', 'pasted-value-1'],
    ['of six characters', 'sixsix', 'sixsix'],
    ['with characters that only strict encoders escape', "a!b'c(d)e*f", 'a%21b%27c%28d%29e%2Af'],
    ['with spaces, in a form body', 'two words!', 'two+words%21'],
    ['without its base64 padding', 'dXNlcjpTM2NyZXRQYXNzdzByZA==', 'dXNlcjpTM2NyZXRQYXNzdzByZA'],
    ['in base64url', 'k3y>>>???~~~', Buffer.from('k3y>>>???~~~').toString('base64url')],
  ])('recognizes a secret %s', (_, secret, shown) => {
    registerSecret(secret);
    expect(redactKnownSecrets(shown)).toBe('[hidden]');
    expect(redactKnownSecrets(`${shown} at the beginning`)).toBe('[hidden] at the beginning');
  });

  it('removes the password of a Basic key, and keeps the user name and unrelated escapes', () => {
    registerSecret(Buffer.from('museum:opensesame').toString('base64'));
    expect(redactKnownSecrets('no user museum with the password "opensesame"')).toBe(
      'no user museum with the password "[hidden]"',
    );
    registerSecret(Buffer.from('museum-key-1').toString('base64'));
    expect(redactKnownSecrets('unknown key museum-key-1')).toBe('unknown key [hidden]');
    expect(redactKnownSecrets('100%25 &amp; \\u0041')).toBe('100%25 &amp; \\u0041');
  });

  it('ignores an undefined secret and a secret of five letters', () => {
    registerSecret(undefined);
    registerSecret('fives');
    expect(redactKnownSecrets('fives')).toBe('fives');
  });

  it('keeps the scheme of an Authorization header', () => {
    expect(redactText('Authorization: Basic abcdef')).toBe('Authorization: Basic [hidden]');
    expect(redactText('authorization: abcdef')).toBe('authorization: [hidden]');
  });
});

it('recognizes a secret in use after hundreds of newer tokens, and forgets old tokens', () => {
  registerSecret('client-secret-in-use');
  for (let renewal = 0; renewal < 500; renewal++) {
    registerSecret('client-secret-in-use');
    registerSecret(`token-number-${renewal}`);
    expect(redactText('seen client-secret-in-use')).toBe('seen [hidden]');
  }
  // Only the latest tokens are known, so that a program that renews tokens for years does not slow down.
  expect(redactText('token-number-499')).toBe('[hidden]');
  expect(redactText('token-number-301')).toBe('[hidden]');
  expect(redactText('token-number-300')).toBe('token-number-300');
});

it.each([
  'sent Basic dXNlcjpwYXNz to you',
  'key Basic dXNlcjpwYXNz bad',
  'BEARER dXNlcjpwYXNz',
  'a "basic dXNlcjpwYXNz", b',
])('removes a credential that was not registered from %j', (text) => {
  expect(redactText(text)).not.toContain('dXNlcjpwYXNz');
  expect(redactText(text)).toMatch(/(?:basic|bearer) \[hidden\]/i);
});
