/** Failed logins: each ends with its exit code, and one message with the cause and a hint. It stores nothing. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fault, OAuthOptions } from '../../src/mock/index.js';
import { createLoginUser as createUser } from '../e2e/login-user.js';
import { startWatchedMuseum, type WatchedMuseum } from '../e2e/watched-museum.js';
import { opac } from './run-in-process.js';

const createLoginUser = (watched: WatchedMuseum) => createUser(watched, opac);

interface Failure {
  readonly oauth?: OAuthOptions;
  readonly fault?: Fault;
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Changes values in the token response. */
const patchToken = (set: Readonly<Record<string, unknown>>): Failure => ({
  fault: { kind: 'patched', on: 'oauth.token', set },
});

const dropFromToken: (name: string) => Failure = (name) => ({
  fault: { kind: 'patched', on: 'oauth.token', drop: [name] },
});

describe('a login', () => {
  it.each<readonly [what: string, code: number, failure: Failure, fact: RegExp, help: RegExp]>([
    [
      'a changed state',
      4,
      { fault: { kind: 'state-changed' } },
      /state in the redirect does not match/,
      /log in again/,
    ],
    ['an expired code', 4, { oauth: { codeLifetime: 0 } }, /"code has expired"/, /log in again/],
    [
      'a wrong secret',
      4,
      { environment: { OPAC_CLIENT_SECRET: 'not-the-secret' } },
      /"clientSecret is not valid"/,
      /check that the client secret/,
    ],
    [
      'an unregistered redirect URI',
      4,
      { words: ['--redirect-uri', 'http://127.0.0.1:1/other'] },
      /"redirectURI is not registered"/,
      /exactly as it is registered/,
    ],
    [
      'an unknown client',
      4,
      { words: ['--client-id', 'somebody'] },
      /"clientId is not registered"/,
      /check the client id/,
    ],
    [
      'a verifier that is refused in both forms',
      4,
      { oauth: { challengeForms: ['PLAIN'] } },
      /refused the authorization/,
      /--challenge: S256-padded, S256 or PLAIN/,
    ],
    [
      'a sign-in page',
      4,
      { oauth: { signInPage: true } },
      /shows a sign-in page/,
      /--method browser.*--method paste/,
    ],
    [
      'a 400 without a message',
      4,
      { fault: { kind: 'status', status: 400, body: '{}', on: 'oauth.token' } },
      /refused to exchange the code/,
      /check the client secret/,
    ],
    [
      'another tokenType',
      5,
      patchToken({ tokenType: 'mac' }),
      /tokenType is not bearer/,
      /check the base URL/,
    ],
    ['no tokenType', 5, dropFromToken('tokenType'), /tokenType is not bearer/, /check the base URL/],
    ['no accessToken', 5, dropFromToken('accessToken'), /accessToken is missing/, /check the base URL/],
    ['no expires', 5, dropFromToken('expires'), /expires is not a number of seconds/, /check the base URL/],
    [
      'an expires of 0',
      5,
      patchToken({ expires: 0 }),
      /expires is not a number of seconds/,
      /check the base URL/,
    ],
    [
      'a negative expires',
      5,
      patchToken({ expires: -3600 }),
      /expires is not a number of seconds/,
      /check the base URL/,
    ],
    [
      'an expires that is not a number',
      5,
      patchToken({ expires: 'soon' }),
      /expires is not a number of seconds/,
      /check the base URL/,
    ],
    [
      'a token that expires immediately',
      4,
      patchToken({ expires: 0.001 }),
      /the access token .*expired at/,
      /log in with "opac login/,
    ],
    [
      'a web page instead of a token',
      5,
      { fault: { kind: 'html', on: 'oauth.token' } },
      /not JSON \(text\/html/,
      /check the base URL/,
    ],
    [
      'a firewall',
      5,
      { fault: { kind: 'challenge', on: 'oauth.authorize' } },
      /web firewall/,
      /ask the museum/,
    ],
    [
      'a service that fails',
      5,
      { fault: { kind: 'status', status: 500, on: 'oauth' } },
      /the service failed \(500\)/,
      /try again later/,
    ],
  ])(
    'fails because of %s with exit code %d',
    async (_, expected, { oauth, fault, words = [], environment = {} }, fact, help) => {
      const watched = await startWatchedMuseum({ ...(oauth && { oauth }), faults: fault ? [fault] : [] });
      const user = await createLoginUser(watched);
      const login = ['login', ...user.asClient, ...words, '--method', 'headless', '--retries', '0'];
      const { code, stdout, stderr } = await user.run(login, { environment });
      expect(stderr).toMatch(fact);
      expect(stderr).toMatch(help);
      expect(stderr.match(/^opac: /gm)).toHaveLength(1);
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
      await expect(user.kept()).rejects.toThrow();
      // opac tries at most once more, with the other form of the challenge. It does not loop.
      expect(watched.museum.requests.length).toBeLessThanOrEqual(4);
    },
  );

  it.each([
    ['nothing', '', 'no valid redirect URL given'],
    [
      'the code of another login',
      'http://127.0.0.1/callback?code=abc&state=def\n',
      'this URL belongs to another login',
    ],
    ['text without a code', 'hello\n', 'the code or the complete state is missing'],
  ])('fails if the user pastes %s', async (_, stdin, fact) => {
    const user = await createLoginUser(await startWatchedMuseum());
    const { code, stderr } = await user.run(['login', ...user.asClient, '--method', 'paste'], { stdin });
    expect(stderr).toContain(fact);
    expect(stderr).toContain('run "opac login --method paste" again');
    expect(code).toBe(4);
  });
});

describe('the folder of profiles', () => {
  it('keeps a corrupted file under another name, with a message, and login continues', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    await mkdir(user.folder, { mode: 0o700 });
    await writeFile(join(user.folder, 'profiles.json'), '{"profiles": {"default"', { mode: 0o600 });
    const { code, stderr } = await user.run(['login', ...user.asClient, '--method', 'headless']);
    expect(code).toBe(0);
    expect(stderr.match(/renamed the file to/g)).toHaveLength(1);
    const renamed = (await readdir(user.folder)).find((name) => name.startsWith('profiles.json.corrupt-'));
    expect(await readFile(join(user.folder, String(renamed)), 'utf8')).toBe('{"profiles": {"default"');
    expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[0] });
  });
});
