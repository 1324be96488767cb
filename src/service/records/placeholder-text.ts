/** Recognizes texts that stand for a missing value, such as "date not known" and "[no title]". */

const THING = '(?:title|name|date|place|maker|artist|material|value|data|information|provenance)';
const MISSING = '(?:not (?:known|recorded|stated|given)|unknown|unrecorded|unidentified)';
/** Matches the words of a text, joined by spaces. */
const PLACEHOLDER = new RegExp(
  `^(?:${THING}? ?${MISSING}|${MISSING} ${THING}|no ${THING}|untitled|undated|blank|none|n ?[ad]|tb[acd]|to be confirmed)$`,
  'i',
);

/** Matches `?`, `--` and `[...]`, but not the title "+ -". */
const NO_WORDS = /^[\s[(]*[?.…–—_*/-]+[\s\])]*$/;

const MAX_LENGTH = 60;

/** The text must not be empty. */
export function isPlaceholder(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu);
  if (!words) return NO_WORDS.test(text);
  return text.length <= MAX_LENGTH && PLACEHOLDER.test(words.join(' '));
}
