/** The man pages that the build makes: one for the program, one for each noun. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOUNS } from '../../src/cli/nouns.js';
import { ROOT } from '../docs/documents.js';

const FILES: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).man;
const hasMandoc = spawnSync('mandoc', ['-V']).error === undefined;

describe('the man pages', () => {
  it('are listed in package.json', () => {
    expect(FILES).toEqual(
      ['opac', ...NOUNS.map(({ name }) => `opac-${name}`)].map((name) => `dist/man/${name}.1`),
    );
    expect(readdirSync(join(ROOT, 'dist/man')).sort()).toEqual(
      FILES.map((file) => file.slice('dist/man/'.length)).sort(),
    );
  });

  it.each(NOUNS.map(({ name }) => name))('of %s have every command and option', async (noun) => {
    const page = readFileSync(join(ROOT, `dist/man/opac-${noun}.1`), 'utf8').replaceAll('\\-', '-');
    const { commands } = (await NOUNS.find(({ name }) => name === noun)?.load()) ?? { commands: [] };
    for (const { name, options = [] } of commands) {
      expect(page).toContain(`opac ${[...new Set([noun, name])].join(' ')}`);
      for (const { flags, hidden } of options)
        if (!hidden) expect(page).toContain(`\\fB${flags.replace(/ \[.*\]$/, '')}\\fR`);
    }
  });

  it.skipIf(!hasMandoc)('pass mandoc -T lint (needs mandoc)', () => {
    expect(execFileSync('mandoc', ['-T', 'lint', ...FILES], { cwd: ROOT, encoding: 'utf8' })).toBe('');
  });
});
