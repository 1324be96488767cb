/** Requests that wait for their turn, in order: so many at once, so many a second, none during a pause. */
import type { Clock } from '../../system/clock.js';
import type { AdaptiveLimit } from './adaptive-limit.js';

export class RequestQueue {
  readonly #limit: AdaptiveLimit;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #pausedUntil = 0;
  #nextStart = 0;
  #alarm: AbortController | undefined;

  constructor(limit: AdaptiveLimit, clock: Clock, rate: number | undefined) {
    this.#limit = limit;
    this.#clock = clock;
    this.#interval = rate ? 1000 / rate : 0;
  }

  /** Waits until a request may start; `done` must follow. Throws the signal's reason when aborted. */
  turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
        this.#admit();
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(start);
      if (this.#waiting.length === 1) this.#admit();
    });
  }

  done(): void {
    this.#active--;
    this.#admit();
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds);
  }

  #admit(): void {
    this.#alarm?.abort();
    while (this.#active < this.#limit.value) {
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
    this.#alarm = new AbortController();
    this.#clock.sleep(Math.ceil(milliseconds), this.#alarm.signal).then(
      () => this.#admit(),
      () => {},
    );
  }
}
