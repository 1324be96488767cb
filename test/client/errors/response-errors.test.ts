/** The error for each unexpected response, and the message of the service that the error shows. */
import { describe, expect, it } from 'vitest';
import {
  createStatusError,
  isWindowRefusal,
  readServiceMessage,
} from '../../../src/client/errors/response-errors.js';
import { registerSecret } from '../../../src/service/redact.js';

const CONTEXT = { baseUrl: 'https://museum.example' };
const GET = { method: 'GET', path: '/opacobjects/1' } as const;

function response(status: number, body = '', headers: Readonly<Record<string, string>> = {}) {
  return { status, headers, bytes: Buffer.from(body), elapsed: 1 };
}

const HTML = { 'content-type': 'text/HTML; charset=utf-8' };
const BASE_URL = 'check that https://museum.example is the right base URL';
const LATER = 'try again later, or send fewer requests with --concurrency 1 or --rate 1';
const WINDOW = '{"error":"Result window is too large, from + size must be less than 10000"}';

describe('the error of a status', () => {
  it.each([
    ['202 of a firewall', response(202, '<p>', HTML), 'deployment', 'firewall', /--rate 1/],
    ['a captcha', response(405, '', { 'x-amzn-waf-action': '' }), 'deployment', 'firewall', /allow your/],
    ['403 with a page', response(403, ' \n<p>'), 'deployment', 'firewall', /wait/],
    ['401', response(401), 'auth', 'credentials-rejected', 'log in with "opac login"'],
    ['401 with a page', response(401, '<p>'), 'auth', 'credentials-rejected', 'log in with "opac login"'],
    ['403', response(403, '{}'), 'auth', 'access-denied', 'log in with "opac login"'],
    ['404', response(404, '{}'), 'not-found', 'not-found', undefined],
    ['404 with a page', response(404, '', HTML), 'deployment', 'no-interface', BASE_URL],
    ['400', response(400, '{}'), 'usage', 'request-rejected', 'check the query and the options'],
    ['414', response(414, ''), 'usage', 'request-rejected', 'search for fewer words or ids'],
    ['431', response(431, ''), 'usage', 'request-rejected', 'search for fewer words or ids'],
    ['422', response(422, '{}'), 'usage', 'request-rejected', 'check the query and the options'],
    ['422 with a page', response(422, '<p>'), 'deployment', 'unexpected-response', BASE_URL],
    ['429', response(429), 'deployment', 'busy', LATER],
    ['503', response(503), 'deployment', 'busy', LATER],
    ['500', response(500), 'deployment', 'service-failed', LATER],
    ['599', response(599), 'deployment', 'service-failed', LATER],
    ['500 for a deep offset', response(500, WINDOW), 'deployment', 'window-refused', /smaller searches/],
    ['400 for a deep offset', response(400, WINDOW), 'usage', 'request-rejected', /check the query/],
    ['409', response(409), 'deployment', 'unexpected-response', BASE_URL],
    ['199', response(199), 'deployment', 'unexpected-response', BASE_URL],
    ['300', response(300), 'deployment', 'unexpected-response', BASE_URL],
  ])('has the right kind, code and hint for %s', (_, received, kind, code, hint) => {
    const error = createStatusError(GET, received, CONTEXT);
    expect(error).toMatchObject({ kind, code, status: received.status, method: 'GET' });
    if (hint instanceof RegExp) expect(error?.hint).toMatch(hint);
    else expect(error?.hint).toBe(hint);
  });

  it.each([200, 202, 299])('does not exist for %i', (status) => {
    expect(createStatusError(GET, response(status, '{}'), CONTEXT)).toBeUndefined();
  });

  it.each(['/opacobjects', '/opacpersons', '/opacvenues', '/opacrecords'])(
    'has a hint to check the base URL for a 404 of the search %s',
    (path) => {
      expect(createStatusError({ ...GET, path }, response(404, '{}'), CONTEXT)).toMatchObject({
        code: 'no-interface',
        hint: BASE_URL,
      });
    },
  );

  it('has the hint of the credentials for 401 and 403', () => {
    const context = { ...CONTEXT, credentialsHint: 'ask for a new key' };
    for (const status of [401, 403])
      expect(createStatusError(GET, response(status), context)?.hint).toBe('ask for a new key');
  });

  it.each([
    ['Result window is too large', true],
    ['set index.MAX_RESULT_WINDOW', true],
    [`${' '.repeat(4066)}Result window is too large`, true],
    [`${' '.repeat(4096)}Result window is too large`, false],
    ['the window is large', false],
  ])('is a refusal of a large offset only if status and body show it: %s', (body, refuses) => {
    expect(isWindowRefusal(response(400, body))).toBe(refuses);
    expect(isWindowRefusal(response(399, body))).toBe(false);
  });
});

describe('readServiceMessage', () => {
  it.each([
    ['{"message":"no"}', 'no'],
    ['{"error":"no"}', 'no'],
    ['{"message":"yes","error":"no"}', 'yes'],
    ['{"message":"  a\\u0007\\u202e \\n b  "}', 'a b'],
    ['{"message":" \\t "}', undefined],
    ['{"message":""}', undefined],
    ['{"message":7}', undefined],
    ['{"message":{"text":"no"}}', undefined],
    ['["no"]', undefined],
    ['"no"', undefined],
    ['null', undefined],
    ['no', undefined],
    ['', undefined],
  ])('returns from %s the message %j, and the error shows no other', (body, words) => {
    expect(readServiceMessage(response(400, body))).toBe(words);
    const { message, serviceMessage: kept } = createStatusError(GET, response(400, body), CONTEXT) ?? {};
    expect(kept).toBe(words);
    expect(message).toBe(
      `the service rejected the request (400)${words ? `: "${words}"` : ''} (GET /opacobjects/1)`,
    );
  });

  it('shortens the message to 300 characters after it hides secrets', () => {
    const readMessage = (text: string) =>
      readServiceMessage(response(400, JSON.stringify({ message: text })));
    expect(readMessage('x'.repeat(300))).toBe('x'.repeat(300));
    expect(readMessage('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
    registerSecret('a-secret-in-an-error');
    expect(readMessage(`${'x'.repeat(290)} a-secret-in-an-error`)).toBe(`${'x'.repeat(290)} [hidden]`);
  });

  it('ignores bodies of more than 65,536 bytes', () => {
    const padded = (size: number) => response(400, `{"message":"no"}${' '.repeat(size - 16)}`);
    expect(readServiceMessage(padded(65_536))).toBe('no');
    expect(
      readServiceMessage(response(400, `{"more":"${'x'.repeat(65_536)}","message":"no"}`)),
    ).toBeUndefined();
  });
});
