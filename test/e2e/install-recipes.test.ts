/** The documented commands that install opac: they install a release file with a known checksum, and never from the registry. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../docs/documents.js';
import { createFolder } from './opac.js';

const TEXTS = [...DOCUMENTS.values()];
const LINES = TEXTS.flatMap((text) => text.match(/curl .*npm install.*/g) ?? []);

describe('the documented install commands', () => {
  it('never install opac from the npm registry', () => {
    const blocks = TEXTS.flatMap((text) => text.match(/^```[\s\S]*?^```/gm) ?? []);
    expect(
      blocks.filter((block) => /npm (?:i|install) (?:-g )?opac\b|npx (?:-\S+ )*opac\b/.test(block)),
    ).toEqual([]);
    expect(LINES.length).toBeGreaterThan(4);
    expect(new Set(LINES).size).toBe(1);
  });

  it.each([
    ['install the release file', 'a release', ['installed.txt', 'opac.tgz', 'release.tgz']],
    ['do not install a file with another checksum', 'another release', ['opac.tgz', 'release.tgz']],
  ])('%s', async (_, content, files) => {
    const [folder, bin] = [await createFolder(), await createFolder()];
    await writeFile(join(folder, 'release.tgz'), content);
    await writeFile(join(bin, 'npm'), '#!/bin/sh\necho "$@" >installed.txt\n', { mode: 0o755 });
    const RELEASE_SHA256 = createHash('sha256').update('a release').digest('hex');
    const RELEASE_URL = `file://${join(folder, 'release.tgz')}`;
    const env = { PATH: bin + delimiter + process.env.PATH, RELEASE_URL, RELEASE_SHA256 };
    const ran = promisify(execFile)('bash', ['-c', LINES[0] ?? ''], { cwd: folder, env });
    await ran.catch(() => undefined);
    expect((await readdir(folder)).toSorted()).toEqual(files);
  });
});
