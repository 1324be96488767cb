/** A queue of tasks started ahead: several at once, their outcomes taken in order, a bounded number ahead. */
import { DEFAULT_CONCURRENCY, DEFAULT_PREFETCH_PER_REQUEST } from '../defaults.js';

export type Outcome<T> = { readonly value: T; readonly error?: undefined } | { readonly error: unknown };

interface PrefetchOptions<T> {
  readonly concurrency: number;
  readonly depth: number;
  readonly next: () => Promise<T> | undefined;
}

export class PrefetchQueue<T> {
  readonly #options: PrefetchOptions<T>;
  readonly #started: Promise<Outcome<T>>[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #stopped = false;

  constructor(options: PrefetchOptions<T>) {
    this.#options = options;
  }

  fill(): void {
    const { concurrency, depth, next } = this.#options;
    while (!this.#stopped && this.#running.size < concurrency && this.#started.length < depth) {
      const task = next();
      if (!task) return;
      this.#start(task);
    }
  }

  /** The outcome of the oldest task, or undefined without one. */
  async take(): Promise<Outcome<T> | undefined> {
    this.fill();
    const first = this.#started.shift();
    const outcome = await first;
    this.fill();
    return outcome;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #start(task: Promise<T>): void {
    const outcome = task.then(
      (value): Outcome<T> => ({ value }),
      (error: unknown): Outcome<T> => ({ error: error ?? new Error('failed') }),
    );
    this.#started.push(outcome);
    this.#running.add(outcome);
    outcome.then(
      () => {
        this.#running.delete(outcome);
        this.fill();
      },
      () => {},
    );
  }
}

/**
 * The values of the tasks in their order. Throws the error of the first that failed when its turn comes; whatever ends it,
 * `signal` of the tasks still running is then aborted.
 */
export async function* runInOrder<T>({
  concurrency = DEFAULT_CONCURRENCY,
  next,
  signal,
}: {
  readonly concurrency?: number | undefined;
  readonly next: (signal: AbortSignal) => Promise<T> | undefined;
  readonly signal: AbortSignal;
}): AsyncGenerator<T> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const depth = concurrency * DEFAULT_PREFETCH_PER_REQUEST;
  const queue = new PrefetchQueue({ concurrency, depth, next: () => next(both) });
  try {
    for (let outcome = await queue.take(); outcome; outcome = await queue.take()) {
      if (!('value' in outcome)) throw outcome.error;
      yield outcome.value;
    }
  } finally {
    stop.abort(new Error('nobody waits for it any more'));
    await queue.stop();
  }
}
