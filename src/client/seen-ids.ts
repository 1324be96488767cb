/** The ids seen so far, kept small: a million numeric ids take about 8 MB. Always exact, for a wrong "seen" would lose a record. */

export interface SeenIds {
  /** Remembers an id; false when it was there already. */
  add(id: string): boolean;
  readonly size: number;
}

/** A prefix and a number that prints back as it was read: `7`, `object:7`, `O-7`; no leading zeros, below 2^53. */
const PREFIXED_NUMBER = /^(.*?(?:^|[^\d]))(0|[1-9]\d{0,14})$/s;
/** Each prefix has a table of its own: ids that have too many are no numbers at heart. */
const MOST_PREFIXES = 16;

/** An empty set. Ids that end in a number are kept as four or eight bytes, any others as text. */
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

/** The largest that a slot of four bytes holds beside EMPTY. */
const LARGEST_SHORT = 2 ** 32 - 2;
/** Numbers are kept raised by one, so that a fresh table is empty. */
const EMPTY = 0;

type Slots = Uint32Array | Float64Array;

/**
 * Whole numbers from 0 to 2^53 - 2 by open addressing, at most three quarters of the slots taken: four bytes a slot until a
 * number needs eight.
 */
class IntegerSet {
  #slots: Slots = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(value: number): boolean {
    if (value > LARGEST_SHORT && this.#slots instanceof Uint32Array) {
      this.#moveTo(new Float64Array(this.#slots.length));
    }
    if (!place(this.#slots, value + 1)) return false;
    this.#size++;
    const { length } = this.#slots;
    if (this.#size > length * 0.75) {
      const isShort = this.#slots instanceof Uint32Array;
      this.#moveTo(isShort ? new Uint32Array(length * 2) : new Float64Array(length * 2));
    }
    return true;
  }

  #moveTo(slots: Slots): void {
    for (const kept of this.#slots) if (kept !== EMPTY) place(slots, kept);
    this.#slots = slots;
  }
}

function place(slots: Slots, kept: number): boolean {
  const mask = slots.length - 1;
  // Fibonacci hashing of both halves: consecutive ids, the usual case, spread over the table.
  const low = Math.imul(kept >>> 0, 0x9e3779b1);
  const high = Math.imul(Math.floor(kept / 0x1_0000_0000), 0x85ebca6b);
  const hash = low ^ high;
  let at = (hash ^ (hash >>> 15)) & mask;
  while (slots[at] !== EMPTY) {
    if (slots[at] === kept) return false;
    at = (at + 1) & mask;
  }
  slots[at] = kept;
  return true;
}
