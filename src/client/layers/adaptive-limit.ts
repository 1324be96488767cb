/**
 * How many requests may be under way at once: starts low, grows while answers stay quick, halves when the service is busy
 * (additive increase, multiplicative decrease, as in TCP: RFC 5681 section 3.1, slow start included).
 */

const START = 2;
/** Answers that make latency worth judging. */
const ENOUGH = 8;
/** Answers this many times as slow as they were, and a tenth of a second on top, mean that we are the load. */
const RISEN = 3;
const SLACK = 100;
/** Weight of the newest answer in the smoothed latency. */
const WEIGHT = 0.25;

export class AdaptiveLimit {
  readonly #ceiling: number;
  #limit: number;
  #slowStart = true;
  #generation = 0;
  #samples = 0;
  /** Smoothed latency now, the lowest it has been, and what it was when it last made the limit shrink. */
  #recent = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #whenCut: number | undefined;

  constructor(ceiling: number) {
    this.#ceiling = Math.max(1, ceiling);
    this.#limit = Math.min(START, this.#ceiling);
  }

  /** Whole requests, at least one. */
  get value(): number {
    return Math.floor(this.#limit);
  }

  /** Counts the cuts. A request remembers it, so that a burst of refusals halves the limit once. */
  get generation(): number {
    return this.#generation;
  }

  /** A good answer that took that many milliseconds, to a request sent in that generation. */
  answered(latency: number, generation: number): void {
    if (generation !== this.#generation) return;
    this.#samples++;
    this.#recent = this.#samples === 1 ? latency : this.#recent + (latency - this.#recent) * WEIGHT;
    this.#lowest = Math.min(this.#lowest, this.#recent);
    if (this.#samples >= ENOUGH && this.#hasRisen()) {
      this.#whenCut = this.#recent;
      this.#cut();
    } else {
      this.#limit = Math.min(this.#ceiling, this.#limit + (this.#slowStart ? 1 : 1 / this.#limit));
    }
  }

  /** The service refused or failed under a request sent in that generation. */
  refused(generation: number): void {
    if (generation === this.#generation) this.#cut();
  }

  #hasRisen(): boolean {
    // When halving did not help, or one request alone is as slow, these answers are slow by themselves and not by our load.
    if (this.value === 1 || (this.#whenCut !== undefined && this.#recent > this.#whenCut * 0.75)) {
      this.#lowest = this.#recent;
    }
    this.#whenCut = undefined;
    return this.#recent > this.#lowest * RISEN + SLACK;
  }

  #cut(): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#slowStart = false;
    this.#generation++;
    this.#samples = 0;
  }
}
