/** Suggests a name for a mistyped one. */
import { distance } from 'fastest-levenshtein';

/** The known name closest to `name`, ignoring case, or undefined when more than a third of the letters differ. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const apart = distance(wanted, candidate.toLowerCase());
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

const MOST_NAMES = 20;

/** A hint for an unknown name: `did you mean "objects"?`, or else `choose from objects, persons`. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const near = closestName(name, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return undefined;
  return `choose from ${known.slice(0, MOST_NAMES).join(', ')}${known.length > MOST_NAMES ? ', …' : ''}`;
}
