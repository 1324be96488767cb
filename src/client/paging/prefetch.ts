/** Starts a limited number of tasks before their outcomes are needed. Returns the outcomes in order. */
import { DEFAULT_CONCURRENCY, DEFAULT_PREFETCH_PER_REQUEST } from '../defaults.js';

export type Outcome<T> = { readonly value: T; readonly error?: undefined } | { readonly error: unknown };

interface PrefetchOptions<T> {
  readonly concurrency: number;
  /** Starts the next task. Returns undefined if no task can start now. */
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
    const { concurrency, next } = this.#options;
    const maxStarted = concurrency * DEFAULT_PREFETCH_PER_REQUEST;
    while (!this.#stopped && this.#running.size < concurrency && this.#started.length < maxStarted) {
      const task = next();
      if (!task) return;
      this.#start(task);
    }
  }

  /** Returns the outcome of the oldest task; undefined if the queue is empty. */
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

/** Yields the values of the tasks in order. Throws the error of a failed task at its turn. At the end, aborts running tasks. */
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
  const taskSignal = AbortSignal.any([signal, stop.signal]);
  const queue = new PrefetchQueue({ concurrency, next: () => next(taskSignal) });
  try {
    for (let outcome = await queue.take(); outcome; outcome = await queue.take()) {
      if (!('value' in outcome)) throw outcome.error;
      yield outcome.value;
    }
  } finally {
    stop.abort(new Error('the tasks have ended'));
    await queue.stop();
  }
}
