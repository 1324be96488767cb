/** Work done ahead of its user: several tasks at once, their outcomes taken in order, never further ahead than allowed. */

export type Outcome<T> = { readonly value: T; readonly error?: undefined } | { readonly error: unknown };

export interface PrefetchOptions<T> {
  /** Most tasks at once. */
  readonly concurrency: number;
  /** Most tasks begun and not yet taken. */
  readonly depth: number;
  /** The next task, begun when it is called; undefined when there is nothing to do at the moment. */
  readonly next: () => Promise<T> | undefined;
}

export class PrefetchQueue<T> {
  readonly #options: PrefetchOptions<T>;
  readonly #begun: Promise<Outcome<T>>[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #stopped = false;

  constructor(options: PrefetchOptions<T>) {
    this.#options = options;
  }

  /** Begins as many tasks as are allowed now. */
  fill(): void {
    const { concurrency, depth, next } = this.#options;
    while (!this.#stopped && this.#running.size < concurrency && this.#begun.length < depth) {
      const task = next();
      if (!task) return;
      this.#begin(task);
    }
  }

  /** The outcome of the task that was begun first, or undefined when none is begun and none can be. */
  async take(): Promise<Outcome<T> | undefined> {
    this.fill();
    const first = this.#begun.shift();
    const outcome = await first;
    this.fill();
    return outcome;
  }

  /** Begins nothing more, and waits until what is running has ended; the tasks' own signal makes that soon. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #begin(task: Promise<T>): void {
    const outcome = task.then(
      (value): Outcome<T> => ({ value }),
      (error: unknown): Outcome<T> => ({ error: error ?? new Error('failed') }),
    );
    this.#begun.push(outcome);
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
