/** Runs a script of this folder against a museum of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type MuseumOptions, startMuseum } from '../../../src/mock/index.js';
import { COMMAND, ended, newFolder } from '../opac.js';

/**
 * Runs it in a new folder, with the program, the museum and its client in the environment, and gives what it printed. Throws
 * what it said when it failed.
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
  // An executable is started by env, as a script is by Node.
  const [node, program] = COMMAND.length === 1 ? ['env', COMMAND[0]] : COMMAND;
  const child = spawn('bash', [join(import.meta.dirname, script), ...(options.words ?? [])], {
    cwd: await newFolder(),
    env: { PATH, NODE: node, OPAC: program, MUSEUM: museum.url, ...client },
  });
  child.stdin.end();
  const { code, stdout, stderr } = await ended(child);
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
