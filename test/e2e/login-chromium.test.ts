import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLoginUser } from './login-user.js';
import { newFolder } from './opac.js';
import { startWatchedMuseum } from './watched-museum.js';

/** Where Debian and its like keep Chromium. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** The page at which a real browser ends, as it stands after all scripts. */
async function pageAfter(address: URL): Promise<string> {
  const { stdout } = await promisify(execFile)(
    String(CHROMIUM),
    [
      '--headless',
      // It cannot be set up as root, and nothing but our own pages is opened.
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      `--user-data-dir=${await newFolder()}/browser`,
      '--dump-dom',
      address.href,
    ],
    { timeout: 50_000 },
  );
  return stdout;
}

describe.skipIf(!CHROMIUM)(
  `opac login in a real browser${CHROMIUM ? '' : ' is left out: Chromium is not here'}`,
  () => {
    it('goes from the printed address to the closing page, and the token is kept', async () => {
      const watched = await startWatchedMuseum();
      const user = await createLoginUser(watched);
      const { address, ended } = user.start(['login', ...user.asClient, '--method', 'browser']);
      expect(await pageAfter(await address)).toContain('You can close this window');
      expect(await ended).toMatchObject({ code: 0 });
      expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[0] });
      expect(await user.run(['status'])).toMatchObject({ code: 0 });
    });
  },
);
