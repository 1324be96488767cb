import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatShellWord, parseShellWords, quoteWord } from '../../../src/cli/description/shell-words.js';
import { shellText } from '../../nasty-text.js';

describe('formatShellWord', () => {
  it.each([
    ["O'Hara", String.raw`'O'\''Hara'`],
    ['--where=a:b,c@d', '--where=a:b,c@d'],
    ['', "''"],
    // bash also expands `~` after `=` and `:`.
    ['sort=~root', "'sort=~root'"],
  ])('writes %j as %s', (text, written) => {
    expect(formatShellWord(text)).toBe(written);
  });
});

describe('parseShellWords', () => {
  it.each([
    ['opac obj', ['opac', 'obj']],
    ['opac  objects ', ['opac', 'objects', '']],
    ['', ['']],
    [`opac --where 'a b`, ['opac', '--where', 'a b']],
    [`opac --query "x:\\"y\\" `, ['opac', '--query', 'x:"y" ']],
    [String.raw`a\ b c`, ['a b', 'c']],
    [`a'b'"c"d`, ['abcd']],
    ['\\', ['']],
    [`opac ''`, ['opac', '']],
  ])('splits %j into %j', (line, words) => {
    expect(parseShellWords(line)).toEqual(words);
  });

  it('splits quoted words like a shell', () => {
    const word = shellText;
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const line = words
          .map((word, index) => (index % 2 ? quoteWord(word) : formatShellWord(word)))
          .join(' ');
        const script = `printf '%s\\0' ${line}`;
        const inShell = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
        expect(parseShellWords(line)).toEqual(inShell);
      }),
      { numRuns: 20 },
    );
  });
});
