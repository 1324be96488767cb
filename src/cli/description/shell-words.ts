/** Quotes words for a POSIX shell, and splits an unfinished command line into words. */

/** Returns a text as one quoted word (POSIX.1-2017, Shell Command Language, 2.2.2). */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a text as one word, with quotes only if needed. */
export function formatShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteWord(text);
}

/** Plain text, an escaped character, or a quoted part that may be unfinished. */
const PART = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|([^\s'"\\]+)|(\s+)/g;

/** Returns the words before the cursor, without quotes and escapes. The last word is unfinished, and `''` after a space. */
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
