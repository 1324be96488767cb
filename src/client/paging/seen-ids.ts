/** The ids seen so far, in little memory: at most 8 MB for a million numbers. Exact: a false "seen" would lose a record. */

export interface SeenIds {
  add(id: string): boolean;
  readonly size: number;
}

/** A prefix and a number that prints as it was read: `7`, `object:7`, `O-7`; no leading zeros, below 2^53. */
const PREFIXED_NUMBER = /^(.*?(?:^|[^\d]))(0|[1-9]\d{0,14})$/s;
/** Each has a table of its own; with more, ids are kept as text. */
const MOST_PREFIXES = 16;

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

const CHUNK = 2 ** 16;
/** For a number, about; where bits take more, the numbers are too far apart for bits. */
const TABLE_BYTES = 8;
const FEW_CHUNKS = 8;

/** Integers from 0 to 2^53 - 2: bits while they are close together, as ids mostly are, else a hash table. */
class IntegerSet {
  #chunks: Map<number, Uint32Array> | undefined = new Map();
  #table = new NumberTable();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(value: number): boolean {
    const isNew = this.#chunks ? this.#addBit(this.#chunks, value) : this.#table.add(value);
    if (isNew) this.#size++;
    return isNew;
  }

  #addBit(chunks: Map<number, Uint32Array>, value: number): boolean {
    const number = Math.floor(value / CHUNK);
    let chunk = chunks.get(number);
    if (!chunk) {
      if (chunks.size >= FEW_CHUNKS && (chunks.size * CHUNK) / 8 > this.#size * TABLE_BYTES) {
        this.#toTable(chunks);
        return this.#table.add(value);
      }
      chunk = new Uint32Array(CHUNK / 32);
      chunks.set(number, chunk);
    }
    const at = (value % CHUNK) >>> 5;
    const bit = 1 << (value & 31);
    const word = chunk[at] ?? 0;
    chunk[at] = word | bit;
    return (word & bit) === 0;
  }

  #toTable(chunks: Map<number, Uint32Array>): void {
    this.#chunks = undefined;
    for (const [number, chunk] of chunks) {
      for (let i = 0; i < CHUNK; i++) {
        if ((chunk[i >>> 5] ?? 0) & (1 << (i & 31))) this.#table.add(number * CHUNK + i);
      }
    }
  }
}

const LARGEST_SHORT = 2 ** 32 - 2;
const EMPTY = 0;

type Slots = Uint32Array | Float64Array;

/** Open addressing, at most three quarters full: four bytes a slot until a number needs eight. */
class NumberTable {
  #slots: Slots = new Uint32Array(1024);
  #size = 0;

  add(value: number): boolean {
    if (value > LARGEST_SHORT && this.#slots instanceof Uint32Array) {
      this.#moveTo(new Float64Array(this.#slots.length));
    }
    // Plus one, as 0 marks an empty slot.
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
