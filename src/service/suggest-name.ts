/** Suggests a name for a mistyped one. */
import { distance } from 'fastest-levenshtein';

/** Returns the known name with the closest spelling. If no spelling is close, returns the result of `findContainingName`. */
export function findClosestName(name: string, known: Iterable<string>): string | undefined {
  return findClosestSpelling(name, known) ?? findContainingName(name.toLowerCase(), known);
}

/** Ignores case. Returns undefined if, in every known name, more than a third of the letters (rounded up) differ. */
export function findClosestSpelling(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const apart = distance(wanted, candidate.toLowerCase());
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/**
 * Returns the shortest name with a word like `wanted`: `maker_name` for `maker`, `mak` or `makr`. A `wanted` of three or more
 * letters may be the beginning of the word. A `wanted` of four or more letters may have one wrong, missing or additional letter.
 * `wanted` must be lower case.
 */
export function findContainingName(wanted: string, known: Iterable<string>): string | undefined {
  const isMeant = (word: string) =>
    word === wanted ||
    (wanted.length > 2 && word.startsWith(wanted)) ||
    (wanted.length > 3 && distance(word, wanted) === 1);
  const longer = [...known].filter((candidate) =>
    candidate
      .toLowerCase()
      .split(/[^\p{L}\p{N}]/u)
      .some(isMeant),
  );
  return longer.sort((one, other) => one.length - other.length)[0];
}

const MAX_NAMES = 20;

/** Returns `did you mean "objects"?`, or `choose from objects, persons` if no name is similar. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const near = findClosestName(name, known);
  return near === undefined ? listNames(known) : `did you mean "${near}"?`;
}

/** Like `didYouMean`, but always lists the names. Use it for names that people cannot guess. */
export function createNameHint(name: string, known: readonly string[]): string | undefined {
  const near = findClosestName(name, known);
  const names = listNames(known);
  return near === undefined ? names : `did you mean "${near}"? If not, ${names}`;
}

function listNames(known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  return `choose from ${known.slice(0, MAX_NAMES).join(', ')}${known.length > MAX_NAMES ? ', …' : ''}`;
}
