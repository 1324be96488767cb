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

/** So many names are listed in a hint. */
const SHOWN = 20;

/** A hint for a name nobody knows: `did you mean "objects"?`, or else the list of what there is. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return undefined;
  return `there is ${known.slice(0, SHOWN).join(', ')}${known.length > SHOWN ? ' and others' : ''}`;
}
