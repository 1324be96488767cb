/** Runs a script in this folder against a new museum. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type MuseumOptions, startMuseum } from '../../../src/mock/index.js';
import { COMMAND, createFolder, waitForEnd } from '../opac.js';

/**
 * Runs the script in a new folder. Its environment contains the program, the museum and the client of the museum. Returns its
 * standard output. If it fails, throws an error with its output.
 */
export async function runScript(
  script: string,
  options: { readonly museum?: MuseumOptions; readonly words?: readonly string[] } = {},
): Promise<string> {
  const museum = await startMuseum(options.museum);
  onTestFinished(() => museum.close());
  const { clientId, clientSecret, redirectURI } = museum.client;
  const client = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT_URI: redirectURI };
  const { PATH = '' } = process.env;
  // `env` starts an executable, as Node starts a script.
  const [node, program] = COMMAND.length === 1 ? ['env', COMMAND[0]] : COMMAND;
  const child = spawn('bash', [join(import.meta.dirname, script), ...(options.words ?? [])], {
    cwd: await createFolder(),
    env: { PATH, NODE: node, OPAC: program, MUSEUM: museum.url, ...client },
  });
  child.stdin.end();
  const { code, stdout, stderr } = await waitForEnd(child);
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
