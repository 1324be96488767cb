/** The errors for responses that are not JSON. */
import { describe, expect, it } from 'vitest';
import { parseJsonResponse } from '../../src/client/read-json.js';

const CONTEXT = { baseUrl: 'https://museum.example' };
const GET = { method: 'GET', path: '/opacobjects/1' } as const;
const BASE_URL = 'check that https://museum.example is the right base URL';

function response(status: number, body: string) {
  return { status, headers: {}, bytes: Buffer.from(body), elapsed: 1 };
}

describe('parseJsonResponse', () => {
  it.each([
    [' <html>', 'the server sent a web page instead of records'],
    ['', 'the server sent an empty response (200)'],
    ['{"a":', 'the response is incomplete or damaged: 5 bytes of invalid JSON'],
    [' [1,', 'the response is incomplete or damaged: 4 bytes of invalid JSON'],
    ['OK {', 'the response is not JSON'],
    ['7', 'the response is a single JSON value instead of records'],
    ['null', 'the response is a single JSON value instead of records'],
  ])('throws an error that describes %j', (body, message) => {
    expect(() => parseJsonResponse(GET, response(200, body), CONTEXT)).toThrow(
      expect.objectContaining({
        kind: 'deployment',
        code: 'unexpected-response',
        status: 200,
        retry: 'always',
        hint: BASE_URL,
        message: `${message} (GET /opacobjects/1)`,
      }),
    );
  });

  it.each([
    ['{}', {}],
    ['[1]', [1]],
  ])('returns the value of %s', (body, value) => {
    expect(parseJsonResponse(GET, response(200, body), CONTEXT)).toEqual(value);
  });

  it.each(['token-xyz', '{"accessToken": token-xyz', `["token-xyz", token-xyz${' '.repeat(50)}]`])(
    'throws an error with a cause that contains no part of the text: %s',
    (body) => {
      let cause: unknown;
      try {
        parseJsonResponse(GET, response(200, body), CONTEXT);
      } catch (error) {
        cause = (error as Error).cause;
      }
      expect(cause).toBeInstanceOf(SyntaxError);
      expect(String(cause)).not.toMatch(/token-|xyz/);
      expect(String(cause)).toMatch(/^SyntaxError: \S+ token '.'$/);
    },
  );
});
