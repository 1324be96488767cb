/** The ids that were received so far. */
export interface SeenIds {
  /** Returns true if the id is new. */
  add(id: string): boolean;
  readonly size: number;
}

const SMALL_INTEGER = /^[1-9]\d{0,8}$/;
/** JavaScript engines store a number of up to 31 bits without an object. */
const IDS_PER_NUMBER = 24;

/** Stores integers as bits, because most ids are integers near each other. A million ids then need 1 MB instead of 60 MB. */
export function createSeenIds(): SeenIds {
  const texts = new Set<string>();
  const bits = new Map<number, number>();
  let size = 0;
  const addNumber = (id: number): boolean => {
    const key = Math.floor(id / IDS_PER_NUMBER);
    const before = bits.get(key) ?? 0;
    const after = before | (1 << (id % IDS_PER_NUMBER));
    bits.set(key, after);
    return after !== before;
  };
  return {
    add: (id) => {
      const isNew = SMALL_INTEGER.test(id) ? addNumber(Number(id)) : texts.size < texts.add(id).size;
      if (isNew) size++;
      return isNew;
    },
    get size() {
      return size;
    },
  };
}
