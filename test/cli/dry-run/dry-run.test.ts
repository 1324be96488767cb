/** `--dry-run` prints requests and sends none. test/e2e/dry-run.test.ts runs the printed commands in a shell. */
import { describe, expect, it } from 'vitest';
import { collectOutcomes, splitLines } from '../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../run-against-museum.js';
import { opac } from '../run-in-process.js';
import { COMMANDS, splitInShell } from './commands.js';

describe('--dry-run', () => {
  it('prints the requests of each command as curl commands, and sends none', async () => {
    const outcomes = await collectOutcomes(
      COMMANDS.map((line) => [line] as const),
      async ([line]) => {
        const { code, stdout, stderr, requests } = await runAgainstMuseum([
          ...splitInShell(line),
          '--dry-run',
        ]);
        return {
          code,
          stderr,
          sent: requests.length,
          curls: splitLines(stdout).length > 0 && splitLines(stdout).every((each) => /^curl /.test(each)),
        };
      },
    );
    for (const line of COMMANDS) {
      expect(outcomes[line], line).toEqual({ code: 0, stderr: '', sent: 0, curls: true });
    }
  });

  it('prints only the request for the first page of a list', async () => {
    const { stdout } = await runAgainstMuseum('objects list --limit 250 --offset 10 --dry-run');
    expect(splitLines(stdout)).toEqual([expect.stringContaining('-d limit=100 -d offset=10')]);
  });

  it.each(['login', 'logout', 'token', 'profiles use museum', 'profiles remove museum'])(
    'is refused by opac %s, which changes or prints saved data',
    async (line) => {
      const { code, stderr } = await opac([...line.split(' '), '--dry-run']);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--dry-run cannot be used with this command'),
      ]);
    },
  );

  it('prints environment variables instead of credentials', async () => {
    const bearer = await runAgainstMuseum('objects get 1 --dry-run', {
      environment: { OPAC_ACCESS_TOKEN: 'secret-1' },
    });
    expect(bearer.stdout).toContain('-H "Authorization: Bearer $OPAC_ACCESS_TOKEN"');
    const basic = await runAgainstMuseum('objects get 1 --dry-run', {
      environment: { OPAC_BASIC_KEY: 'secret-2' },
    });
    expect(basic.stdout).toContain('-H "Authorization: Basic $OPAC_BASIC_KEY"');
    expect(`${bearer.stdout}${bearer.stderr}${basic.stdout}${basic.stderr}`).not.toContain('secret-');
  });

  it('does not affect commands that send no requests', async () => {
    expect((await opac(['migrate', '/comments', '--dry-run'])).stdout).toBe('/opacobjects/comments\n');
    expect((await opac(['openapi', '--dry-run'])).stdout).toContain('"openapi": "3.1');
  });
});
