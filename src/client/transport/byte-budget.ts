/** Limits the memory of all responses in progress. Above the limit, only the oldest response continues. */
import { MAX_RECEIVING } from '../defaults.js';

export interface Reservation {
  /** Counts received bytes. Returns false if the response must pause until the budget calls `resume`. */
  take(bytes: number): boolean;
  /** Waits until there is room for these bytes, and counts them. */
  reserve(bytes: number): Promise<void>;
  /** Must be called at the end of every response, also after an error. */
  release(): void;
}

interface Holder {
  bytes: number;
  waiting: { readonly bytes: number; readonly resume: () => void } | undefined;
}

export class ByteBudget {
  readonly #limit: number;
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(limit = MAX_RECEIVING) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  open(resume: () => void): Reservation {
    const holder: Holder = { bytes: 0, waiting: undefined };
    this.#holders.add(holder);
    return {
      take: (bytes) => {
        this.#count(holder, bytes);
        if (this.#hasRoom(holder, 0)) return true;
        holder.waiting = { bytes: 0, resume };
        return false;
      },
      reserve: (bytes) =>
        new Promise((resolve) => {
          holder.waiting = { bytes, resume: resolve };
          this.#resumeWaiting();
        }),
      release: () => {
        this.#holders.delete(holder);
        this.#count(holder, -holder.bytes);
        this.#resumeWaiting();
      },
    };
  }

  #count(holder: Holder, bytes: number): void {
    holder.bytes += bytes;
    this.#used += bytes;
  }

  #hasRoom(holder: Holder, bytes: number): boolean {
    const [oldest] = this.#holders;
    return this.#used + bytes <= this.#limit || holder === oldest;
  }

  #resumeWaiting(): void {
    for (const holder of this.#holders) {
      const { waiting } = holder;
      if (!waiting || !this.#hasRoom(holder, waiting.bytes)) continue;
      holder.waiting = undefined;
      this.#count(holder, waiting.bytes);
      waiting.resume();
    }
  }
}
