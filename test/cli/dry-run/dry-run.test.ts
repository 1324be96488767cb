/** `--dry-run` prints requests and sends none; test/e2e/dry-run lets a shell run what is printed. */
import { describe, expect, it } from 'vitest';
import { lines, outcomesByName } from '../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../run-against-museum.js';
import { opac } from '../run-in-process.js';
import { COMMANDS, split } from './commands.js';

describe('with --dry-run', () => {
  it('every command prints its requests and sends none', async () => {
    const outcomes = await outcomesByName(
      COMMANDS.map((line) => [line] as const),
      async ([line]) => {
        const { code, stdout, stderr, requests } = await runAgainstMuseum([...split(line), '--dry-run']);
        return {
          code,
          stderr,
          sent: requests.length,
          curls: lines(stdout).length > 0 && lines(stdout).every((each) => /^(curl |# then )/.test(each)),
        };
      },
    );
    for (const line of COMMANDS) {
      expect(outcomes[line], line).toEqual({ code: 0, stderr: '', sent: 0, curls: true });
    }
  });

  it('pages are printed as far as they are known', async () => {
    const known = await runAgainstMuseum('objects list --limit 250 --dry-run');
    expect(lines(known.stdout).map((line) => line.match(/limit=.*/)?.[0])).toEqual([
      'limit=100 -d offset=0',
      'limit=100 -d offset=100',
      'limit=50 -d offset=200',
    ]);
    const { stdout } = await runAgainstMuseum('persons list --all --offset 10 --page-size 50 --dry-run');
    expect(lines(stdout)).toEqual([
      expect.stringContaining('-d limit=50 -d offset=10'),
      '# then offset=60, 110, … until an empty page',
    ]);
  });

  it('credentials are variables, whatever is at hand', async () => {
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

  it('commands that ask nobody do what they always do', async () => {
    expect((await opac(['migrate', '/comments', '--dry-run'])).stdout).toBe('/opacobjects/comments\n');
    expect((await opac(['openapi', '--dry-run'])).stdout).toContain('"openapi": "3.1');
  });
});
