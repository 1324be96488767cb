import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLoginUser } from './login-user.js';
import { createFolder } from './opac.js';
import { startWatchedMuseum } from './watched-museum.js';

/** The path of Chromium on Debian and similar systems. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** Opens a URL in Chromium. Returns the HTML of the last page, after all scripts have run. */
async function openPage(address: URL): Promise<string> {
  const { stdout } = await promisify(execFile)(
    String(CHROMIUM),
    [
      '--headless',
      // The sandbox does not work for root, and the test opens only local pages.
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      `--user-data-dir=${await createFolder()}/browser`,
      '--dump-dom',
      address.href,
    ],
    { timeout: 50_000 },
  );
  return stdout;
}

describe.skipIf(!CHROMIUM)(
  `opac login in a real browser${CHROMIUM ? '' : ' (omitted, because Chromium is missing)'}`,
  () => {
    it('shows the final page, and stores the token', async () => {
      const watched = await startWatchedMuseum();
      const user = await createLoginUser(watched);
      const { address, ended } = user.start(['login', ...user.asClient, '--method', 'browser']);
      expect(await openPage(await address)).toContain('You can close this window');
      expect(await ended).toMatchObject({ code: 0 });
      expect(await user.kept()).toMatchObject({ accessToken: watched.tokens[0] });
      expect(await user.run(['status'])).toMatchObject({ code: 0 });
    });
  },
);
