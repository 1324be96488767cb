/** openBrowser removes the variables of opac from the environment of the browser, but not from its own environment. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../../../src/auth/login/open-browser.js';
import { createTemporaryFolder } from '../temporary-folder.js';

it.runIf(process.platform === 'linux')(
  'openBrowser starts the browser without OPAC_ variables (needs Linux)',
  async () => {
    const folder = await createTemporaryFolder();
    const outputFile = join(folder, 'environment');
    await writeFile(join(folder, 'browser'), `#!/bin/sh\nenv > '${outputFile}'\n`);
    await chmod(join(folder, 'browser'), 0o755);
    const { env } = process;
    onTestFinished(() => {
      process.env = env;
    });
    const variables = {
      OPAC_BASIC_KEY: 'very secret',
      opac_client_secret: 'too',
      BROWSER: join(folder, 'browser'),
    };
    process.env = { ...env, ...variables };
    await openBrowser('https://museum.example/').catch(() => undefined);
    const environment = await readFile(outputFile, 'utf8');
    expect(environment).toContain(`BROWSER=${folder}`);
    expect(environment).not.toMatch(/opac_|secret/i);
    expect(process.env.OPAC_BASIC_KEY).toBe('very secret');
  },
);
