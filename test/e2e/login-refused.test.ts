/** Logins that cannot be, with the built program: one that another process overtakes, and one without its own folder. The others: test/cli/login-refused.test.ts. */
import { chown } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createLoginUser } from './login-user.js';
import { newFolder, opac } from './opac.js';
import { startWatchedMuseum } from './watched-museum.js';

describe('a login ends', () => {
  it('after a code that was used before', async () => {
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

describe('the folder of profiles', () => {
  it('is refused when it belongs to someone else', async () => {
    const { foreign, environment } = await foreignFolder();
    const { code, stderr } = await opac(['login', '--mock', '--anonymous'], { environment });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const kept = await opac(['profiles', 'use', 'default'], { environment });
    expect(kept.stderr).toBe(
      `opac: cannot store credentials in "${foreign}": it belongs to another user; run opac as its owner, or set OPAC_CONFIG_DIR to a folder that you own\n`,
    );
    expect(kept.code).toBe(1);
  });
});

/** A folder of another user: one given away where that is allowed, and that of root where not. */
async function foreignFolder() {
  const foreign = process.getuid?.() === 0 ? await newFolder() : '/';
  if (foreign !== '/') await chown(foreign, 65_534, 65_534);
  return { foreign, environment: { OPAC_CONFIG_DIR: foreign } };
}
