/** The man pages that the build creates: one for the program, one per noun, and one per command. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOUNS, type Noun } from '../../src/cli/nouns.js';
import { ROOT } from '../docs/documents.js';

const FILES: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).man;
const readPage = (words: readonly string[]) =>
  readFileSync(join(ROOT, `dist/man/opac-${words.join('-')}.1`), 'utf8').replaceAll('\\-', '-');
const hasMandoc = spawnSync('mandoc', ['-V']).error === undefined;

/** Returns the commands of a noun, with the words of their command lines. */
async function readCommands({ name: noun, load }: Noun) {
  const { commands } = await load();
  return commands.map(({ name, options = [] }) => ({ words: [...new Set([noun, name])], options }));
}

describe('the man pages', () => {
  it('are listed in package.json', async () => {
    const names = ['opac'];
    for (const noun of NOUNS) {
      const commands = (await readCommands(noun)).map(({ words }) => `opac-${words.join('-')}`);
      names.push(...new Set([`opac-${noun.name}`, ...commands]));
    }
    expect(FILES).toEqual(names.map((name) => `dist/man/${name}.1`));
    expect(readdirSync(join(ROOT, 'dist/man')).sort()).toEqual(
      FILES.map((file) => file.slice('dist/man/'.length)).sort(),
    );
  });

  it('have a short NAME line', () => {
    for (const file of FILES) {
      const [, , line = ''] = readFileSync(join(ROOT, file), 'utf8').split('\n');
      expect(line).toMatch(/^opac[\w-]* \\- \w/);
      expect(line.length).toBeLessThan(80);
    }
  });

  it.each(NOUNS)('contain every command and option of $name', async (noun) => {
    const commands = await readCommands(noun);
    const nounPage = readPage([noun.name]);
    for (const { words, options } of commands) {
      expect(nounPage).toContain(`opac ${words.join(' ')}`);
      const page = readPage(words);
      for (const { flags, hidden } of options)
        if (!hidden) expect(page).toContain(`\\fB${flags.replace(/ \[.*\]$/, '')}\\fR`);
    }
  });

  it.skipIf(!hasMandoc)('pass mandoc -T lint (needs mandoc)', () => {
    expect(execFileSync('mandoc', ['-T', 'lint', ...FILES], { cwd: ROOT, encoding: 'utf8' })).toBe('');
  });
});
