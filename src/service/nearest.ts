/** Finds the name that somebody probably meant. */
import { distance } from 'fastest-levenshtein';

/**
 * The known name closest to `name`, or undefined when none is close enough to be worth suggesting
 * (more than a third of the letters differ). Case is ignored.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const apart = distance(wanted, candidate.toLowerCase());
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** Names in a hint at most. */
const SHOWN = 20;

/** A hint for an unknown name: `did you mean "objects"?`, or else `choose from objects, persons`. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return undefined;
  return `choose from ${known.slice(0, SHOWN).join(', ')}${known.length > SHOWN ? ', …' : ''}`;
}
