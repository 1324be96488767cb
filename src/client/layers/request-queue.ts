/** Limits how many requests run at the same time and how many start per second. */
import type { Clock } from '../../system/clock.js';

const FIRST_LIMIT = 2;

export interface QueueOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly rate: number | undefined;
}

export class RequestQueue {
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #interval: number;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #halvings = 0;
  #active = 0;
  #pausedUntil = 0;
  #nextStart = 0;
  #timer: AbortController | undefined;

  constructor({ clock, concurrency, rate }: QueueOptions) {
    this.#clock = clock;
    this.#concurrency = Math.max(1, concurrency);
    this.#interval = rate ? 1000 / rate : 0;
    this.#limit = Math.min(FIRST_LIMIT, this.#concurrency);
  }

  /** A request stores this number when it starts, so that simultaneous refusals halve the limit only once. */
  get halvings(): number {
    return this.#halvings;
  }

  /** Call if a request was not refused. Raises the limit by one, unless it was halved since the request started. */
  grow(halvings: number): void {
    if (halvings === this.#halvings) this.#limit = Math.min(this.#concurrency, this.#limit + 1);
  }

  /** Call after a refusal. Halves the limit and returns true, unless the limit was halved since the request started. */
  halve(halvings: number): boolean {
    if (halvings !== this.#halvings) return false;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#halvings++;
    return true;
  }

  /** Waits until the request may start. Call `release` when the request has ended. Throws the signal's reason when aborted. */
  acquire(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
        this.#startNext();
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(start);
      if (this.#waiting.length === 1) this.#startNext();
    });
  }

  release(): void {
    this.#active--;
    this.#startNext();
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds);
  }

  #startNext(): void {
    this.#timer?.abort();
    while (this.#active < this.#limit) {
      const start = this.#waiting[0];
      if (!start) return;
      const now = this.#clock.now();
      const opens = Math.max(this.#pausedUntil, this.#nextStart);
      if (opens > now) {
        this.#wakeIn(opens - now);
        return;
      }
      this.#nextStart = now + this.#interval;
      this.#active++;
      this.#waiting.shift();
      start();
    }
  }

  #wakeIn(milliseconds: number): void {
    this.#timer = new AbortController();
    this.#clock.sleep(Math.ceil(milliseconds), this.#timer.signal).then(
      () => this.#startNext(),
      () => {},
    );
  }
}
