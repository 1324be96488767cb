/** How a deployment behaves: what FIELD-NOTES.md says differs from one to another. */
import { CODING_NAMES } from './deliver.js';

/** A random deployment; `chosen` replaces what a case needs to be so. */
export function createDeployment(random, chosen = {}) {
  return {
    /** One of these for each response. */
    codings: random.chance(0.5)
      ? random.some(CODING_NAMES, random.integer(2, 6))
      : [random.pick(CODING_NAMES)],
    chunkSizes: random.chance(0.5) ? [random.pick([1, 7, 1000, 70_000])] : [1, 33, 1000, 20_000, 100_000],
    isChunked: random.chance(0.5),
    /** Milliseconds before a response, at most. */
    delay: random.pick([0, 0, 3, 15]),
    /** Most records in a response; the service reduces `limit` silently. */
    cap: random.pick([3, 20, 50, 99, 100, 100, 100, 250]),
    total: random.pick(['number', 'number', 'number', 'text']),
    /** The list past the end of a result, and the total there, which is not reliable. */
    pastEnd: random.pick(['absent', 'empty']),
    pastTotal: random.pick(['same', 'zero', 'absent']),
    isTotalFirst: random.chance(0.5),
    hasSpaces: random.chance(0.2),
    /** Whether letters beyond ASCII are written as \\u escapes. */
    hasEscapes: random.chance(0.2),
    ignoresSort: false,
    ...chosen,
  };
}

/** Some services may give no total at all; counts and parts need one. */
export function mayHideTotals(random) {
  return random.chance(0.15) ? { total: 'none' } : {};
}

/** The faults that pass: each page may fail once. */
export function createPassingFaults(random, share = 0.15) {
  const seen = new Map();
  return (url) => {
    if (seen.has(url)) return undefined;
    seen.set(url, true);
    return random.chance(share) ? random.pick(['503', 'cut', 'reset', 'damaged']) : undefined;
  };
}
