/** The properties in which deployments differ (FIELD-NOTES.md). */
import { CODING_NAMES } from './deliver.js';

/** Creates a random deployment. `chosen` contains the properties that a case needs. */
export function createDeployment(random, chosen = {}) {
  return {
    /** The service selects one of these for each response. */
    codings: random.chance(0.5)
      ? random.some(CODING_NAMES, random.integer(2, 6))
      : [random.pick(CODING_NAMES)],
    chunkSizes: random.chance(0.5) ? [random.pick([1, 7, 1000, 70_000])] : [1, 33, 1000, 20_000, 100_000],
    isChunked: random.chance(0.5),
    /** The maximum delay of a response, in milliseconds. */
    delay: random.pick([0, 0, 3, 15]),
    /** The maximum number of records in a response. The service reduces a larger `limit` without a message. */
    cap: random.pick([3, 20, 50, 99, 100, 100, 100, 250]),
    total: random.pick(['number', 'number', 'number', 'text']),
    /** The list and the total in a response past the end of a result. This total may be wrong. */
    pastEnd: random.pick(['absent', 'empty']),
    pastTotal: random.pick(['same', 'zero', 'absent']),
    isTotalFirst: random.chance(0.5),
    hasSpaces: random.chance(0.2),
    /** True if the service writes non-ASCII characters as \\u escapes. */
    hasEscapes: random.chance(0.2),
    ignoresSort: false,
    ...chosen,
  };
}

/** Selects, in some cases, a service without totals. Not for counts and parts, which need a total. */
export function mayHideTotals(random) {
  return random.chance(0.15) ? { total: 'none' } : {};
}

/** Creates temporary faults: each URL may fail once. */
export function createTemporaryFaults(random, share = 0.15) {
  const seen = new Map();
  return (url) => {
    if (seen.has(url)) return undefined;
    seen.set(url, true);
    return random.chance(share) ? random.pick(['503', 'cut', 'reset', 'damaged']) : undefined;
  };
}
