/** Compares texts. Ignores accents, case and punctuation, and allows up to two different letters in a word. */

import { distance } from 'fastest-levenshtein';
import { normalizeUnicode } from '../normalize-unicode.js';
import { normalizeText } from './exact-match.js';

export function withoutAccents(text: string): string {
  return normalizeText(normalizeUnicode(text, 'NFD').replace(/\p{M}/gu, ''));
}

/** `Kākahu (cloak)` becomes `kakahu`, `cloak`. */
export function splitFoldedWords(text: string): string[] {
  return withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns values that contain each word of `wanted`, or a similar word. If no value does, half of the words are enough. */
export function findSimilarValues(wanted: string, values: Iterable<string>, limit = 3): string[] {
  const words = splitFoldedWords(wanted);
  if (words.length === 0) return [];
  const similar = [...new Set(values)]
    .flatMap((value) => {
      const cost = measureDistance(words, splitFoldedWords(value));
      return cost === undefined ? [] : [{ value, cost }];
    })
    .sort((one, other) => one.cost - other.cost);
  const complete = similar.filter(({ cost }) => cost < MISSING_WORD_COST);
  return (complete.length > 0 ? complete : similar).slice(0, limit).map(({ value }) => value);
}

/** Higher than the cost of any misspelled word. */
const MISSING_WORD_COST = 10;

/** Two swapped neighbouring letters count as one difference. */
function editDistance(one: string, other: string): number {
  const apart = distance(one, other);
  if (apart !== 2 || one.length !== other.length) return apart;
  const at = [...one].findIndex((letter, n) => letter !== other[n]);
  return one[at] === other[at + 1] && one[at + 1] === other[at] ? 1 : apart;
}

/** Returns undefined if more than half of the words are absent, or if some are absent and only short words match. */
function measureDistance(wanted: readonly string[], words: readonly string[]): number | undefined {
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
