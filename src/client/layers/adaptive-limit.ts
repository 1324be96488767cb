/** How many requests run at once: slow start, additive increase, multiplicative decrease (RFC 5681 section 3.1). */

const INITIAL_LIMIT = 2;
const MINIMUM_SAMPLES = 8;
/** Latency of so many times the lowest, plus so many milliseconds, means that our requests are too many. */
const SLOWDOWN_FACTOR = 3;
const SLOWDOWN_MARGIN = 100;
const WEIGHT = 0.25;

export class AdaptiveLimit {
  readonly #ceiling: number;
  #limit: number;
  #slowStart = true;
  #generation = 0;
  #samples = 0;
  /** Smoothed latency: now, the lowest, and at the last cut for latency. */
  #recent = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #atCut: number | undefined;

  constructor(ceiling: number) {
    this.#ceiling = Math.max(1, ceiling);
    this.#limit = Math.min(INITIAL_LIMIT, this.#ceiling);
  }

  get value(): number {
    return Math.floor(this.#limit);
  }

  /** The number of cuts. A request remembers it, so that a burst of refusals halves the limit once. */
  get generation(): number {
    return this.#generation;
  }

  answered(latency: number, generation: number): void {
    if (generation !== this.#generation) return;
    this.#samples++;
    this.#recent = this.#samples === 1 ? latency : this.#recent + (latency - this.#recent) * WEIGHT;
    this.#lowest = Math.min(this.#lowest, this.#recent);
    if (this.#samples >= MINIMUM_SAMPLES && this.#hasRisen()) {
      this.#atCut = this.#recent;
      this.#cut();
    } else {
      this.#limit = Math.min(this.#ceiling, this.#limit + (this.#slowStart ? 1 : 1 / this.#limit));
    }
  }

  refused(generation: number): void {
    if (generation === this.#generation) this.#cut();
  }

  #hasRisen(): boolean {
    // When halving did not help, or a single request is as slow, the responses are slow whatever our load.
    if (this.value === 1 || (this.#atCut !== undefined && this.#recent > this.#atCut * 0.75)) {
      this.#lowest = this.#recent;
    }
    this.#atCut = undefined;
    return this.#recent > this.#lowest * SLOWDOWN_FACTOR + SLOWDOWN_MARGIN;
  }

  #cut(): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#slowStart = false;
    this.#generation++;
    this.#samples = 0;
  }
}
