/** Quotes words for a POSIX shell, and splits an unfinished command line into words. */

/** Puts the text in single quotes (POSIX.1-2017, Shell Command Language, 2.2.2). */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes the text only if needed. */
export function formatShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteWord(text);
}

/** Matches an escaped character, plain text, spaces, or quoted text whose last quote may be missing. */
const PART = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s'"\\]+)|(\s+)/g;

/** Returns the words without quotes and escapes. The last word is unfinished; it is `''` after a space. */
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
