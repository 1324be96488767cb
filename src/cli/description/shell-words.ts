/** Words of a POSIX shell: how one is written, and those of a command line that is still being typed. */

/** Text as one word, whatever it holds (POSIX.1-2017, Shell Command Language, 2.2.2). */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same without quotes where none are needed. */
export function formatShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteWord(text);
}

/** A run of plain text, an escaped character, or a quoted part whose end may not be typed yet. */
const PART = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s'"\\]+)|(\s+)/g;

/** The words of a line up to the cursor, quotes and escapes resolved. The last one is being typed: `''` after a space. */
export function parseShellWords(line: string): string[] {
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
