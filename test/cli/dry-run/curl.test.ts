import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCurlCommand } from '../../../src/cli/dry-run/curl.js';
import { shellText } from '../../nasty-text.js';

/** Splits each command line into words with a POSIX shell, in which a function replaces `curl`. */
function splitInShell(lines: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@" END; }\n${lines.join('\n')}`;
  const environment = { OPAC_ACCESS_TOKEN: 'the token', OPAC_BASIC_KEY: 'the key', PATH: process.env.PATH };
  const output = execFileSync('sh', ['-c', script], { env: environment, encoding: 'utf8' });
  return output
    .split('END\0')
    .slice(0, -1)
    .map((each) => each.split('\0').slice(0, -1));
}

const BASE = 'https://collection.example.org';

describe('formatCurlCommand', () => {
  it('uses -d for simple values and --data-urlencode for other values', () => {
    const query = [
      ['query', 'maker_name:"William Blake"'],
      ['limit', '20'],
    ] as const;
    expect(formatCurlCommand(BASE, 'bearer', { path: '/opacobjects', query })).toBe(
      `curl -sS --compressed -G '${BASE}/api/v3/opacobjects' -H "Authorization: Bearer $OPAC_ACCESS_TOKEN" ` +
        `--data-urlencode 'query=maker_name:"William Blake"' -d limit=20`,
    );
  });

  it.each([
    ['bearer', ['-H', 'Authorization: Bearer the token']],
    ['basic', ['-H', 'Authorization: Basic the key']],
    ['anonymous', []],
  ] as const)('reads credentials from a variable, if scheme %s has credentials', (scheme, header) => {
    const [words] = splitInShell([formatCurlCommand(BASE, scheme, { path: '/opacvenues/7' })]);
    expect(words).toEqual(['-sS', '--compressed', `${BASE}/api/v3/opacvenues/7`, ...header]);
  });

  it('adds -g, so that curl does not read brackets as ranges', () => {
    expect(formatCurlCommand('http://[::1]:8700', 'anonymous', { path: '/opacobjects' })).toContain(' -g ');
  });

  it('passes every value to curl without changes', () => {
    const value = shellText;
    fc.assert(
      fc.property(fc.array(value, { minLength: 20, maxLength: 60 }), (values) => {
        const lines = values.map((each) =>
          formatCurlCommand(BASE, 'anonymous', { path: '/opacobjects', query: [['query', each]] }),
        );
        expect(splitInShell(lines).map((words) => words.at(-1))).toEqual(
          values.map((each) => `query=${each}`),
        );
      }),
      { numRuns: 10 },
    );
  });
});
