/** Processes that renew a token after a login. Other tests: test/cli/session.test.ts. */
import { describe, expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { createLoginUser, type RunOptions } from './login-user.js';
import { startWatchedMuseum } from './watched-museum.js';

/** An environment without the client secret. */
const WITHOUT_SECRET: RunOptions = { environment: { OPAC_CLIENT_SECRET: '' } };

/** Creates a user and logs in. */
async function logIn(words: readonly string[] = [], options?: MuseumOptions) {
  const watched = await startWatchedMuseum(options);
  const user = await createLoginUser(watched);
  const { code } = await user.run(['login', ...user.asClient, '--method', 'headless', ...words]);
  expect(code).toBe(0);
  return { watched, user };
}

describe('the renewal of an expired token', () => {
  it('stores a valid token even if several processes renew it at once', async () => {
    const { watched, user } = await logIn();
    await user.change({ issuedAt: 0, expiresAt: 1000 });
    const runs = Array.from({ length: 4 }, () => user.run(['objects', 'count']));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(watched.tokens.slice(1)).toContain((await user.kept())?.accessToken);
    expect(await user.run(['status', '-f', 'table'], WITHOUT_SECRET)).toMatchObject({ code: 0 });
  });

  it('ends with exit code 130 if it is interrupted', async () => {
    const { user } = await logIn([], {
      faults: [{ kind: 'stall', on: 'oauth.token', after: 1 }],
    });
    await user.change({ issuedAt: 0, expiresAt: 1000 });
    const { child, ended } = user.start(['objects', 'count']);
    child.stderr?.on('data', (text) => /^> POST .*oauth.token/m.test(String(text)) && child.kill('SIGINT'));
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });
});
