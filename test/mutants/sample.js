/** A plugin of Stryker that lets only some mutants be tried, drawn by lot, so that a folder can be judged in minutes. */

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function* numbersFrom(seed) {
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

  /** All at once, for a sample can only be drawn from the whole. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const chosen = new Set(this.sample.only ?? this.#drawn(mutants));
    const results = mutants.map(({ id }) => [
      id,
      chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
    ]);
    return Object.fromEntries(results);
  }

  #drawn(mutants) {
    const numbers = numbersFrom(this.sample.seed);
    return mutants
      .map(({ id }) => ({ id, lot: numbers.next().value }))
      .sort((a, b) => a.lot - b.lot)
      .slice(0, this.sample.size)
      .map(({ id }) => id);
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
