/** The browser is started without the variables that hold keys, and the program keeps its own. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../../../src/auth/login/open-browser.js';
import { temporaryFolder } from '../temporary-folder.js';

it.runIf(process.platform === 'linux')('a browser sees no OPAC_ variable (needs Linux)', async () => {
  const folder = await temporaryFolder();
  const seen = join(folder, 'environment');
  await writeFile(join(folder, 'browser'), `#!/bin/sh\nenv > '${seen}'\n`);
  await chmod(join(folder, 'browser'), 0o755);
  const { env } = process;
  onTestFinished(() => {
    process.env = env;
  });
  const own = {
    OPAC_BASIC_KEY: 'very secret',
    opac_client_secret: 'too',
    BROWSER: join(folder, 'browser'),
  };
  process.env = { ...env, ...own };
  await openBrowser('https://museum.example/').catch(() => undefined);
  const environment = await readFile(seen, 'utf8');
  expect(environment).toContain(`BROWSER=${folder}`);
  expect(environment).not.toMatch(/opac_|secret/i);
  expect(process.env.OPAC_BASIC_KEY).toBe('very secret');
});
