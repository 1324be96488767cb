/** The ids that were received so far. */
export interface SeenIds {
  /** Adds an id, and returns whether it is new. */
  add(id: string): boolean;
  readonly size: number;
}

export function createSeenIds(): SeenIds {
  const ids = new Set<string>();
  return {
    add: (id) => ids.size < ids.add(id).size,
    get size() {
      return ids.size;
    },
  };
}
