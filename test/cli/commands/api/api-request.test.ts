import { describe, expect, it } from 'vitest';
import { parseApiRequest } from '../../../../src/cli/commands/api/api-request.js';
import { RETIRED_PATHS } from '../../../../src/service/endpoints/retired.js';
import { UsageError } from '../../../../src/service/errors.js';

const read = (text: string) => parseApiRequest(text, [], false);

function refusal(text: string, force = false): UsageError {
  try {
    parseApiRequest(text, [], force);
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error(`${text} was not refused`);
}

describe('the path of opac api', () => {
  it.each(['/opacobjects/1', 'opacobjects/1', '/api/v3/opacobjects/1', 'api/v3/opacobjects/1'])(
    'is the same written as %s',
    (text) => expect(read(text)).toEqual({ base: undefined, path: '/opacobjects/1', query: [] }),
  );

  it('keeps the deployment of a whole URL', () => {
    expect(read('https://museum.example/folder/api/v3/opacobjects?limit=1')).toEqual({
      base: 'https://museum.example/folder',
      path: '/opacobjects',
      query: [['limit', '1']],
    });
  });

  it('decodes its own parameters and puts the given ones behind them', () => {
    const asked = parseApiRequest('/opacobjects?query=a%3Ab+c', [['limit', '5']], false);
    expect(asked.query).toEqual([
      ['query', 'a:b c'],
      ['limit', '5'],
    ]);
  });

  it('encodes what must be, and only that', () => {
    expect(read('/opacpersons/authorities/first name%2F').path).toBe(
      '/opacpersons/authorities/first%20name%2F',
    );
  });

  it.each(['', '/', '/api/v3', '/api/v3/', 'https://museum.example/'])('is refused when it is "%s"', (text) =>
    expect(refusal(text).message).toContain('is not a path'),
  );

  it.each(['/opacobjects/../x', '/opacobjects/%2e%2E/x', './opacobjects'])(
    'does not lead elsewhere: %s',
    (text) => expect(refusal(text).message).toContain('a path cannot contain'),
  );

  it.each(['/opacobjects/{opacObjectId}', '/opacobjects/{'])('has no gaps: %s', (text) =>
    expect(refusal(text).message).toContain('is a placeholder'),
  );
});

describe('a retired path', () => {
  it.each(RETIRED_PATHS.map(({ path, replacements }) => [path, replacements] as const))(
    '%s is refused with its replacement, unless it is allowed',
    (template, [replacement = '']) => {
      const path = template.replace(/\{\w+\}/g, '7');
      const beginning = replacement.replace(/\{relationshipId\}.*/, '').replace(/\{\w+\}/g, '7');
      expect(refusal(path).hint).toContain(beginning);
      expect(parseApiRequest(path, [], true).path).toBe(path);
    },
  );

  it('is replaced by a command that can be pasted', () => {
    expect(refusal('/opaccollections/7/opacobjects?limit=3').hint).toBe(
      `use: opac api /opacobjects --param 'query=collections:"7"' --param limit=3; to send it unchanged, add --allow-retired`,
    );
  });

  it('may be a parameter', () => {
    expect(refusal('/opacobjects?opacObjectIds=1,2').hint).toContain(
      `--param 'query=external_object_id:("1", "2")'`,
    );
    expect(refusal('/highlights?derivative=LARGE').hint).toContain('use: opac api /highlights;');
  });

  it('is refused in version 2 also when it is allowed: the client speaks version 3', () => {
    for (const allowed of [false, true]) {
      expect(refusal('/api/v2/opacobjects?limit=1', allowed).hint).toBe(
        'use: opac api /opacobjects --param limit=1',
      );
    }
  });
});
