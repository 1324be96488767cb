import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { login } from '../../src/auth/login.js';
import { setUp, startGuardedMuseum } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

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
async function pageAfter(url: string): Promise<string> {
  const profile = await temporaryFolder();
  const { stdout } = await promisify(execFile)(
    String(CHROMIUM),
    // No sandbox: it cannot be set up as root, and nothing but our own pages is opened.
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      `--user-data-dir=${profile}`,
      '--dump-dom',
      url,
    ],
    { timeout: 50_000 },
  );
  return stdout;
}

describe.skipIf(!CHROMIUM)(
  `a login in a real browser${CHROMIUM ? '' : ' is left out: Chromium is not here'}`,
  () => {
    it('goes from the printed address to the closing page, and the token is kept', async () => {
      const museum = await startGuardedMuseum();
      let page: Promise<string> | undefined;
      const { means, store } = await setUp({
        environment: { OPAC_CLIENT_SECRET: museum.client.clientSecret },
        openBrowser: async (url) => {
          page = pageAfter(url);
        },
      });
      const { clientId, redirectURI } = museum.client;
      await login({ baseUrl: museum.url, clientId, redirectURI, method: 'browser' }, means);
      expect(await page).toContain('You can close this window');
      expect(await store.get('default')).toMatchObject({ accessToken: expect.any(String) });
    }, 60_000);
  },
);
