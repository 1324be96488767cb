/** A Stryker plugin that selects random mutants, so that a run takes only minutes. */

/** Yields random numbers from 0 to 1. The same seed yields the same numbers (mulberry32). */
function* createNumbers(seed) {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

class Sample {
  static inject = ['options'];

  constructor({ sample }) {
    this.sample = sample;
  }

  async init() {}

  /** Puts all mutants into one group, because `check` must select from all of them. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const chosen = new Set(this.sample.only ?? this.#select(mutants));
    const results = mutants.map(({ id }) => [
      id,
      chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
    ]);
    return Object.fromEntries(results);
  }

  #select(mutants) {
    const numbers = createNumbers(this.sample.seed);
    return mutants
      .map(({ id }) => ({ id, order: numbers.next().value }))
      .sort((a, b) => a.order - b.order)
      .slice(0, this.sample.size)
      .map(({ id }) => id);
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
