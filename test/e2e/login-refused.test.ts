/** Logins that fail in the built program. Other failed logins: test/cli/login-refused.test.ts. */
import { chown } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createLoginUser } from './login-user.js';
import { createFolder, opac } from './opac.js';
import { startWatchedMuseum } from './watched-museum.js';

describe('opac login', () => {
  it('exits with 4 if the pasted code is not valid, and explains that a code is valid once', async () => {
    const watched = await startWatchedMuseum();
    const user = await createLoginUser(watched);
    const login = ['login', ...user.asClient, '--method', 'paste'];
    const { child, address, ended } = user.start(login);
    await user.run(['login', ...user.asClient, '--method', 'headless']);
    const state = (await address).searchParams.get('state');
    child.stdin?.end(`${watched.codes[0]} ${state}\n`);
    const { code, stderr } = await ended;
    expect(stderr).toContain('"code is not valid" (POST /oauth/token); log in again; a code is valid once');
    expect(code).toBe(4);
  });
});

describe('the profile folder', () => {
  it('causes an error at the first write if it belongs to another user', async () => {
    const { foreign, environment } = await createForeignFolder();
    const { code, stderr } = await opac(['login', '--mock', '--anonymous'], { environment });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const result = await opac(['profiles', 'use', 'default'], { environment });
    expect(result.stderr).toBe(
      `opac: cannot store credentials in "${foreign}": it belongs to another user; run opac as its owner, or set OPAC_CONFIG_DIR to a folder that you own\n`,
    );
    expect(result.code).toBe(1);
  });
});

/** Returns a folder of another user: a new folder with another owner if this process is root, otherwise the folder `/`. */
async function createForeignFolder() {
  const foreign = process.getuid?.() === 0 ? await createFolder() : '/';
  if (foreign !== '/') await chown(foreign, 65_534, 65_534);
  return { foreign, environment: { OPAC_CONFIG_DIR: foreign } };
}
