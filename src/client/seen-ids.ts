/** The ids seen so far, kept small: a million numeric ids take about 17 MB. Always exact, for a wrong "seen" would lose a record. */

export interface SeenIds {
  /** Remembers an id; false when it was there already. */
  add(id: string): boolean;
  readonly size: number;
}

/** A prefix and a number that prints back as it was read: `7`, `object:7`, `O-7`; no leading zeros, below 2^53. */
const PREFIXED_NUMBER = /^(.*?(?:^|[^\d]))(0|[1-9]\d{0,14})$/s;
/** Each prefix has a table of its own: ids that have too many are no numbers at heart. */
const MOST_PREFIXES = 16;

/** An empty set. Ids that end in a number are kept as eight bytes, any others as text. */
export function createSeenIds(): SeenIds {
  const numbers = new Map<string, IntegerSet>();
  const texts = new Set<string>();
  return {
    add(id) {
      const [, prefix = '', digits = ''] = PREFIXED_NUMBER.exec(id) ?? [];
      let table = digits ? numbers.get(prefix) : undefined;
      if (!table && digits && numbers.size < MOST_PREFIXES) {
        table = new IntegerSet();
        numbers.set(prefix, table);
      }
      if (table) return table.add(Number(digits));
      if (texts.has(id)) return false;
      texts.add(id);
      return true;
    },
    get size() {
      let size = texts.size;
      for (const table of numbers.values()) size += table.size;
      return size;
    },
  };
}

const EMPTY = -1;

/** Whole numbers from 0 to 2^53 - 1 by open addressing: eight bytes a slot, at most three quarters of the slots taken. */
class IntegerSet {
  #slots = new Float64Array(1024).fill(EMPTY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(value: number): boolean {
    if (!this.#place(this.#slots, value)) return false;
    this.#size++;
    if (this.#size > this.#slots.length * 0.75) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Float64Array(this.#slots.length * 2).fill(EMPTY);
    for (const value of this.#slots) if (value !== EMPTY) this.#place(larger, value);
    this.#slots = larger;
  }

  #place(slots: Float64Array, value: number): boolean {
    const mask = slots.length - 1;
    // Fibonacci hashing of both halves: consecutive ids, the usual case, spread over the table.
    const low = Math.imul(value >>> 0, 0x9e3779b1);
    const high = Math.imul(Math.floor(value / 0x1_0000_0000), 0x85ebca6b);
    const hash = low ^ high;
    let at = (hash ^ (hash >>> 15)) & mask;
    while (slots[at] !== EMPTY) {
      if (slots[at] === value) return false;
      at = (at + 1) & mask;
    }
    slots[at] = value;
    return true;
  }
}
