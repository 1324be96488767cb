/** Text compared as people mean it: accents, case, quotes and punctuation make no difference, nor does a letter or two. */
import { distance } from 'fastest-levenshtein';
import { normalizeText } from './exact-match.js';

/** As `normalText`, and without accents. */
export function withoutAccents(text: string): string {
  return normalizeText(text.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** The words of a text in lower case and without accents: `Kākahu (cloak)` is `kakahu`, `cloak`. */
export function splitFoldedWords(text: string): string[] {
  return withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The values that were likely meant, the nearest first: each word of `wanted` is in them, in any order, or almost. */
export function findSimilarValues(wanted: string, values: Iterable<string>, most = 3): string[] {
  const words = splitFoldedWords(wanted);
  if (words.length === 0) return [];
  const near = [...new Set(values)]
    .flatMap((value) => {
      const apart = distanceOf(words, splitFoldedWords(value));
      return apart === undefined ? [] : [{ value, apart }];
    })
    .sort((one, other) => one.apart - other.apart);
  const whole = near.filter(({ apart }) => apart < MISSING_WORD_COST);
  return (whole.length > 0 ? whole : near).slice(0, most).map(({ value }) => value);
}

/** What a word costs that a value has not: more than any difference in spelling. */
const MISSING_WORD_COST = 10;

/** Two neighbours in each other's place are one letter. */
function editDistance(one: string, other: string): number {
  const apart = distance(one, other);
  if (apart !== 2 || one.length !== other.length) return apart;
  const at = [...one].findIndex((letter, n) => letter !== other[n]);
  return one[at] === other[at + 1] && one[at + 1] === other[at] ? 1 : apart;
}

/**
 * Letters by which the words differ, and less than one for words that are not wanted; undefined for too many. A letter
 * stands for a word that begins with it, and half of the words may be absent when a longer one is there.
 */
function distanceOf(wanted: readonly string[], words: readonly string[]): number | undefined {
  const surplus = Math.max(words.length - wanted.length, 0);
  let sum = surplus / (surplus + 1);
  let absent = 0;
  let hasLonger = false;
  for (const word of wanted) {
    const allowed = word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
    let least = allowed + 1;
    for (const other of words)
      if (Math.abs(other.length - word.length) < least) least = Math.min(least, editDistance(word, other));
    if (word.length === 1 && words.some((other) => other.startsWith(word))) least = 0;
    const isAbsent = least > allowed;
    hasLonger ||= !isAbsent && word.length > 3;
    absent += Number(isAbsent);
    sum += isAbsent ? MISSING_WORD_COST : least;
  }
  return absent === 0 || (hasLonger && absent <= wanted.length / 2) ? sum : undefined;
}
