/** What people wrote around the program for containers, cron and CI: bash scripts, run as they are. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { BIN, ended, newFolder } from './opac.js';

/** Runs a script in a folder of its own with `MUSEUM` at hand, and gives what it said when it failed. */
async function failureOf(script: string, options: MuseumOptions = {}): Promise<string | undefined> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  const path = fileURLToPath(new URL(`unattended/${script}`, import.meta.url));
  const { PATH = '' } = process.env;
  const child = spawn('bash', [path], {
    cwd: await newFolder(),
    env: { PATH, NODE: process.execPath, OPAC: BIN, MUSEUM: museum.url },
  });
  child.stdin.end();
  const { code, stdout, stderr } = await ended(child);
  return code === 0 ? undefined : `exit ${code}\n${stdout}${stderr}`;
}

/** A script starts the program some twenty times. */
const TIMEOUT = 300_000;

it('works in a container, whatever the user and the home', { timeout: TIMEOUT }, async () => {
  expect(await failureOf('container.sh')).toBeUndefined();
});
