/** `--dry-run`: nothing is sent, and what is printed asks the same when a shell runs it. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { newFolder, opac } from './opac.js';
import { have } from './programs.js';
import { byName, lines, visit } from './visit.js';

const run = promisify(execFile);
const hasCurl = have(['curl', 'openssl'], 'running the printed requests');

/** Commands whose requests do not depend on answers. */
const COMMANDS = [
  'objects list blake "paradise lost" --where "maker_name=Rita \\"R\\" Angus\'s" --has-images',
  'objects list --limit 250 --page-size 90 --sort name --direction desc',
  'persons get 5003 5010',
  'objects count --collection 3',
  'objects list --external-id 20011,20022',
  'facets list objects --facet classification=Art/Paintings',
  'facets get objects classification',
  'relationships get objects 20011 object_prod_pri_person',
  'imagelabels list --object 20011',
  'authorities list persons name',
  'views get persons advancedsearch',
  'collections list',
  'api /opacobjects -q view=label',
  'status',
] as const;

describe('with --dry-run', () => {
  it('every command prints its requests and sends none', async () => {
    const outcomes = await byName(
      COMMANDS.map((line) => [line] as const),
      async ([line]) => {
        const { code, stdout, stderr, requests } = await visit([...split(line), '--dry-run']);
        return {
          code,
          stderr,
          sent: requests.length,
          curls: lines(stdout).every((each) => each.startsWith('curl ')),
        };
      },
    );
    for (const line of COMMANDS) {
      expect(outcomes[line], line).toEqual({ code: 0, stderr: '', sent: 0, curls: true });
    }
  });

  it.runIf(hasCurl)('what it prints asks the same as the command', async () => {
    const outcomes = await byName(
      // Past the end of what is there no command asks on.
      COMMANDS.filter((line) => !line.includes('250')).map((line) => [line] as const),
      async ([line]) => {
        const museum = await startMuseum();
        try {
          const { stdout } = await opac([...split(line), '--base-url', museum.url, '--dry-run']);
          await run('sh', ['-ec', stdout]);
          const { requests } = await visit(split(line));
          return { printed: museum.requests.map(({ path }) => path), sent: requests.map(({ path }) => path) };
        } finally {
          await museum.close();
        }
      },
    );
    for (const [line, { printed, sent }] of Object.entries(outcomes)) {
      // A search that finds nothing goes on to ask which fields there are: that depends on the answer.
      const certain = sent.filter((path) => !path.endsWith('/views') || printed.includes(path));
      expect(printed, line).toEqual(certain);
    }
  });

  it('pages are printed as far as they are known', async () => {
    const known = await visit('objects list --limit 250 --dry-run');
    expect(lines(known.stdout).map((line) => line.match(/limit=.*/)?.[0])).toEqual([
      'limit=100 -d offset=0',
      'limit=100 -d offset=100',
      'limit=50 -d offset=200',
    ]);
    const { stdout } = await visit('persons list --all --offset 10 --page-size 50 --dry-run');
    expect(lines(stdout)).toEqual([
      expect.stringContaining('-d limit=50 -d offset=10'),
      '# then offset=60, 110, … until an empty page',
    ]);
  });

  it('--mock names the museum and does not start it', async () => {
    const { code, stdout } = await opac(['highlights', 'list', '--mock', '--dry-run']);
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      '# "opac mock" serves the built-in museum at http://127.0.0.1:8700',
      "curl -sS --compressed 'http://127.0.0.1:8700/api/v3/highlights'",
    ]);
  });

  it('credentials are variables, whatever is at hand', async () => {
    const bearer = await visit('objects get 1 --dry-run', { environment: { OPAC_ACCESS_TOKEN: 'secret-1' } });
    expect(bearer.stdout).toContain('-H "Authorization: Bearer $OPAC_ACCESS_TOKEN"');
    const basic = await visit('objects get 1 --dry-run', { environment: { OPAC_BASIC_KEY: 'secret-2' } });
    expect(basic.stdout).toContain('-H "Authorization: Basic $OPAC_BASIC_KEY"');
    expect(`${bearer.stdout}${bearer.stderr}${basic.stdout}${basic.stderr}`).not.toContain('secret-');
  });

  it('commands that ask nobody do what they always do', async () => {
    expect((await opac(['migrate', '/comments', '--dry-run'])).stdout).toBe('/opacobjects/comments\n');
    expect((await opac(['openapi', '--dry-run'])).stdout).toContain('"openapi": "3.1');
  });

  it('no file is written', async () => {
    const folder = await newFolder();
    const { code } = await visit('objects list -o list.csv --dry-run', { folder });
    expect(code).toBe(0);
    expect((await run('ls', [folder])).stdout).toBe('');
  });

  it.runIf(hasCurl).each(['S256-padded', 'S256', 'PLAIN'])(
    'a login can be made by hand with what it prints (%s)',
    async (form) => {
      const museum = await startMuseum({
        access: 'authorized',
        ...(form === 'S256' && { oauth: { challengeForms: ['S256'] } }),
      });
      onTestFinished(() => museum.close());
      const { clientId, clientSecret, redirectURI } = museum.client;
      const { code, stdout } = await opac(
        [
          ...['login', '--base-url', museum.url, '--challenge', form, '--dry-run'],
          ...['--client-id', clientId, '--redirect-uri', redirectURI],
        ],
        { environment: { OPAC_CLIENT_SECRET: clientSecret, OPAC_CONFIG_DIR: await newFolder() } },
      );
      expect(code).toBe(0);
      expect(stdout).not.toContain(clientSecret);
      expect(museum.requests).toEqual([]);

      const [authorize = '', exchange = '', probe = ''] = lines(stdout).filter((line) =>
        line.startsWith('curl'),
      );
      const variables = { PATH: process.env.PATH, OPAC_STATE: 'abc123', OPAC_CODE_VERIFIER: 'v'.repeat(64) };
      const sh = async (line: string, more: object) =>
        (await run('sh', ['-ec', line], { env: { ...variables, ...more } })).stdout;
      const redirected = new URL(await sh(authorize, {}));
      expect(redirected.searchParams.get('state')).toBe('abc123');
      const OPAC_CODE = redirected.searchParams.get('code') ?? '';
      const token = JSON.parse(await sh(exchange, { OPAC_CODE, OPAC_CLIENT_SECRET: clientSecret }));
      const answer = JSON.parse(await sh(probe, { OPAC_ACCESS_TOKEN: token.accessToken }));
      expect(answer.totalRecords).toBeGreaterThan(0);
    },
  );
});

/** A POSIX command line as its words. */
function split(line: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}
