/** Pseudorandom choices. The same seed gives the same choices, so that the museum has the same data at every start. */

export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns `count` different items in the order of the list, or all items if the list has fewer. */
  sample<T>(list: readonly T[], count: number): T[];
  boolean(probability: number): boolean;
}

/** The generator is mulberry32. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    sample: (list, count) => {
      const rest = list.map((_, index) => index);
      while (rest.length > count) rest.splice(below(rest.length), 1);
      return rest.map((index) => list[index] as (typeof list)[number]);
    },
    boolean: (probability) => next() < probability,
  };
}
