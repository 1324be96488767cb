/** Runs the shell scripts of the documents against a museum (needs bash and jq). */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { DOCUMENTS, listShellBlocks, SHELL_SYNTAX } from '../docs/documents.js';
import { createFolder, SCRIPT } from './opac.js';

const startsOpac = (line: string) => /\bopac\b/.test(line) && !line.startsWith('npm ');
const SCRIPTS = [...DOCUMENTS.values()]
  .flatMap(listShellBlocks)
  .filter((block) => block.split('\n').some((line) => SHELL_SYNTAX.test(line) && startsOpac(line)));

async function runScript(script: string, address: string) {
  const folder = await createFolder();
  const bin = await createFolder();
  const writeProgram = (name: string, text: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await writeProgram('opac', SCRIPT);
  await writeProgram('mail', `{ echo "$@"; cat; } >"${folder}/mail.txt"`);
  const PATH = bin + delimiter + process.env.PATH;
  const env = { PATH, OPAC_BASE_URL: address, OPAC_CONFIG_DIR: folder, OPAC_RETRIES: '0' };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env });
  return { stdout, files: await readdir(folder) };
}

describe('the scripts of the documents', () => {
  it('include at least three scripts that use opac', () => {
    expect(SCRIPTS.length).toBeGreaterThan(2);
  });

  it.each(SCRIPTS)('write an export and send no mail: %s', async (script) => {
    const museum = await startMuseum();
    onTestFinished(() => museum.close());
    const { files } = await runScript(script, museum.url);
    expect(files.some((file) => /^objects.*\.manifest\.json$/.test(file))).toBe(true);
    expect(files).not.toContain('mail.txt');
    if (script.includes('exports.log')) expect(files).toContain('exports.log');
  });

  it('send a mail after an error', async () => {
    const script = SCRIPTS.find((each) => each.includes('mail -s')) ?? '';
    expect((await runScript(script, 'http://127.0.0.1:9')).files).toContain('mail.txt');
  });
});
