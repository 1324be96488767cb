/** Logins with an invalid command line or a wrong base URL. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../../src/mock/index.js';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

describe('login with an invalid command line', () => {
  it.each([
    [['--client-secret', 'hunter2'], 'do not pass the client secret as an argument', 'OPAC_CLIENT_SECRET'],
    [['--client-secret=hunter2'], 'do not pass the client secret as an argument', 'OPAC_CLIENT_SECRET'],
    [['--basic-key', 'hunter2'], 'do not pass the basic key as an argument', 'OPAC_BASIC_KEY'],
    [['--basic-key=hunter2'], 'do not pass the basic key as an argument', 'OPAC_BASIC_KEY'],
    [['--basic-kye=hunter2'], 'unknown option "--basic-kye"', 'see: opac'],
    [['--password', 'hunter2'], 'unknown option "--password"', 'see: opac'],
    [['hunter2'], 'too many arguments for "login"', 'see: opac login --help'],
    [['--basic-key', '--anonymous'], '--anonymous cannot be used with --basic-key', ''],
    [['--anonymous', '--method', 'paste'], '--method cannot be used with --anonymous', ''],
    [['--method', 'telepathy'], 'invalid value "telepathy" for --method', ''],
    [['--challenge', 'MD5'], 'invalid value "MD5" for --challenge', ''],
    [['--browser-timeout', '0'], 'for --browser-timeout; must be a duration such as', ''],
    [[], 'no deployment given', '--base-url, or try --mock'],
    [['--base-url', 'https://museum.example'], 'no client id given', '--client-id or OPAC_CLIENT_ID'],
    [['--base-url', 'https://museum.example', '--client-id', 'a'], 'no redirect URI given', '--redirect-uri'],
    [['--base-url', 'museum.example'], 'must begin with https://', 'did you mean "https://museum.example"?'],
    [['--base-url', 'http://museum.example'], 'plain http', '--allow-http'],
    [
      ['--base-url', 'https://museum.example', '--client-id', 'a', '--redirect-uri', 'callback'],
      'invalid redirect URI',
      'registered with the API key',
    ],
    [['-p', '../other', '--base-url', 'https://museum.example'], 'invalid profile name', 'letters, digits'],
  ])('exits with 2 and the reason, prints no secret and saves nothing: %j', async (words, fact, help) => {
    const folder = await createFolder();
    const environment = { OPAC_CONFIG_DIR: folder };
    const { code, stderr } = await opac(['login', ...words], { environment, stdin: 'piped-secret\n' });
    expect(stderr).toContain(fact);
    expect(stderr).toContain(help);
    expect(stderr).not.toMatch(/hunter2|piped-secret/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('login with a wrong base URL', () => {
  it.each([
    ['/folder', ' the API was not found at this URL', 'is the right base URL'],
    ['', ' cannot connect to http://127.0.0.1:', 'check the base URL'],
  ])(
    'exits with 5 and a hint, and prints the request without parameters: path %j',
    async (below, fact, help) => {
      const museum = await startMuseum();
      if (below === '') await museum.close();
      const words = ['--method', 'headless', '--client-id', 'museum-client', '--retries', '0'];
      const { code, stderr } = await opac(
        [
          'login',
          '--base-url',
          museum.url + below,
          '--redirect-uri',
          'http://127.0.0.1:8765/callback',
          ...words,
        ],
        {
          environment: { OPAC_CONFIG_DIR: await createFolder(), OPAC_CLIENT_SECRET: 'museum-client-secret' },
        },
      );
      await museum.close();
      expect(stderr).toContain(fact);
      expect(stderr).toContain('(GET /oauth/authorize)');
      expect(stderr).toContain(help);
      expect(code).toBe(5);
    },
  );
});
