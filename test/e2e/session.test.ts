/** After the login: processes that run at once, and one that is interrupted. All else: test/cli/session.test.ts. */
import { describe, expect, it } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { createLoginUser, type RunOptions } from './login-user.js';
import { startWatchedMuseum } from './watched-museum.js';

/** Whoever has no secret at hand. */
const BARE: RunOptions = { environment: { OPAC_CLIENT_SECRET: '' } };

/** Somebody who is logged in, and a way to run the program without the secret of the login. */
async function loggedIn(words: readonly string[] = [], options?: MuseumOptions) {
  const watched = await startWatchedMuseum(options);
  const user = await createLoginUser(watched);
  const { code } = await user.run(['login', ...user.asClient, '--method', 'headless', ...words]);
  expect(code).toBe(0);
  return { watched, user };
}

describe('runs at once', () => {
  it('that find the token expired renew it, and none spoils what the others kept', async () => {
    const { watched, user } = await loggedIn();
    await user.change({ issuedAt: 0, expiresAt: 1000 });
    const runs = Array.from({ length: 4 }, () => user.run(['objects', 'count']));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(watched.tokens.slice(1)).toContain((await user.kept())?.accessToken);
    expect(await user.run(['status', '-f', 'table'], BARE)).toMatchObject({ code: 0 });
  });

  it('are interrupted in the middle of a renewal', async () => {
    const { user } = await loggedIn([], {
      faults: [{ kind: 'stall', on: 'oauth.token', after: 1 }],
    });
    await user.change({ issuedAt: 0, expiresAt: 1000 });
    const { child, ended } = user.start(['objects', 'count']);
    child.stderr?.on('data', (text) => /^> POST .*oauth.token/m.test(String(text)) && child.kill('SIGINT'));
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });
});
