/** Quotes words for a POSIX shell, and splits an unfinished command line into words. */

/** POSIX.1-2017, Shell Command Language, 2.2.2. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Adds quotes only if needed. */
export function formatShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteWord(text);
}

/** Plain text, an escaped character, or a quoted part that may be unfinished. */
const PART = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s'"\\]+)|(\s+)/g;

/** Removes quotes and escapes. The last word is unfinished; it is `''` after a space. */
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
