import { describe, expect, it } from 'vitest';
import { parseApiRequest } from '../../../../src/cli/commands/api/api-request.js';
import { RETIRED_PATHS } from '../../../../src/service/endpoints/retired.js';
import { UsageError } from '../../../../src/service/errors.js';

const parse = (text: string) => parseApiRequest(text, [], false);

function catchRefusal(text: string, force = false): UsageError {
  try {
    parseApiRequest(text, [], force);
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error(`${text} was not refused`);
}

describe('parseApiRequest', () => {
  it.each(['/opacobjects/1', 'opacobjects/1', '/api/v3/opacobjects/1', 'api/v3/opacobjects/1'])(
    'accepts the path in the form %s',
    (text) => expect(parse(text)).toEqual({ base: undefined, path: '/opacobjects/1', query: [] }),
  );

  it('returns the base URL of a complete URL', () => {
    expect(parse('https://museum.example/folder/api/v3/opacobjects?limit=1')).toEqual({
      base: 'https://museum.example/folder',
      path: '/opacobjects',
      query: [['limit', '1']],
    });
  });

  it('decodes the parameters in the path, and adds the given parameters after them', () => {
    const asked = parseApiRequest('/opacobjects?query=a%3Ab+c', [['limit', '5']], false);
    expect(asked.query).toEqual([
      ['query', 'a:b c'],
      ['limit', '5'],
    ]);
  });

  it('encodes spaces, and keeps encoded characters', () => {
    expect(parse('/opacpersons/authorities/first name%2F').path).toBe(
      '/opacpersons/authorities/first%20name%2F',
    );
  });

  it.each(['', '/', '/api/v3', '/api/v3/', 'https://museum.example/'])('throws if the path is "%s"', (text) =>
    expect(catchRefusal(text).message).toContain('is not a path'),
  );

  it.each(['/opacobjects/../x', '/opacobjects/%2e%2E/x', './opacobjects'])(
    'throws if the path contains dot segments: %s',
    (text) => expect(catchRefusal(text).message).toContain('a path cannot contain'),
  );

  it.each(['/opacobjects/{opacObjectId}', '/opacobjects/{'])(
    'throws if the path contains a placeholder: %s',
    (text) => expect(catchRefusal(text).message).toContain('is a placeholder'),
  );
});

describe('parseApiRequest with a retired path', () => {
  it.each(RETIRED_PATHS.map(({ path, replacements }) => [path, replacements] as const))(
    'throws an error with the replacement, unless retired paths are allowed: %s',
    (template, [replacement = '']) => {
      const path = template.replace(/\{\w+\}/g, '7');
      const beginning = replacement.replace(/\{relationshipId\}.*/, '').replace(/\{\w+\}/g, '7');
      expect(catchRefusal(path).hint).toContain(beginning);
      expect(parseApiRequest(path, [], true).path).toBe(path);
    },
  );

  it('suggests a command with quoted parameters', () => {
    expect(catchRefusal('/opaccollections/7/opacobjects?limit=3').hint).toBe(
      `use: opac api /opacobjects --param 'query=collections:"7"' --param limit=3; to send it unchanged, add --allow-retired`,
    );
  });

  it('suggests a replacement for a retired parameter', () => {
    expect(catchRefusal('/opacobjects?opacObjectIds=1,2').hint).toContain(
      `--param 'query=external_object_id:("1", "2")'`,
    );
    expect(catchRefusal('/highlights?derivative=LARGE').hint).toContain('use: opac api /highlights;');
  });

  it('throws for version 2, even if retired paths are allowed', () => {
    for (const allowed of [false, true]) {
      expect(catchRefusal('/api/v2/opacobjects?limit=1', allowed).hint).toBe(
        'use: opac api /opacobjects --param limit=1',
      );
    }
  });
});
