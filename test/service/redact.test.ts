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
const escapedBy = (secret: string, write: (character: string) => string) =>
  secret.replace(/[\0-\x7f]/g, write);
const escapedNames = (secret: string) =>
  secret.replace(
    /[&"'/+=]/g,
    (c) => ({ '&': '&amp;', '"': '&quot;', "'": '&apos;', '/': '&sol;' })[c] ?? `&#${c.charCodeAt(0)};`,
  );

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
    `code=${SECRET}&state=x`,
    `https://me:${SECRET}@museum.example/`,
    `Proxy-Authorization: Basic ${SECRET}`,
    `https://app.example/back?state=${SECRET}&code=${SECRET}`,
    `location: https://app.example/back?state=${SECRET}&code=x`,
    `{"code":"${SECRET}","grantType":"code"}`,
    `{"grant_type":"authorization_code","code":"${SECRET}"}`,
    `{\\"state\\":\\"${SECRET}\\",\\"clientId\\":\\"me\\"}`,
    `GET /oauth/authorize was answered with {"state":"${SECRET}"}`,
  ])('takes the secret out of %s', (text) => {
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
  ])('leaves %s as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('takes known values out wherever they stand, also percent-encoded', () => {
    registerSecret('pā+ss/wā');
    registerSecret('me');
    expect(redactText('a=p%C4%81%2Bss%2Fw%C4%81 pā+ss/wā p%c4%81%2bss%2fw%c4%81')).not.toMatch(/ss/);
    expect(redactText('for me')).toBe('for me');
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
    ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['percent-encoded to the last letter', (secret) => escapedBy(secret, (c) => `%${hex(c)}`)],
    ['in JSON that escapes', (secret) => escapedBy(secret, (c) => `\\u00${hex(c)}`)],
    ['in JSON within JSON', (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in JSON of PHP', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['in HTML', (secret) => escapedBy(secret, (c) => `&#${c.charCodeAt(0)};`)],
    ['in HTML, hexadecimal', (secret) => escapedBy(secret, (c) => `&#X00${hex(c)};`)],
    ['in HTML by names', (secret) => escapedNames(secret)],
    [
      'in an address within HTML',
      (secret) => escapedNames(encodeURIComponent(secret)).replaceAll('%', '&#37;'),
    ],
    ['in hexadecimal', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
    ['in lower case', (secret) => secret.toLowerCase()],
    ['in base64 of an address', (secret) => encodeURIComponent(Buffer.from(secret).toString('base64'))],
  ];
  it.each(encodings)('takes any known value out %s', (_, encode) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (drawn) => {
        const secret = `${drawn.trim()}/a+b c"d`;
        registerSecret(secret);
        const shown = encode(secret);
        // The letters at the ends of base64 are those of the neighbours as well.
        const core = shown.slice(3, -3);
        expect(redactKnownSecrets(`before ${shown} behind`)).not.toContain(core);
      }),
    );
  });

  it('hides secrets that overlap whole', () => {
    registerSecret('abcdefghij');
    registerSecret('ghijklmnop');
    registerSecret('cdefgh');
    expect(redactKnownSecrets('x abcdefghijklmnop y')).toBe('x [hidden] y');
    registerSecret('121212');
    expect(redactKnownSecrets('x 121212121212121 y')).toBe('x [hidden]1 y');
    // One that lies in another and ends before it.
    expect(redactKnownSecrets('x abcdefghij y')).toBe('x [hidden] y');
  });

  it('keeps secrets out of every error, its hint and its causes', () => {
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

  it('cleans a stack and a chain of causes that bites its tail, and leaves what is clean alone', () => {
    registerSecret('S3cr3t-of-stacks');
    const loop = new Error('clean');
    loop.cause = loop;
    loop.stack = 'Error: clean\n    at S3cr3t-of-stacks';
    expect(redactError(loop)).toBe(loop);
    expect(loop.stack).toBe('Error: clean\n    at [hidden]');
    // It can still be changed, as errors of libraries are.
    loop.message = 'changed';
    loop.stack = 'changed';
    expect(redactError('S3cr3t-of-stacks')).toBe('S3cr3t-of-stacks');
  });

  it('cleans a cause below an error that is clean, and one without a stack', () => {
    registerSecret('S3cret-of-a-cause');
    const cause = new Error('got S3cret-of-a-cause');
    Reflect.deleteProperty(cause, 'stack');
    redactError(new Error('failed', { cause: new Error('also', { cause }) }));
    expect(cause.message).toBe('got [hidden]');
    expect(cause.stack ?? '').toBe('');
  });

  it('ends with errors that cause each other, whatever the secret is', () => {
    registerSecret('hidden');
    const one = new Error('it was hidden');
    one.cause = new Error('hidden there', { cause: one });
    redactError(one);
    expect(one).toMatchObject({ message: 'it was [hidden]', cause: { message: '[hidden] there' } });
    clearSecrets();
    expect(redactKnownSecrets('hidden')).toBe('hidden');
  });

  it('cleans an error whose message cannot be assigned, and once more for a later secret', () => {
    registerSecret('S3cret-of-an-abort');
    const error = new DOMException('stopped S3cret-of-an-abort and another-one');
    redactError(error);
    registerSecret('another-one');
    redactError(error);
    expect(error.message).toBe('stopped [hidden] and [hidden]');
    expect(error.stack).not.toMatch(/S3cret|another/);
  });

  it.each([
    ['with the line break of a file', 'pasted-value-1\n', 'pasted-value-1'],
    ['of six characters', 'sixsix', 'sixsix'],
    ['with signs that only strict encoders encode', "a!b'c(d)e*f", 'a%21b%27c%28d%29e%2Af'],
    ['with blanks, in a form', 'two words!', 'two+words%21'],
    ['without its padding', 'dXNlcjpTM2NyZXRQYXNzdzByZA==', 'dXNlcjpTM2NyZXRQYXNzdzByZA'],
    ['in base64 for addresses', 'k3y>>>???~~~', Buffer.from('k3y>>>???~~~').toString('base64url')],
  ])('knows a secret %s', (_, secret, shown) => {
    registerSecret(secret);
    expect(redactKnownSecrets(shown)).toBe('[hidden]');
    expect(redactKnownSecrets(`${shown} at the beginning`)).toBe('[hidden] at the beginning');
  });

  it('knows the user and password of a basic key, and hides what stands between nothing', () => {
    registerSecret(Buffer.from('museum:opensesame').toString('base64'));
    expect(redactKnownSecrets('no user museum with the password "opensesame"')).toBe(
      'no user museum with the password "[hidden]"',
    );
    registerSecret(Buffer.from('museum-key-1').toString('base64'));
    expect(redactKnownSecrets('unknown key museum-key-1')).toBe('unknown key [hidden]');
    expect(redactKnownSecrets('100%25 &amp; \\u0041')).toBe('100%25 &amp; \\u0041');
  });

  it('knows none that is empty, or shorter than words are', () => {
    registerSecret(undefined);
    registerSecret('fives');
    expect(redactKnownSecrets('fives')).toBe('fives');
  });

  it('says which scheme a header had', () => {
    expect(redactText('Authorization: Basic abcdef')).toBe('Authorization: Basic [hidden]');
    expect(redactText('authorization: abcdef')).toBe('authorization: [hidden]');
  });
});

it('a secret in use is known however many tokens come after it', () => {
  registerSecret('client-secret-in-use');
  for (let renewal = 0; renewal < 500; renewal++) {
    registerSecret('client-secret-in-use');
    registerSecret(`token-number-${renewal}`);
    expect(redactText('seen client-secret-in-use')).toBe('seen [hidden]');
  }
  // Of the tokens the latest are known, so that a program that renews for years does not slow down.
  expect(redactText('token-number-499')).toBe('[hidden]');
  expect(redactText('token-number-301')).toBe('[hidden]');
  expect(redactText('token-number-300')).toBe('token-number-300');
});

it.each([
  'sent Basic dXNlcjpwYXNz to you',
  'key Basic dXNlcjpwYXNz bad',
  'BEARER dXNlcjpwYXNz',
  'a "basic dXNlcjpwYXNz", b',
])('the credential in the text %j is removed, though nobody knows it', (text) => {
  expect(redactText(text)).not.toContain('dXNlcjpwYXNz');
  expect(redactText(text)).toMatch(/(?:basic|bearer) \[hidden\]/i);
});
