/**
 * One budget of memory for all responses that are being received or decompressed. A response that would exceed it waits
 * until others end; the oldest never waits.
 */

import { MAX_RECEIVING } from '../defaults.js';

/** The memory of one response. */
export interface Reservation {
  /** Counts bytes that have come. Gives false where no more may come before `resume` is called. */
  take(bytes: number): boolean;
  /** Counts bytes that are to come, and waits until there is room for them. */
  reserve(bytes: number): Promise<void>;
  /** Must follow, whatever became of the response. */
  release(): void;
}

interface Holder {
  bytes: number;
  /** Of what waits: how many bytes are to come, and what to call when they may. */
  waiting: { readonly bytes: number; readonly resume: () => void } | undefined;
}

export class ByteBudget {
  readonly #most: number;
  readonly #holders = new Set<Holder>();
  #used = 0;

  constructor(most = MAX_RECEIVING) {
    this.#most = most;
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
    return this.#used + bytes <= this.#most || holder === oldest;
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
