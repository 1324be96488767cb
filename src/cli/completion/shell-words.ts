/** Splits a command line that is still being typed into words. */

/** A run of plain text, an escaped character, or a quoted part whose end may not be typed yet. */
const PART = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s'"\\]+)|(\s+)/g;

/**
 * The words of a line up to the cursor, quotes and escapes resolved as a POSIX shell does; the last one is the word that is
 * being typed, `''` after a space.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, escaped, single, double, plain, space] of line.matchAll(PART)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? plain ?? ''}`;
    }
  }
  return [...words, word ?? ''];
}
