/** How fast a run is, and how long the rest will take. */

/** Seconds over which the rate is smoothed, because pages arrive in bursts. */
const SMOOTHING = 10;
/** Seconds; a shorter time says nothing about the rate. */
const SHORTEST = 0.1;
/** Measurements before the time left is told: the first page comes with the cost of connecting. */
const ENOUGH = 3;

export class RateEstimate {
  done: number;
  total: number | undefined;
  rate = 0;
  readonly #now: () => number;
  #measurements = 0;
  readonly #begun: number;
  #measured: { readonly at: number; readonly done: number };

  /** `now` gives milliseconds; `from` is what earlier runs have done. */
  constructor(now: () => number, from: number) {
    this.done = from;
    this.#now = now;
    this.#begun = now();
    this.#measured = { at: this.#begun, done: from };
  }

  get elapsedSeconds(): number {
    return (this.#now() - this.#begun) / 1000;
  }

  get remainingSeconds(): number | undefined {
    if (this.total === undefined || this.rate <= 0 || this.#measurements < ENOUGH) return undefined;
    return Math.max(this.total - this.done, 0) / this.rate;
  }

  update(done: number, total: number | undefined): void {
    this.done = done;
    this.total = total;
    const at = this.#now();
    const seconds = (at - this.#measured.at) / 1000;
    if (seconds < SHORTEST) return;
    const latest = (done - this.#measured.done) / seconds;
    const weight = this.rate === 0 ? 1 : 1 - Math.exp(-seconds / SMOOTHING);
    this.rate += (latest - this.rate) * weight;
    this.#measured = { at, done };
    this.#measurements++;
  }
}
