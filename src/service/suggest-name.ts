/** Suggests a known name for a mistyped name. */
import { distance } from 'fastest-levenshtein';

/** Returns undefined if no name is similar. */
export function findClosestName(name: string, known: Iterable<string>): string | undefined {
  return findClosestSpelling(name, known) ?? findContainingName(name.toLowerCase(), known);
}

/** Ignores case. At most a third of the letters, rounded up, may differ. */
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

/** Returns the shortest name with a word like `wanted`: `maker_name` for `maker`, `mak` or `makr`. `wanted` is in lower case. */
export function findContainingName(wanted: string, known: Iterable<string>): string | undefined {
  const isMeant = (word: string) =>
    word === wanted ||
    (wanted.length > 2 && word.startsWith(wanted)) ||
    (wanted.length > 3 && distance(word, wanted) === 1);
  const matches = [...known].filter((candidate) =>
    candidate
      .toLowerCase()
      .split(/[^\p{L}\p{N}]/u)
      .some(isMeant),
  );
  return matches.sort((one, other) => one.length - other.length)[0];
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
